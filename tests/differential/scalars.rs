//! Scalars.

use curve25519_dalek::Scalar as Oracle;
use curve25519_lanes::Scalar;
use curve25519_lanes::field::scalar::ScalarSum;
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::inputs::{as_they_stand, bytes, edges};

fn agree(ours: &Scalar, theirs: &Oracle) -> Result<(), TestCaseError> {
    prop_assert_eq!(ours.to_bytes(), theirs.to_bytes());
    Ok(())
}

/// Everything with two operands, of integers that need not be reduced.
fn operations(a: [u8; 32], b: [u8; 32]) -> Result<(), TestCaseError> {
    let (x, y) = (Scalar::from_integer_unreduced(a), Scalar::from_integer_unreduced(b));
    let (ox, oy) = (Oracle::from_bytes_mod_order(a), Oracle::from_bytes_mod_order(b));
    agree(&Scalar::from_bytes_mod_order(a), &ox)?;
    agree(&x.reduce(), &ox)?;
    prop_assert_eq!(x.to_bytes(), a);
    agree(&(x + y), &(ox + oy))?;
    agree(&(x - y), &(ox - oy))?;
    agree(&(x * y), &(ox * oy))?;
    agree(&-x, &-ox)?;
    agree(&x.square(), &(ox * ox))?;
    let (mut sum, mut difference, mut product) = (x, x, x);
    sum += y;
    difference -= y;
    product *= y;
    prop_assert_eq!([sum, difference, product], [x + y, x - y, x * y]);
    prop_assert_eq!(x == y, ox == oy);
    prop_assert_eq!(bool::from(x.is_zero()), ox == Oracle::ZERO);
    let canonical: Option<Scalar> = Scalar::from_canonical_bytes(a).into();
    let expected: Option<Oracle> = Oracle::from_canonical_bytes(a).into();
    prop_assert_eq!(canonical.map(|s| s.to_bytes()), expected.map(|s| s.to_bytes()));
    prop_assert_eq!(bool::from(x.is_canonical()), expected.is_some());
    // The oracle has no inverse of zero; here it is zero.
    let inverse = if ox == Oracle::ZERO { Oracle::ZERO } else { ox.invert() };
    agree(&x.invert(), &inverse)?;
    let mut wide = [0; 64];
    wide[..32].copy_from_slice(&a);
    wide[32..].copy_from_slice(&b);
    agree(&Scalar::from_bytes_mod_order_wide(&wide), &Oracle::from_bytes_mod_order_wide(&wide))
}

#[test]
fn operations_on_edges() {
    for a in edges() {
        for b in edges() {
            operations(a, b).unwrap_or_else(|error| panic!("{a:02x?} {b:02x?}: {error}"));
        }
    }
}

proptest! {
    #![proptest_config(Config { cases: 4 * super::config().cases, ..super::config() })]

    #[test]
    fn operations_agree(a in bytes(), b in bytes()) {
        operations(a, b)?;
    }

    #[test]
    fn small_integers_agree(x in any::<u128>()) {
        agree(&Scalar::from(x), &Oracle::from(x))?;
        agree(&Scalar::from(x as u64), &Oracle::from(x as u64))?;
        agree(&Scalar::from(x as u32), &Oracle::from(x as u32))?;
        agree(&Scalar::from(x as u16), &Oracle::from(x as u16))?;
        agree(&Scalar::from(x as u8), &Oracle::from(x as u8))?;
    }

    #[test]
    fn lists_agree(list in prop::collection::vec((bytes(), bytes()), 0..40)) {
        let (a, b): (Vec<[u8; 32]>, Vec<[u8; 32]>) = list.into_iter().unzip();
        let (xs, ys) = (as_they_stand(&a), as_they_stand(&b));
        let oracles = |list: &[[u8; 32]]| list.iter().map(|k| Oracle::from_bytes_mod_order(*k)).collect::<Vec<_>>();
        let (oxs, oys) = (oracles(&a), oracles(&b));
        let mut inner = ScalarSum::default();
        for (x, y) in xs.iter().zip(&ys) {
            inner.add_product(x, y);
            inner.add(y);
        }
        let inner_oracle: Oracle = oxs.iter().zip(&oys).map(|(x, y)| x * y + y).sum();
        agree(&inner.reduce(), &inner_oracle)?;
        agree(&xs.iter().sum(), &oxs.iter().sum())?;
        agree(&xs.iter().product(), &oxs.iter().product())?;
        let mut inverses = xs;
        Scalar::batch_invert(&mut inverses);
        for (inverse, x) in inverses.iter().zip(&oxs) {
            agree(inverse, &if *x == Oracle::ZERO { *x } else { x.invert() })?;
        }
    }
}
