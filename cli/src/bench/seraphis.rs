//! The mock transactions of the Seraphis study.

use std::hint::black_box;

use curve25519_lanes::cpu::BackendId;

use super::experiments::{self, Case, Protocol};
use super::inputs::{REFERENCE, carried_over};
use super::work::{Spec, Work};
use super::{Numbers, Scale, Session, Stop};
use crate::mock_tx::Batch;
use crate::output::Unusable;

pub(super) fn cases(session: &mut Session) -> Result<(), Stop> {
    let all = session.backends.clone();
    let cases = match &session.experiment {
        Some(id) => experiments::named(id).map_err(Unusable::new)?,
        None if session.scale == Scale::Full => experiments::full(),
        None => experiments::quick(),
    };
    for case in cases {
        let Case { protocol, n, m, inputs, outputs, splits, batch } = case;
        let bytes = bytes(&case);
        let params =
            [("n", n), ("m", m), ("inputs", inputs), ("outputs", outputs), ("splits", splits), ("bytes", bytes)];
        let spec = Spec::new("seraphis", protocol.name(), batch, "transaction");
        let spec = params.iter().fold(spec, |spec, (name, value)| spec.with(name, *value as u64));
        let reference = experiments::reference(&case);
        // The plots are of one implementation; the others are measured where they have something to be compared with.
        let backends = if experiments::compared(&case) { all.clone() } else { vec![BackendId::current()] };
        session.case(&spec, || {
            let made = Batch::new(&case, &mut Numbers::new(1))?;
            if made.size() != bytes {
                return Err(Unusable::new(format!("{}: {} bytes, not {bytes}", protocol.name(), made.size())));
            }
            let work = move || black_box(&made).verify(batch);
            let work = Work::verification(&backends, work);
            Ok(match reference {
                Some(us) => work.reference(REFERENCE, carried_over(us * batch as f64)),
                None => work,
            })
        })?;
    }
    Ok(())
}

/// Bytes of a transaction, as the study counts them: images, outputs and proofs, but 32·m·(n − 1) of the cells of a Triptych
/// proof where the study counts n.
fn bytes(case: &Case) -> usize {
    let Case { protocol, n, m, inputs, outputs, .. } = *case;
    let (image, output, other, input_proof) = match protocol {
        Protocol::Clsag => (64, 104, 0, 32 * (2 + n.pow(m as u32))),
        Protocol::Triptych => (64, 104, 0, 32 * (8 + 2 * m + m * (n - 1))),
        Protocol::Concise | Protocol::Squashed => (96, 105, 32, 32 * (4 + m * n) + 160),
        Protocol::Merge => (96, 105, 96, 32 * (4 + m * n) + 64),
        Protocol::Plain => (96, 105, 32, 32 * (5 + 2 * m + m * (n - 1)) + 160),
    };
    other + inputs * (image + input_proof) + outputs * output + range_bytes(case.amounts(), case.splits)
}

/// Bytes of the range proofs: with every split the group of amounts under one proof halves, down to a power of two.
fn range_bytes(amounts: usize, splits: usize) -> usize {
    let group = (0..splits).fold(amounts, |group, _| group.next_power_of_two() / 2).max(1);
    let proof = |amounts: usize| 32 * (6 + 2 * (6 + amounts.next_power_of_two().ilog2() as usize));
    let rest = amounts % group;
    amounts / group * proof(group) + if rest > 0 { proof(rest) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the study's own table, and of a split.
    #[test]
    fn published_sizes() {
        let size =
            |protocol, n, m, inputs, outputs| bytes(&Case { protocol, n, m, inputs, outputs, splits: 0, batch: 1 });
        for (protocol, small, base_3, large) in [
            (Protocol::Clsag, 2128, 6288, 70_080),
            (Protocol::Concise, 2162, 2418, 15_856),
            (Protocol::Merge, 2034, 2290, 14_384),
            (Protocol::Squashed, 2226, 2482, 15_920),
            (Protocol::Plain, 2482, 2738, 19_952),
            // With 32·m·(n − 1), as they really are.
            (Protocol::Triptych, 2256, 2512, 18_368),
        ] {
            assert_eq!(size(protocol, 2, 4, 2, 2), small, "{protocol:?}");
            assert_eq!(size(protocol, 3, 4, 2, 2), base_3, "{protocol:?}");
            assert_eq!(size(protocol, 2, 7, 16, 16), large, "{protocol:?}");
        }
        // Seven amounts: 7; 4 and 3; 2, 2, 2 and 1.
        assert_eq!([0, 1, 2].map(|splits| range_bytes(7, splits) / 32), [24, 22 + 22, 3 * 20 + 18]);
        assert_eq!(range_bytes(1, 4), range_bytes(1, 0));
    }
}
