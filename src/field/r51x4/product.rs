//! Product and square: the routines that need all sixteen registers and no spill.
//!
//! Assembly, because a compiler moves all multiplications to the front and spills the halves: point additions with
//! the same arithmetic in intrinsics take 1.4 times as long. The text is put together from the few macros of `text`, a
//! line for each step of the column sums; the module above argues why the steps are exact.
//!
//! # Common to the routines
//! * System V calling convention on every system; clobbers are all `ymm` registers, `rdx` and the flags.
//! * Pointers are 32-byte aligned, limbs and columns ascend in steps of 32 bytes, `out` may be an input. No stack.
//! * Features: AVX2, FMA. Preconditions: round to nearest, precision exception masked.
//! * Constant-time: no branch and no address depends on a limb.
//! * The upper halves of the registers are left dirty, and the compiler takes them for clean after a call: the frame
//!   of `cpu::Avx2` clears them once at its end. Code outside a frame does not call these routines.
//! * Symbols carry the crate's name and version, so that two versions fit into one program.
//! * Origin: written for this crate from `f4_fma.rs` of its feasibility prototype.

use core::arch::global_asm;
use core::mem::offset_of;

use super::columns::{C1, C2, CENTRE, DIGIT, EXPONENT, LIMB_OFFSETS};
use super::{Columns, R51x4};

/// What the routines read besides their operands, four equal words a row.
#[repr(C, align(64))]
struct Table {
    c1: [f64; 4],
    c2: [f64; 4],
    centre: [i64; 4],
    digit: [i64; 4],
    exponent: [i64; 4],
    nineteen: [i64; 4],
    limb_offsets: [[f64; 4]; 5],
}

static TABLE: Table = Table {
    c1: [C1; 4],
    c2: [C2; 4],
    centre: [CENTRE; 4],
    digit: [DIGIT; 4],
    exponent: [EXPONENT; 4],
    nineteen: [19; 4],
    limb_offsets: {
        let x = LIMB_OFFSETS[1];
        [[x[0]; 4], [x[1]; 4], [x[2]; 4], [x[3]; 4], [x[4]; 4]]
    },
};

/// Constants of the exact products.
macro_rules! load_constants {
    () => {
        "vmovapd ymm14, [rcx + {c1}]\nvmovapd ymm15, [rcx + {c2}]\n"
    };
}

/// The first factor.
macro_rules! load_limbs {
    () => {
        "vmovapd ymm0, [rsi]\nvmovapd ymm1, [rsi + 32]\nvmovapd ymm2, [rsi + 64]\n\
         vmovapd ymm3, [rsi + 96]\nvmovapd ymm4, [rsi + 128]\n"
    };
}

/// The limbs of the result, left in the registers of the first factor by `carry`.
macro_rules! store_limbs {
    () => {
        "vmovapd [rdi], ymm0\nvmovapd [rdi + 32], ymm1\nvmovapd [rdi + 64], ymm2\n\
         vmovapd [rdi + 96], ymm3\nvmovapd [rdi + 128], ymm4\n"
    };
}

/// The columns of the result.
macro_rules! store_columns {
    () => {
        "vmovdqa [rdi], ymm11\nvmovdqa [rdi + 32], ymm10\nvmovdqa [rdi + 64], ymm9\n\
         vmovdqa [rdi + 96], ymm8\nvmovdqa [rdi + 128], ymm13\n"
    };
}

/// `ymm0` to `ymm4` times the factor at `rdx`: 25 products in 15 pairs, 161 operations with the carry left out.
/// Columns in descending order, so that each finds the one it has to take in finished.
macro_rules! multiply {
    () => {
        concat!(
            one!(z9, z8 = a4 b4),
            // Column 7
            two!(q, z7 = a3 b4 + a4 b3),
            add!(z8 += q),
            // Column 6
            two!(q, z6 = a2 b4 + a4 b2),
            add!(z7 += q),
            one!(q, r = a3 b3),
            add!(z7 += q),
            add!(z6 += r),
            // Column 5
            two!(q, z5 = a1 b4 + a4 b1),
            add!(z6 += q),
            two!(q, r = a2 b3 + a3 b2),
            add!(z6 += q),
            add!(z5 += r),
            // Column 4
            two!(q, z4 = a0 b4 + a4 b0),
            add!(z5 += q),
            two!(q, r = a1 b3 + a3 b1),
            add!(z5 += q),
            add!(z4 += r),
            one!(q, r = a2 b2),
            add!(z5 += q),
            add!(z4 += r),
            fold!(z4 += 19 z9),
            // Column 3
            two!(q, z3 = a0 b3 + a3 b0),
            add!(z4 += q),
            two!(q, r = a1 b2 + a2 b1),
            add!(z4 += q),
            add!(z3 += r),
            fold!(z3 += 19 z8),
            // Column 2
            two!(q, z2 = a0 b2 + a2 b0),
            add!(z3 += q),
            one!(q, r = a1 b1),
            add!(z3 += q),
            add!(z2 += r),
            fold!(z2 += 19 z7),
            // Column 1
            two!(q, z1 = a0 b1 + a1 b0),
            add!(z2 += q),
            fold!(z1 += 19 z6),
            // Column 0
            one!(q, z0 = a0 b0),
            add!(z1 += q),
            fold!(z0 += 19 z5),
        )
    };
}

