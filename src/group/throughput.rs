//! How fast the current backend multiplies, for programs that compare machines.

use super::backend::{Backend, Kernel, dispatch};
use crate::cpu::BackendId;
use crate::field::FieldElement;
use crate::field::constants::SQRT_M1;
use crate::field::lanes::FieldLanes;

/// Products that don't wait for each other.
const CHAINS: usize = 4;

/// Multiplies field elements `count` times, as independently as the work on points does. Gives the elements it began with,
/// 2, 3, 4 and 5: each is multiplied by a fourth root of one, a multiple of four times.
///
/// `count` is rounded up to a multiple of 128.
///
/// ```
/// use curve25519_lanes::{field::FieldElement, throughput};
/// assert_eq!(throughput::field_products(128)[1], FieldElement::ONE + FieldElement::ONE + FieldElement::ONE);
/// ```
pub fn field_products(count: usize) -> [FieldElement; CHAINS] {
    dispatch(BackendId::current(), Products { count: count.next_multiple_of(128) })
}

/// As many of the backend's multiply instructions as `count` field products have, in independent chains and with nothing else
/// of weight: the products can't take less time, if multipliers are what they wait for.
pub fn multiplications(count: usize) {
    dispatch(BackendId::current(), Multiplications { count });
}

struct Products {
    count: usize,
}

impl Kernel for Products {
    type Out = [FieldElement; CHAINS];
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> Self::Out {
        let root = B::F::splat(isa, &SQRT_M1);
        let start: [FieldElement; CHAINS] = core::array::from_fn(|i| {
            let mut bytes = [0; 32];
            bytes[0] = i as u8 + 2;
            FieldElement::from_bytes(&bytes)
        });
        let mut chains = [root; CHAINS];
        for (chain, x) in chains.iter_mut().zip(&start) {
            *chain = B::F::splat(isa, x);
        }
        for _ in 0..self.count / (CHAINS * B::F::LANES) {
            for chain in &mut chains {
                let x = *chain;
                B::F::mul_carry(chain, &x, &root);
            }
        }
        let mut out = start;
        for (chain, out) in chains.iter().zip(&mut out) {
            let mut lanes = [FieldElement::ZERO; crate::field::lanes::MAX_LANES];
            chain.store(&mut lanes[..B::F::LANES]);
            *out = lanes[B::F::LANES - 1];
        }
        out
    }
}

struct Multiplications {
    count: usize,
}

impl Kernel for Multiplications {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        B::F::multiply_only(isa, (self.count / B::F::LANES * B::F::MULTIPLICATIONS).div_ceil(8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::each_backend;

    #[test]
    fn products_come_back_to_where_they_began() {
        each_backend(|id| {
            for count in [0, 1, 128, 1000] {
                let found = dispatch(id, Products { count: usize::next_multiple_of(count, 128) });
                for (i, x) in found.iter().enumerate() {
                    let mut bytes = [0; 32];
                    bytes[0] = i as u8 + 2;
                    assert_eq!(x.to_bytes(), bytes, "{id} {count}");
                }
            }
            dispatch(id, Multiplications { count: 1000 });
        });
    }
}
