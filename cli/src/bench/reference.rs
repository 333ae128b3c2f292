//! What the mock transactions of the Seraphis study took its C++ reference.

/// One of its measurements: µs a transaction.
struct Point {
    protocol: &'static str,
    inputs: u64,
    outputs: u64,
    n: u64,
    m: u64,
    batch: u64,
    us: f64,
}

/// All of them.
fn points() -> impl Iterator<Item = Point> {
    include_str!("reference.csv").lines().filter_map(|line| {
        let mut cells = line.split(',');
        let protocol = cells.next()?;
        let mut number = || cells.next()?.parse().ok();
        let (inputs, outputs, n, m, batch) = (number()?, number()?, number()?, number()?, number()?);
        Some(Point { protocol, inputs, outputs, n, m, batch, us: cells.next()?.parse().ok()? })
    })
}

/// µs a transaction, where there is a measurement.
pub(super) fn us(protocol: &str, [inputs, outputs, n, m, batch]: [u64; 5]) -> Option<f64> {
    let same = |p: &Point| {
        p.protocol == protocol && [p.inputs, p.outputs, p.n, p.m, p.batch] == [inputs, outputs, n, m, batch]
    };
    points().find(same).map(|point| point.us)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let lines = include_str!("reference.csv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(points().count(), lines - 1, "all but the heads");
        assert_eq!(us("CLSAG", [2, 2, 2, 4, 25]), Some(9680.3));
        assert_eq!(us("CLSAG", [2, 2, 2, 4, 26]), None);
    }
}
