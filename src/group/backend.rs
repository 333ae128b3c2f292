//! Ties each instruction-set token to its lanes and point operations, and makes the one run-time choice.
//!
//! A [`Kernel`] is an algorithm written over any backend; [`dispatch`] runs it on one. This happens once per
//! coarse call: choosing costs about a nanosecond, calling across the choice per field operation would cost 2×.

use alloc::boxed::Box;
use once_cell::race::OnceBox;
#[cfg(any(have_amd64_51, have_amd64_64))]
use subtle::Choice;

use super::edwards::EdwardsPoint;
use super::formulas::{self, AffineNiels, Cached, Extended, Ladder};
use super::tables::BaseTable;
use crate::cpu::{self, BackendId, Isa};
use crate::field::FieldElement;
use crate::field::lanes::FieldLanes;
use crate::field::portable::R51x1;
#[cfg(have_amd64_51)]
use crate::field::r51x1_asm;
#[cfg(have_amd64_64)]
use crate::field::r64x1_asm;

/// A token together with its lanes and point operations. Every operation is provided; a backend overrides those
/// it has a faster whole for.
pub(crate) trait Backend: Isa {
    /// The lanes.
    type F: FieldLanes<Isa = Self> + Send + Sync + 'static;

    /// Multiples of the base point.
    fn base_table(self) -> &'static BaseTable<Self::F>;

    /// `p = 2^n·p`
    #[inline(always)]
    fn double_n(self, p: &mut Extended<Self::F>, n: usize) {
        double_n_outlined(self, p, n);
    }
    /// `p ± q` to `p`, minus in the lanes of `negate`.
    #[inline(always)]
    fn add_mixed(self, p: &mut Extended<Self::F>, q: &AffineNiels<Self::F>, negate: <Self::F as FieldLanes>::Mask) {
        formulas::add_mixed(p, q, negate);
    }
    /// `p ± q` to `p`, minus in the lanes of `negate`.
    #[inline(always)]
    fn add_cached(self, p: &mut Extended<Self::F>, q: &Cached<Self::F>, negate: <Self::F as FieldLanes>::Mask) {
        add_cached_outlined(self, p, q, negate);
    }
    /// `bits` steps of a Montgomery ladder over the lowest bits of `ks[i]` in lane `i`, the highest of them first. The
    /// lanes whose points are to be exchanged at the end. At most `LANES` scalars.
    #[inline(always)]
    fn ladder(
        self,
        l: &mut Ladder<Self::F>,
        x1: &Self::F,
        ks: &[[u8; 32]],
        bits: usize,
    ) -> <Self::F as FieldLanes>::Mask {
        let mut before = 0;
        for bit in (0..bits).rev() {
            let mut now = 0;
            for (i, k) in ks.iter().enumerate() {
                now |= u32::from(k[bit / 8] >> (bit % 8) & 1) << i;
            }
            formulas::ladder_step(l, x1, Self::F::mask(self, before ^ now));
            before = now;
        }
        Self::F::mask(self, before)
    }
    /// `(X : Z)` of `k·x1` for one scalar of at most `bits` bits, where the backend has a way of its own.
    #[inline(always)]
    fn ladder_single(self, _x1: &FieldElement, _k: &[u8; 32], _bits: usize) -> Option<[FieldElement; 2]> {
        None
    }
    /// `Σ digits[j]·16^j·p` for one point and digits from -8 to 8, where the backend has a way of its own. Constant-time.
    #[inline(always)]
    fn mul_single(self, _p: &EdwardsPoint, _digits: &[i8]) -> Option<EdwardsPoint> {
        None
    }
    /// `2^n·p` for one point, as fast as one chain can go: what joins the lanes of an MSM.
    #[inline(always)]
    fn double_n_single(self, p: &EdwardsPoint, n: usize) -> EdwardsPoint {
        p.mul_by_pow_2(n)
    }
}

// Out of line, once a backend: they appear in every kernel. The mixed addition is inlined into the one loop that
// lives on it.

#[inline(always)]
fn double_n_outlined<B: Backend>(isa: B, p: &mut Extended<B::F>, n: usize) {
    isa.outline(
        #[inline(always)]
        || formulas::double_n(p, n),
    );
}

#[inline(always)]
fn add_cached_outlined<B: Backend>(
    isa: B,
    p: &mut Extended<B::F>,
    q: &Cached<B::F>,
    negate: <B::F as FieldLanes>::Mask,
) {
    isa.outline(
        #[inline(always)]
        || formulas::add_cached(p, q, negate),
    );
}

/// `2^n·p` on a backend of one lane.
#[cfg(any(have_amd64_51, have_amd64_64))]
#[inline(always)]
fn double_n_as_lane<B: Backend>(isa: B, p: &EdwardsPoint, n: usize) -> EdwardsPoint {
    let mut lane = Extended::load(isa, |_| p);
    isa.double_n(&mut lane, n);
    let mut out = [EdwardsPoint::IDENTITY];
    lane.store(&mut out);
    out[0]
}

/// Ties a token to its lanes and gives it a table of the base point, built at first use.
macro_rules! backend {
    ($token:ty, $lanes:ty $(, $override:item)*) => {
        impl Backend for $token {
            type F = $lanes;

            fn base_table(self) -> &'static BaseTable<$lanes> {
                static TABLE: OnceBox<BaseTable<$lanes>> = OnceBox::new();
                TABLE.get_or_init(|| Box::new(BaseTable::new(self, &EdwardsPoint::BASEPOINT)))
            }
            $($override)*
        }
    };
}

