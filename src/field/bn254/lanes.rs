//! The contract of a vector of residues mod p: [`FrLanes`]. Written for permutations, so it has no comparison,
//! selection or inversion.

use super::Fr;
use super::constants::R2;
#[cfg(have_ifma)]
use super::constants::power_of_two;
use super::r64x1::montgomery;

/// `LANES` residues. Sums grow in weight until they are brought back, which only vector backends need to do: a value
/// of weight `w` is a number below `w·p`, and no value may have a weight above 84.
pub(crate) trait FrLanes: Copy {
    /// What proves that the instructions are there. Only it makes the first value.
    type Isa: Copy;
    /// Residues in one value.
    const LANES: usize;

    /// The same residue in every lane; weight 1.
    fn splat(isa: Self::Isa, x: &Constant) -> Self;
    /// Element `i` to lane `i`, for at most `LANES` elements; other lanes hold 0. Weight 3.
    fn load(isa: Self::Isa, x: &[Fr]) -> Self;
    /// Lane `i` to element `i`, for at most `LANES` elements.
    fn store(self, out: &mut [Fr]);

    /// `self + b`; weights add up.
    fn add(self, b: Self) -> Self;
    /// `2·self`, at twice the weight.
    #[inline(always)]
    fn double(self) -> Self {
        self.add(self)
    }
    /// Ready to be multiplied, at the same weight. Afterwards only to be multiplied.
    fn carry(self) -> Self;
    /// Ready to be multiplied or added, at weight 2.
    fn reduce(self) -> Self;
    /// `self·b`, both ready to be multiplied. If the product of the weights is `w`, the weight is `w/84 + 2`.
    fn mul(self, b: Self) -> Self;
    /// `self²`, likewise.
    fn square(self) -> Self;
    /// `self⁵`, weight 3, for a ready `self` of weight at most 20 (the powers have weights 6.8, 2.6, 2.7).
    #[inline(always)]
    fn power_of_five(self) -> Self {
        let fourth = self.square().carry().square().carry();
        self.mul(fourth)
    }
}

/// Two vectors side by side: their chains of products are independent, so that the CPU works on both at once.
impl<V: FrLanes> FrLanes for [V; 2] {
    type Isa = V::Isa;
    const LANES: usize = 2 * V::LANES;

    #[inline(always)]
    fn splat(isa: V::Isa, x: &Constant) -> Self {
        [V::splat(isa, x); 2]
    }
    #[inline(always)]
    fn load(isa: V::Isa, x: &[Fr]) -> Self {
        let (low, high) = x.split_at(V::LANES.min(x.len()));
        [V::load(isa, low), V::load(isa, high)]
    }
    #[inline(always)]
    fn store(self, out: &mut [Fr]) {
        let (low, high) = out.split_at_mut(V::LANES.min(out.len()));
        self[0].store(low);
        self[1].store(high);
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        [self[0].add(b[0]), self[1].add(b[1])]
    }
    #[inline(always)]
    fn carry(self) -> Self {
        [self[0].carry(), self[1].carry()]
    }
    #[inline(always)]
    fn reduce(self) -> Self {
        [self[0].reduce(), self[1].reduce()]
    }
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        [self[0].mul(b[0]), self[1].mul(b[1])]
    }
    #[inline(always)]
    fn square(self) -> Self {
        [self[0].square(), self[1].square()]
    }
}

/// A residue known at compile time, in every Montgomery form there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constant {
    /// `x·2^256` in words of 64 bits.
    pub(super) r64: [u64; 4],
    /// `x·2^260` in limbs of 52 bits.
    #[cfg(have_ifma)]
    pub(super) r52: [u64; 5],
}

impl Constant {
    /// The number `x < p`.
    pub(crate) const fn new(x: [u64; 4]) -> Constant {
        Constant {
            r64: Fr::reduced(montgomery(&x, &R2)).0,
            #[cfg(have_ifma)]
            r52: limbs52(&Fr::reduced(montgomery(&x, &power_of_two(516))).0),
        }
    }

    /// The element.
    #[cfg(test)]
    pub(crate) const fn element(&self) -> Fr {
        Fr(self.r64)
    }
}

/// A number below 2^256 in limbs of 52 bits.
#[cfg(have_ifma)]
pub(super) const fn limbs52(x: &[u64; 4]) -> [u64; 5] {
    const MASK: u64 = (1 << 52) - 1;
    [
        x[0] & MASK,
        (x[0] >> 52 | x[1] << 12) & MASK,
        (x[1] >> 40 | x[2] << 24) & MASK,
        (x[2] >> 28 | x[3] << 36) & MASK,
        x[3] >> 16,
    ]
}
