//! The routines of `asm/amd64_51`, as safe functions on limb arrays. Bounds stand in each routine's banner, which
//! `tests/asm_banner.rs` compares with the declarations here.

use super::Limbs;
use crate::cpu::Amd64_51;

macro_rules! routines {
    ($($(#[$attribute:meta])* fn $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        unsafe extern "sysv64" {
            $(
                $(#[$attribute])*
                #[link_name = concat!(env!("CURVE25519_LANES_SYMBOL_PREFIX"), stringify!($name))]
                fn $name($($argument: $kind),*) $(-> $result)?;
            )*
        }
    };
}

routines! {
    fn amd64_51_mul(r: *mut u64, a: *const u64, b: *const u64);
    fn amd64_51_square_n(r: *mut u64, a: *const u64, n: u64);
    fn amd64_51_double_n(m: *mut u64, p: *mut u64, z: *mut u64, t: *mut u64, n: u64);
    fn amd64_51_add_mixed(
        m: *mut u64, p: *mut u64, z: *mut u64, t: *mut u64,
        qm: *const u64, qp: *const u64, qt: *const u64, negate: u64
    );
    fn amd64_51_add_cached(
        m: *mut u64, p: *mut u64, z: *mut u64, t: *mut u64,
        qm: *const u64, qp: *const u64, qz: *const u64, qt: *const u64, negate: u64
    );
    fn amd64_51_ladder(
        x2: *mut u64, z2: *mut u64, x3: *mut u64, z3: *mut u64, x1: *const u64, k: *const u64, bits: u64
    ) -> u64;
}

// The token of each function shows that the CPU is x86-64. The routines read and write five words behind each
// pointer (four behind `k`), write only behind `*mut`, and touch nothing else; outputs are distinct since they come from `&mut`.

#[inline(always)]
pub(super) fn mul(_: Amd64_51, r: &mut Limbs, a: &Limbs, b: &Limbs) {
    // SAFETY: see above.
    unsafe { amd64_51_mul(r.as_mut_ptr(), a.as_ptr(), b.as_ptr()) }
}

/// `r = r^(2^n)`, `n ≥ 1`.
#[inline(always)]
pub(super) fn square_n_assign(_: Amd64_51, r: &mut Limbs, n: u64) {
    debug_assert!(n >= 1);
    let r = r.as_mut_ptr();
    // SAFETY: see above; the routine reads all of its input before it writes.
    unsafe { amd64_51_square_n(r, r, n) }
}

#[inline(always)]
pub(super) fn square(_: Amd64_51, r: &mut Limbs, a: &Limbs) {
    // SAFETY: see above.
    unsafe { amd64_51_square_n(r.as_mut_ptr(), a.as_ptr(), 1) }
}

#[inline(always)]
pub(super) fn double_n(_: Amd64_51, [m, p, z, t]: [&mut Limbs; 4], n: u64) {
    debug_assert!(n >= 1);
    // SAFETY: see above.
    unsafe { amd64_51_double_n(m.as_mut_ptr(), p.as_mut_ptr(), z.as_mut_ptr(), t.as_mut_ptr(), n) }
}

#[inline(always)]
pub(super) fn add_mixed(_: Amd64_51, [m, p, z, t]: [&mut Limbs; 4], [qm, qp, qt]: [&Limbs; 3], negate: u64) {
    // SAFETY: see above.
    unsafe {
        amd64_51_add_mixed(
            m.as_mut_ptr(),
            p.as_mut_ptr(),
            z.as_mut_ptr(),
            t.as_mut_ptr(),
            qm.as_ptr(),
            qp.as_ptr(),
            qt.as_ptr(),
            negate,
        )
    }
}

#[inline(always)]
pub(super) fn add_cached(_: Amd64_51, [m, p, z, t]: [&mut Limbs; 4], [qm, qp, qz, qt]: [&Limbs; 4], negate: u64) {
    // SAFETY: see above.
    unsafe {
        amd64_51_add_cached(
            m.as_mut_ptr(),
            p.as_mut_ptr(),
            z.as_mut_ptr(),
            t.as_mut_ptr(),
            qm.as_ptr(),
            qp.as_ptr(),
            qz.as_ptr(),
            qt.as_ptr(),
            negate,
        )
    }
}

/// `bits` steps, `1 ≤ bits ≤ 256`; the lowest bit of `k`.
#[inline(always)]
pub(super) fn ladder(_: Amd64_51, [x2, z2, x3, z3]: [&mut Limbs; 4], x1: &Limbs, k: &[u64; 4], bits: u64) -> u64 {
    debug_assert!((1..=256).contains(&bits));
    let (x2, z2, x3, z3) = (x2.as_mut_ptr(), z2.as_mut_ptr(), x3.as_mut_ptr(), z3.as_mut_ptr());
    // SAFETY: see above.
    unsafe { amd64_51_ladder(x2, z2, x3, z3, x1.as_ptr(), k.as_ptr(), bits) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Isa;
    use crate::field::asm_tests::keeps_the_abi;

    #[test]
    fn routines_keep_the_abi() {
        if Amd64_51::detect().is_none() {
            std::println!("skipped: this CPU lacks what the routines need");
            return;
        }
        const SIZE: usize = size_of::<Limbs>() / 8;
        // SAFETY: arguments as declared above.
        unsafe {
            keeps_the_abi(amd64_51_mul as *const (), SIZE, 1, 2, &[]);
            keeps_the_abi(amd64_51_square_n as *const (), SIZE, 1, 1, &[3]);
            keeps_the_abi(amd64_51_double_n as *const (), SIZE, 4, 0, &[1]);
            keeps_the_abi(amd64_51_double_n as *const (), SIZE, 4, 0, &[3]);
            keeps_the_abi(amd64_51_add_mixed as *const (), SIZE, 4, 3, &[1]);
            keeps_the_abi(amd64_51_add_cached as *const (), SIZE, 4, 4, &[0]);
            keeps_the_abi(amd64_51_ladder as *const (), SIZE, 4, 2, &[256]);
        }
    }
}