/// The square of `ymm0` to `ymm4`: 15 products of which none share a quotient, since two doubled ones would not fit.
/// So the columns get as many bit patterns as those of `multiply`. `[rdi]` is written.
macro_rules! square {
    () => {
        concat!(
            op!("vaddpd" q, a3, a3),
            "vmovapd [rdi + 96], ymm7\n",
            op!("vaddpd" q, a2, a2),
            "vmovapd [rdi + 64], ymm7\n",
            op!("vaddpd" q, a1, a1),
            "vmovapd [rdi + 32], ymm7\n",
            op!("vaddpd" q, a0, a0),
            "vmovapd [rdi], ymm7\n",
            one!(z9, z8 = a4 a4),
            // Column 7
            one!(q, z7 = a4 d3),
            add!(z8 += q),
            // Column 6
            one!(q, z6 = a4 d2),
            add!(z7 += q),
            one!(q, r = a3 a3),
            add!(z7 += q),
            add!(z6 += r),
            // Column 5
            one!(q, z5 = a4 d1),
            add!(z6 += q),
            one!(q, r = a3 d2),
            add!(z6 += q),
            add!(z5 += r),
            // Column 4
            one!(q, z4 = a4 d0),
            add!(z5 += q),
            one!(q, r = a3 d1),
            add!(z5 += q),
            add!(z4 += r),
            one!(q, r = a2 a2),
            add!(z5 += q),
            add!(z4 += r),
            fold!(z4 += 19 z9),
            // Column 3
            one!(q, z3 = a3 d0),
            add!(z4 += q),
            one!(q, r = a2 d1),
            add!(z4 += q),
            add!(z3 += r),
            fold!(z3 += 19 z8),
            // Column 2
            one!(q, z2 = a2 d0),
            add!(z3 += q),
            one!(q, r = a1 a1),
            add!(z3 += q),
            add!(z2 += r),
            fold!(z2 += 19 z7),
            // Column 1
            one!(q, z1 = a1 d0),
            add!(z2 += q),
            fold!(z1 += 19 z6),
            // Column 0
            one!(q, z0 = a0 a0),
            add!(z1 += q),
            fold!(z0 += 19 z5),
        )
    };
}

/// Columns in `ymm11, 10, 9, 8, 13` to limbs in `ymm0` to `ymm4`, as `columns::carry` does it.
macro_rules! carry {
    () => {
        concat!(
            "vmovdqa ymm5, [rcx + {centre}]\n",
            op!("vpaddq" z4, z4, s),
            op!("vpaddq" z0, z0, s),
            op!("vpaddq" z1, z1, s),
            op!("vpaddq" z2, z2, s),
            op!("vpaddq" z3, z3, s),
            // The carry into limb k to the register of limb k.
            "vpsrlq ymm0, ymm13, 51\n",
            "vpmuludq ymm0, ymm0, [rcx + {nineteen}]\n",
            "vpsrlq ymm1, ymm11, 51\n",
            "vpsrlq ymm2, ymm10, 51\n",
            "vpsrlq ymm3, ymm9, 51\n",
            "vpsrlq ymm4, ymm8, 51\n",
            "vmovdqa ymm6, [rcx + {digit}]\n",
            "vmovdqa ymm7, [rcx + {exponent}]\n",
            carry_limb!(a0 z0, "0"),
            carry_limb!(a1 z1, "32"),
            carry_limb!(a2 z2, "64"),
            carry_limb!(a3 z3, "96"),
            carry_limb!(a4 z4, "128"),
        )
    };
}

macro_rules! carry_limb {
    ($a:ident $z:ident, $at:literal) => {
        concat!(
            op!("vpand" $z, $z, r),
            op!("vpor" $z, $z, q),
            op!("vpaddq" $a, $a, $z),
            "vsubpd ",
            at!($a),
            ", ",
            at!($a),
            ", [rcx + {limb_offsets} + ",
            $at,
            "]\n",
        )
    };
}

/// A routine: its name, then the pieces of its text.
macro_rules! routine {
    ($name:literal: $($piece:expr),+ $(,)?) => {
        global_asm!(
            ".text",
            ".p2align 5",
            concat!(".globl ", label!($name)),
            begin!($name),
            $($piece,)+
            "ret",
            end!($name),
            // Not every routine uses every operand; a comment mentions them all.
            "// {c1} {c2} {centre} {digit} {exponent} {nineteen} {limb_offsets}",
            c1 = const offset_of!(Table, c1),
            c2 = const offset_of!(Table, c2),
            centre = const offset_of!(Table, centre),
            digit = const offset_of!(Table, digit),
            exponent = const offset_of!(Table, exponent),
            nineteen = const offset_of!(Table, nineteen),
            limb_offsets = const offset_of!(Table, limb_offsets),
        );
    };
}