backend!(cpu::Portable, R51x1);

/// The point operations of an assembly backend, from the module of its lanes.
#[cfg(any(have_amd64_51, have_amd64_64))]
macro_rules! assembly_backend {
    ($token:ty, $lanes:ty, $module:ident) => {
        backend!(
            $token,
            $lanes,
            #[inline(always)]
            fn double_n(self, p: &mut Extended<Self::F>, n: usize) {
                $module::double_n([&mut p.m, &mut p.p, &mut p.z, &mut p.t], n);
            },
            #[inline(always)]
            fn add_mixed(self, p: &mut Extended<Self::F>, q: &AffineNiels<Self::F>, negate: Choice) {
                $module::add_mixed([&mut p.m, &mut p.p, &mut p.z, &mut p.t], [&q.m, &q.p, &q.t], negate);
            },
            #[inline(always)]
            fn add_cached(self, p: &mut Extended<Self::F>, q: &Cached<Self::F>, negate: Choice) {
                $module::add_cached([&mut p.m, &mut p.p, &mut p.z, &mut p.t], [&q.m, &q.p, &q.z, &q.t], negate);
            },
            #[inline(always)]
            fn ladder(self, l: &mut Ladder<Self::F>, x1: &Self::F, ks: &[[u8; 32]], bits: usize) -> Choice {
                $module::ladder([&mut l.x2, &mut l.z2, &mut l.x3, &mut l.z3], x1, &ks[0], bits)
            },
            #[inline(always)]
            fn double_n_single(self, p: &EdwardsPoint, n: usize) -> EdwardsPoint {
                double_n_as_lane(self, p, n)
            }
        );
    };
}

#[cfg(have_amd64_51)]
assembly_backend!(cpu::Amd64_51, r51x1_asm::R51x1, r51x1_asm);

#[cfg(have_amd64_64)]
assembly_backend!(cpu::Amd64_64, r64x1_asm::R64x1, r64x1_asm);

#[cfg(have_avx2)]
backend!(
    cpu::Avx2,
    crate::field::r51x4::R51x4,
    #[inline(always)]
    fn double_n_single(self, p: &EdwardsPoint, n: usize) -> EdwardsPoint {
        let [x, y, z, t] = crate::field::r51x4::double_n_single(self, &[p.x, p.y, p.z], n);
        EdwardsPoint { x, y, z, t }
    }
);

#[cfg(have_ifma)]
backend!(
    cpu::Ifma,
    crate::field::r52x8::R52x8,
    #[inline(always)]
    fn double_n_single(self, p: &EdwardsPoint, n: usize) -> EdwardsPoint {
        let [x, y, z, t] = crate::field::r52x8::single::double_n_single(self, &[p.x, p.y, p.z], n);
        EdwardsPoint { x, y, z, t }
    },
    #[inline(always)]
    fn ladder_single(self, x1: &FieldElement, k: &[u8; 32], bits: usize) -> Option<[FieldElement; 2]> {
        Some(crate::field::r52x8::ladder::ladder_single(self, x1, k, bits))
    },
    #[inline(always)]
    fn mul_single(self, p: &EdwardsPoint, digits: &[i8]) -> Option<EdwardsPoint> {
        let [x, y, z, t] = crate::field::r52x8::point::mul_single(self, &[p.x, p.y, p.z, p.t], digits);
        Some(EdwardsPoint { x, y, z, t })
    }
);

/// An algorithm over any backend. `call` is `#[inline(always)]`, so that it lands inside the frame.
pub(crate) trait Kernel {
    /// What it computes.
    type Out;
    /// Runs it.
    fn call<B: Backend>(self, isa: B) -> Self::Out;
}

/// Runs `kernel` on backend `id`.
///
/// `id` comes from [`BackendId`]'s own choice, which only names backends that are there; should one that is not
/// slip through, `portable` gives the same result.
#[inline]
#[allow(unused_variables)] // Where portable is the only backend, there is nothing to choose.
pub(crate) fn dispatch<K: Kernel>(id: BackendId, kernel: K) -> K::Out {
    #[cfg(have_amd64_51)]
    if id == BackendId::Amd64_51
        && let Some(isa) = cpu::Amd64_51::detect()
    {
        return run(isa, kernel);
    }
    #[cfg(have_amd64_64)]
    if id == BackendId::Amd64_64
        && let Some(isa) = cpu::Amd64_64::detect()
    {
        return run(isa, kernel);
    }
    #[cfg(have_avx2)]
    if id == BackendId::Avx2
        && let Some(isa) = cpu::Avx2::detect()
    {
        return run(isa, kernel);
    }
    #[cfg(have_ifma)]
    if id == BackendId::Ifma
        && let Some(isa) = cpu::Ifma::detect()
    {
        return run(isa, kernel);
    }
    run(cpu::Portable::TOKEN, kernel)
}

/// Residues in one vector of backend `id`.
pub(crate) fn lanes(id: BackendId) -> usize {
    struct Lanes;
    impl Kernel for Lanes {
        type Out = usize;
        #[inline(always)]
        fn call<B: Backend>(self, _: B) -> usize {
            B::F::LANES
        }
    }
    dispatch(id, Lanes)
}

#[inline(always)]
fn run<B: Backend, K: Kernel>(isa: B, kernel: K) -> K::Out {
    isa.frame(
        #[inline(always)]
        || kernel.call(isa),
    )
}
