//! The tree of times: groups, their variants, and implementations as leaves, each level sorted by its best time.

use std::fmt::Write;

/// One measurement.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) group: String,
    pub(super) variant: String,
    pub(super) implementation: String,
    /// Nanoseconds of all iterations.
    pub(super) time: u64,
}

/// Leaves of one variant, or variants of one group, with the best time among them.
struct Node<T> {
    name: String,
    best: u64,
    children: Vec<T>,
}

/// The tree of these leaves, to the character as the seed's program prints it.
pub(super) fn tree(leaves: &[Leaf]) -> String {
    let mut out = String::new();
    let groups = grouped(leaves.iter(), |leaf| &leaf.group);
    let best_group = groups.first().map_or(0, |group| group.best);
    for group in &groups {
        node(&mut out, "", &group.name, group.best, best_group);
        let variants = grouped(group.children.iter().copied(), |leaf| &leaf.variant);
        let best_variant = variants.first().map_or(0, |variant| variant.best);
        for variant in &variants {
            node(&mut out, "|-", &variant.name, variant.best, best_variant);
            let mut leaves = variant.children.clone();
            leaves.sort_by_key(|leaf| (leaf.time, &leaf.implementation));
            let width = leaves.last().map_or(0, |leaf| leaf.time.to_string().len());
            for leaf in leaves {
                let name = format!("> {}", leaf.implementation);
                let percent = percent(leaf.time, variant.best);
                let _ = writeln!(out, "| |{name:->18} => {:>width$} ns (+{percent}%)", leaf.time);
            }
            out.push_str("| \n");
        }
    }
    out
}

fn node(out: &mut String, indent: &str, name: &str, time: u64, best: u64) {
    let _ = writeln!(out, "{indent}+ {name} {time} ns (+{}%)", percent(time, best));
}

fn grouped<'a>(leaves: impl Iterator<Item = &'a Leaf>, name: impl Fn(&Leaf) -> &String) -> Vec<Node<&'a Leaf>> {
    let mut nodes: Vec<Node<&Leaf>> = Vec::new();
    for leaf in leaves {
        match nodes.iter_mut().find(|node| node.name == *name(leaf)) {
            Some(node) => {
                node.best = node.best.min(leaf.time);
                node.children.push(leaf);
            }
            None => nodes.push(Node { name: name(leaf).clone(), best: leaf.time, children: vec![leaf] }),
        }
    }
    nodes.sort_by(|a, b| (a.best, &a.name).cmp(&(b.best, &b.name)));
    nodes
}

fn percent(time: u64, best: u64) -> String {
    general(100.0 * ((time - best) as f64 / best.max(1) as f64))
}

/// A number that is not negative, in six significant digits without padding: C's `%g`.
pub(super) fn general(x: f64) -> String {
    let text = format!("{x:.5e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if x == 0.0 {
        "0".to_string()
    } else if (-4..6).contains(&exponent) {
        trimmed(&format!("{x:.*}", (5 - exponent) as usize))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(digits), exponent.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits() {
        let cases = [
            (0.0, "0"),
            (1.909_924, "1.90992"),
            (27.274_2, "27.2742"),
            (190.8162, "190.816"),
            (100.0, "100"),
            (0.138_458_4, "0.138458"),
            (0.000_123_456_7, "0.000123457"),
            (0.000_012_3, "1.23e-05"),
            (999_999.4, "999999"),
            (999_999.6, "1e+06"),
            (1_234_567.0, "1.23457e+06"),
        ];
        for (x, text) in cases {
            assert_eq!(general(x), text);
        }
    }

    /// Times of a published run, out of order, and what was printed for them.
    #[test]
    fn golden() {
        let leaf = |group: &str, variant: &str, implementation: &str, time| Leaf {
            group: group.into(),
            variant: variant.into(),
            implementation: implementation.into(),
            time,
        };
        let leaves = [
            leaf("TX Pub Key", "standard", "ref10", 213_573_377),
            leaf("TX Pub Key", "standard", "amd64-51-30k", 66_972_198),
            leaf("TX Pub Key", "standard", "amd64-64-24k", 70_968_002),
            leaf("TX Pub Key", "3-bit table precomp", "amd64-64-24k", 63_450_467),
            leaf("TX Pub Key", "3-bit table precomp", "amd64-51-30k", 59_956_636),
            leaf("TX Pub Key", "curve25519 shared secret", "amd64-64-sandy2x", 51_534_492),
            leaf("TX Pub Key", "curve25519 shared secret", "amd64-51-sandy2x", 51_482_527),
            leaf("Output Pub Key", "standard", "ref10", 78_909_394),
            leaf("Output Pub Key", "standard", "amd64-51-30k", 27_171_394),
            leaf("Output Pub Key", "standard", "amd64-64-24k", 27_133_825),
            leaf("Output Pub Key", "spend public de-compression", "amd64-51-30k", 21_726_363),
            leaf("Output Pub Key", "spend public de-compression", "amd64-64-24k", 21_319_184),
        ];
        let expected = "\
+ Output Pub Key 21319184 ns (+0%)
|-+ spend public de-compression 21319184 ns (+0%)
| |----> amd64-64-24k => 21319184 ns (+0%)
| |----> amd64-51-30k => 21726363 ns (+1.90992%)
| \n\
|-+ standard 27133825 ns (+27.2742%)
| |----> amd64-64-24k => 27133825 ns (+0%)
| |----> amd64-51-30k => 27171394 ns (+0.138458%)
| |-----------> ref10 => 78909394 ns (+190.816%)
| \n\
+ TX Pub Key 51482527 ns (+141.485%)
|-+ curve25519 shared secret 51482527 ns (+0%)
| |> amd64-51-sandy2x => 51482527 ns (+0%)
| |> amd64-64-sandy2x => 51534492 ns (+0.100937%)
| \n\
|-+ 3-bit table precomp 59956636 ns (+16.4602%)
| |----> amd64-51-30k => 59956636 ns (+0%)
| |----> amd64-64-24k => 63450467 ns (+5.82726%)
| \n\
|-+ standard 66972198 ns (+30.0872%)
| |----> amd64-51-30k =>  66972198 ns (+0%)
| |----> amd64-64-24k =>  70968002 ns (+5.96636%)
| |-----------> ref10 => 213573377 ns (+218.899%)
| \n";
        assert_eq!(tree(&leaves), expected);
    }
}