// void mul(Columns *out, const R51x4 *a, const R51x4 *b, const Table *table)
//          rdi            rsi             rdx             rcx
// Requires limbs within B. Gives columns of a·b below 2^57, plus OFFSETS.
routine!("mul": load_constants!(), load_limbs!(), multiply!(), store_columns!());

// void mul_carry(R51x4 *out, const R51x4 *a, const R51x4 *b, const Table *table)
//                rdi         rsi             rdx             rcx
// Requires limbs within B. Gives a·b with limbs within 2^50 + 19·2^6.
routine!("mul_carry": load_constants!(), load_limbs!(), multiply!(), carry!(), store_limbs!());

// void square(Columns *out, const R51x4 *a, size_t unused, const Table *table)
//             rdi           rsi             rdx            rcx
// Requires limbs within B. Gives columns of a² below 2^57, plus OFFSETS.
routine!("square": load_constants!(), load_limbs!(), square!(), store_columns!());

// void square_n(R51x4 *out, const R51x4 *a, size_t n, const Table *table)
//               rdi         rsi             rdx       rcx
// Requires limbs within B and n ≥ 1, which is public. Gives a^(2^n) with limbs within 2^50 + 19·2^6.
// Between squarings the limbs stay in their registers.
routine!("square_n":
    load_constants!(),
    load_limbs!(),
    ".p2align 5",
    "2:",
    square!(),
    carry!(),
    "dec rdx",
    "jnz 2b",
    store_limbs!(),
);

/// The five limbs of four lanes, or their columns, as the routines see them.
type Words = [[u64; 4]; 5];

unsafe extern "sysv64" {
    #[link_name = symbol!("mul")]
    fn r51x4_mul(out: *mut Words, a: *const Words, b: *const Words, table: *const Table);
    #[link_name = symbol!("mul_carry")]
    fn r51x4_mul_carry(out: *mut Words, a: *const Words, b: *const Words, table: *const Table);
    #[link_name = symbol!("square")]
    fn r51x4_square(out: *mut Words, a: *const Words, unused: usize, table: *const Table);
    #[link_name = symbol!("square_n")]
    fn r51x4_square_n(out: *mut Words, a: *const Words, n: usize, table: *const Table);
}

/// `out = a·b`
#[inline(always)]
pub(super) fn mul(out: &mut Columns, a: &R51x4, b: &R51x4) {
    // SAFETY: lane values exist, so the instructions do; references are valid and as aligned as their types.
    unsafe { r51x4_mul((&raw mut *out).cast(), (&raw const *a).cast(), (&raw const *b).cast(), &TABLE) }
}

/// `out = a·b`, carried.
#[inline(always)]
pub(super) fn mul_carry(out: &mut R51x4, a: &R51x4, b: &R51x4) {
    // SAFETY: as in `mul`.
    unsafe { r51x4_mul_carry((&raw mut *out).cast(), (&raw const *a).cast(), (&raw const *b).cast(), &TABLE) }
}

/// `out = a²`
#[inline(always)]
pub(super) fn square(out: &mut Columns, a: &R51x4) {
    // SAFETY: as in `mul`.
    unsafe { r51x4_square((&raw mut *out).cast(), (&raw const *a).cast(), 0, &TABLE) }
}

/// `out = a²`, carried.
#[inline(always)]
pub(super) fn square_carry(out: &mut R51x4, a: &R51x4) {
    // SAFETY: as in `mul`.
    unsafe { r51x4_square_n((&raw mut *out).cast(), (&raw const *a).cast(), 1, &TABLE) }
}

/// `a = a^(2^n)`, carried.
#[inline(always)]
pub(super) fn square_n(a: &mut R51x4, n: usize) {
    if n > 0 {
        let a: *mut Words = (&raw mut *a).cast();
        // SAFETY: as in `mul`; the routine has read `a` before it writes.
        unsafe { r51x4_square_n(a, a, n, &TABLE) }
    }
}

/// `a·b` or `a²` written over `a` or over `b`, which references can't express.
#[cfg(test)]
pub(super) fn in_place(a: &mut R51x4, b: &mut R51x4, square: bool, to_second: bool) {
    let (a, b): (*mut Words, *mut Words) = ((&raw mut *a).cast(), (&raw mut *b).cast());
    let out = if to_second { b } else { a };
    // SAFETY: as in `mul`; the routines allow `out` to be an input.
    unsafe { if square { r51x4_square_n(out, a, 1, &TABLE) } else { r51x4_mul_carry(out, a, b, &TABLE) } }
}
