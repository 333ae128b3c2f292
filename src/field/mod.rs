//! Arithmetic mod p = 2^255-19, in one or more lanes, and mod the group order.
//!
//! * [`FieldElement`]: one residue in the fixed public form, five limbs of 51 bits.
//! * `lanes`: the contract of a backend's vector of residues; `portable` and the vector modules fulfil it.
//! * `chains`: inversion and square roots over any lanes; `divsteps`: inversion of one number mod p or l.
//! * `rows`: table rows in memory.
//! * [`bn254`]: a second field, that of Poseidon2.
//! * [`scalar`]: integers mod the group order, and their digits.

#[cfg(all(test, any(have_amd64_51, have_amd64_64)))]
mod asm_tests;
#[cfg(any(have_amd64_51, have_amd64_64))]
mod assembly;
pub mod bn254;
pub(crate) mod chains;
pub(crate) mod constants;
mod divsteps;
pub(crate) mod lanes;
mod one_lane;
pub(crate) mod portable;
#[cfg(have_amd64_51)]
pub(crate) mod r51x1_asm;
#[cfg(have_avx2)]
pub(crate) mod r51x4;
#[cfg(have_ifma)]
pub(crate) mod r52x8;
#[cfg(have_amd64_64)]
pub(crate) mod r64x1_asm;
#[cfg(test)]
pub(crate) mod reference;
pub(crate) mod rows;
pub mod scalar;

use core::fmt;
use core::ops::{Add, Mul, Neg, Sub};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::DefaultIsZeroes;

use self::divsteps::Modulus;
use self::lanes::FieldLanes;
use self::portable::{R51x1, TightLimbs};
use crate::cpu::Portable;

/// An element of the field of p = 2^255-19 elements.
///
/// Five limbs of 51 bits, each at most 2^51, so a residue has several forms in memory; comparison and
/// [`to_bytes`](FieldElement::to_bytes) see the residue. All operations are constant-time.
#[derive(Clone, Copy)]
pub struct FieldElement(pub(crate) [u64; 5]);

impl FieldElement {
    /// 0
    pub const ZERO: FieldElement = FieldElement([0; 5]);
    /// 1
    pub const ONE: FieldElement = FieldElement([1, 0, 0, 0, 0]);

    /// Reads 32 little-endian bytes, ignoring the top bit. Values from p to 2^255-1 are accepted and reduced.
    pub const fn from_bytes(bytes: &[u8; 32]) -> FieldElement {
        const MASK: u64 = (1 << 51) - 1;
        let w = words(bytes);
        FieldElement([
            w[0] & MASK,
            (w[0] >> 51 | w[1] << 13) & MASK,
            (w[1] >> 38 | w[2] << 26) & MASK,
            (w[2] >> 25 | w[3] << 39) & MASK,
            (w[3] >> 12) & MASK,
        ])
    }

    /// The canonical 32 little-endian bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.lane().to_bytes()
    }

    /// Whether the canonical value is odd; what the Edwards and Ristretto encodings call negative.
    pub fn is_negative(&self) -> Choice {
        self.lane().is_odd()
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> Choice {
        self.lane().is_zero()
    }

    /// `self²`
    pub fn square(&self) -> FieldElement {
        let mut out = R51x1::product(Portable::TOKEN);
        R51x1::square(&mut out, &self.lane());
        out.to_element()
    }

    /// The inverse; 0 for 0. A fixed number of division steps, the price of about 100 multiplications.
    pub fn invert(&self) -> FieldElement {
        const P: Modulus = Modulus::new(&[u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1]);
        const MASK: u64 = (1 << 51) - 1;
        // Below 4p, in limbs of 62 bits.
        let [a, b, c, d, e] = divsteps::invert(&P, &words(&self.to_bytes()));
        let top = d >> 18 | e << 44;
        let mut limbs = [
            (a & MASK) + 19 * (top >> 51),
            (a >> 51 | b << 11) & MASK,
            (b >> 40 | c << 22) & MASK,
            (c >> 29 | d << 33) & MASK,
            top & MASK,
        ];
        for i in 0..4 {
            limbs[i + 1] += limbs[i] >> 51;
            limbs[i] &= MASK;
        }
        FieldElement(limbs)
    }

    /// `(true, +sqrt(u/v))`, or `(false, +sqrt(i·u/v))` where `u/v` is not a square; RFC 9496, section 4.2.
    pub fn sqrt_ratio(u: &FieldElement, v: &FieldElement) -> (Choice, FieldElement) {
        let (root, square) = chains::sqrt_ratio(&[u.lane()], &[v.lane()]);
        (square[0], root[0].to_element())
    }

    /// Replaces every element by its inverse (0 stays 0): one inversion and three multiplications an element.
    pub fn batch_invert(elements: &mut [FieldElement]) {
        let mut lanes: alloc::vec::Vec<R51x1> = elements.iter().map(FieldElement::lane).collect();
        chains::batch_invert(&mut lanes);
        for (x, inverse) in elements.iter_mut().zip(lanes) {
            *x = inverse.to_element();
        }
    }

    #[inline(always)]
    fn lane(&self) -> R51x1 {
        R51x1::from_element(self)
    }
}

/// All ones for 1, 0 for 0, and the optimiser must not know that these two are the only values: it has turned
/// such masks into branches before (RUSTSEC-2024-0344).
#[inline(always)]
fn mask(bit: u64) -> u64 {
    let mask = bit.wrapping_neg();
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let mut mask = mask;
        // SAFETY: the text is a comment; nothing is executed, read or written but the register handed through.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags));
        }
        mask
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    core::hint::black_box(mask)
}

/// Four little-endian 64-bit words.
#[inline]
pub(crate) const fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    [
        u64::from_le_bytes(words[0]),
        u64::from_le_bytes(words[1]),
        u64::from_le_bytes(words[2]),
        u64::from_le_bytes(words[3]),
    ]
}

impl Add for FieldElement {
    type Output = FieldElement;
    fn add(self, b: FieldElement) -> FieldElement {
        R51x1::add(&TightLimbs::from_element(&self), &TightLimbs::from_element(&b)).to_element()
    }
}

impl Sub for FieldElement {
    type Output = FieldElement;
    fn sub(self, b: FieldElement) -> FieldElement {
        R51x1::sub(&TightLimbs::from_element(&self), &TightLimbs::from_element(&b)).to_element()
    }
}

impl Mul for FieldElement {
    type Output = FieldElement;
    fn mul(self, b: FieldElement) -> FieldElement {
        let mut out = R51x1::product(Portable::TOKEN);
        R51x1::mul(&mut out, &self.lane(), &b.lane());
        out.to_element()
    }
}

impl Neg for FieldElement {
    type Output = FieldElement;
    fn neg(self) -> FieldElement {
        self.lane().neg().to_element()
    }
}

impl ConditionallySelectable for FieldElement {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        FieldElement(core::array::from_fn(|i| u64::conditional_select(&a.0[i], &b.0[i], choice)))
    }
}

impl ConstantTimeEq for FieldElement {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.to_bytes().ct_eq(&other.to_bytes())
    }
}

impl PartialEq for FieldElement {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for FieldElement {}

impl Default for FieldElement {
    fn default() -> Self {
        FieldElement::ZERO
    }
}

impl fmt::Debug for FieldElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FieldElement({:02x?})", self.to_bytes())
    }
}

impl DefaultIsZeroes for FieldElement {}
