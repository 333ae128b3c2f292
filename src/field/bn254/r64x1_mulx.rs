//! Arithmetic of one lane in assembly, for CPUs with MULX (BMI2).
//!
//! A lone permutation is one chain of dependent squarings and products, so latency counts. Two things shorten it
//! against the textbook reduction, which finds four multipliers one after the other, each by a multiplication:
//! * The two lowest words are removed *without* finding a multiplier: word `t` stands for `t·2^64·(2^-64 mod p)`, so
//!   it is multiplied by the constant 2^-64 mod p and added one word further up.
//! * The other two are removed together by one multiplier of 128 bits.
//!
//! The compiler's code for the same formulas mixes carry chains, saves carries to memory, and with AVX2 enabled moves
//! them into vector registers: 11 to 35 ns a product where this takes 10 to 13 (and ark-ff 0.6 takes 16). With
//! ADCX/ADOX there would be fewer temporaries, but the chain is bound by the multiplications.
//!
//! # Bounds
//! Any factors with `a·b < 2^512 - 2^510`, so for instance both below 2p. The first step leaves less than
//! `a·b/2^128 + 2^192·p`, the second makes that less than `a·b/2^256 + 2^-64·p + p`. For factors below 2p: 1.76·p.

use core::arch::asm;

use super::constants::{NEG_INVERSE, P, PER_64, TWO_P};
use super::r64x1::Arithmetic;
use crate::cpu::Bmi2;

/// What the reduction reads, at the offsets its text names.
#[repr(C)]
struct Table {
    per_64: [u64; 4],
    p: [u64; 4],
    neg_inverse: [u64; 2],
    two_p: [u64; 4],
}

static TABLE: Table = Table { per_64: PER_64, p: P, neg_inverse: NEG_INVERSE, two_p: TWO_P };

/// Adds rdx times the four words of the table at `$at` to five words, and the carry to those above. `$h1`, `$h2`
/// and the operands `x` and `y` are overwritten, as is rdx.
macro_rules! add_multiple {
    ($at:literal, $h1:literal, $h2:literal; $t0:literal $t1:literal $t2:literal $t3:literal $t4:literal $($above:literal)*) => {
        concat!(
            "mulx {y}, {x}, qword ptr [{table} + ", $at, "]\n",
            "add ", $t0, ", {x}\n",
            "mulx ", $h1, ", {x}, qword ptr [{table} + ", $at, " + 8]\n",
            "adc ", $t1, ", {x}\n",
            "mulx ", $h2, ", {x}, qword ptr [{table} + ", $at, " + 16]\n",
            "adc ", $t2, ", {x}\n",
            "mulx rdx, {x}, qword ptr [{table} + ", $at, " + 24]\n",
            "adc ", $t3, ", {x}\n",
            "adc ", $t4, ", rdx\n",
            $("adc ", $above, ", 0\n",)*
            "add ", $t1, ", {y}\n",
            "adc ", $t2, ", ", $h1, "\n",
            "adc ", $t3, ", ", $h2, "\n",
            "adc ", $t4, ", 0\n",
            $("adc ", $above, ", 0\n",)*
        )
    };
}

/// The eight words t0 to t7 divided by 2^256 mod p, to t4 to t7. `$h1` and `$h2` are free registers.
macro_rules! reduce {
    ($h1:literal, $h2:literal) => {
        concat!(
            "mov rdx, {t0}\n",
            add_multiple!("0", $h1, $h2; "{t1}" "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}"),
            "mov rdx, {t1}\n",
            add_multiple!("0", $h1, $h2; "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}"),
            // The multiplier (t2, t3)·(-1/p) mod 2^128, to rdx and t1.
            "mov rdx, {t2}\n",
            "mov {t1}, qword ptr [{table} + 72]\n",
            "imul {t1}, {t2}\n",
            "mov {y}, qword ptr [{table} + 64]\n",
            "mulx {x}, rdx, {y}\n",
            "imul {y}, {t3}\n",
            "add {t1}, {x}\n",
            "add {t1}, {y}\n",
            add_multiple!("32", $h1, $h2; "{t2}" "{t3}" "{t4}" "{t5}" "{t6}" "{t7}"),
            "mov rdx, {t1}\n",
            add_multiple!("32", $h1, $h2; "{t3}" "{t4}" "{t5}" "{t6}" "{t7}"),
        )
    };
}

/// Adds rdx times the four words of `a` to `$t0` to `$t3` and sets `$top` to the rest. `$h0` to `$h2` and rdx are
/// overwritten; `$h2` may be `$top`.
macro_rules! add_row {
    ($t0:literal $t1:literal $t2:literal $t3:literal $top:literal; $h0:literal $h1:literal $h2:literal) => {
        concat!(
            "mulx ",
            $h0,
            ", {x}, qword ptr [{a}]\n",
            "add ",
            $t0,
            ", {x}\n",
            "mulx ",
            $h1,
            ", {x}, qword ptr [{a} + 8]\n",
            "adc ",
            $t1,
            ", {x}\n",
            "mulx ",
            $h2,
            ", {x}, qword ptr [{a} + 16]\n",
            "adc ",
            $t2,
            ", {x}\n",
            "mulx rdx, {x}, qword ptr [{a} + 24]\n",
            "adc ",
            $t3,
            ", {x}\n",
            "adc rdx, 0\n",
            "add ",
            $t1,
            ", ",
            $h0,
            "\n",
            "adc ",
            $t2,
            ", ",
            $h1,
            "\n",
            "adc ",
            $t3,
            ", ",
            $h2,
            "\n",
            "mov ",
            $top,
            ", rdx\n",
            "adc ",
            $top,
            ", 0\n",
        )
    };
}

/// The assembly text of a product, with its inputs and the registers that only it uses: the words t4 to t7.
macro_rules! product {
    ($text:expr, $($operands:tt)*) => {{
        let (t4, t5, t6, t7);
        asm!(
            $text,
            $($operands)*
            table = in(reg) &TABLE,
            x = out(reg) _,
            t1 = out(reg) _,
            t2 = out(reg) _,
            t3 = out(reg) _,
            t4 = out(reg) t4,
            t5 = out(reg) t5,
            t6 = out(reg) t6,
            t7 = out(reg) t7,
            out("rdx") _,
            options(pure, readonly, nostack),
        );
        [t4, t5, t6, t7]
    }};
}

impl Arithmetic for Bmi2 {
    /// 16 + 8 + 3 + 8 multiplications.
    #[inline(always)]
    fn mul(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        // SAFETY: `self` proves BMI2. The text reads `a`, `b` and the table, each valid for the whole call, writes
        // no memory and only the registers named here, and leaves the stack alone.
        unsafe {
            product!(
                concat!(
                    "mov rdx, qword ptr [{b}]\n",
                    "mulx {t1}, {t0}, qword ptr [{a}]\n",
                    "mulx {t2}, {x}, qword ptr [{a} + 8]\n",
                    "mulx {t3}, {y}, qword ptr [{a} + 16]\n",
                    "mulx {t4}, {t5}, qword ptr [{a} + 24]\n",
                    "add {t1}, {x}\n",
                    "adc {t2}, {y}\n",
                    "adc {t3}, {t5}\n",
                    "adc {t4}, 0\n",
                    "mov rdx, qword ptr [{b} + 8]\n",
                    add_row!("{t1}" "{t2}" "{t3}" "{t4}" "{t5}"; "{y}" "{t7}" "{t6}"),
                    "mov rdx, qword ptr [{b} + 16]\n",
                    add_row!("{t2}" "{t3}" "{t4}" "{t5}" "{t6}"; "{y}" "{t7}" "{t6}"),
                    "mov rdx, qword ptr [{b} + 24]\n",
                    add_row!("{t3}" "{t4}" "{t5}" "{t6}" "{t7}"; "{y}" "{b}" "{t7}"),
                    reduce!("{a}", "{b}"),
                ),
                a = inout(reg) a => _,
                b = inout(reg) b => _,
                y = out(reg) _,
                t0 = out(reg) _,
            )
        }
    }

    /// 10 + 8 + 3 + 8 multiplications.
    #[inline(always)]
    fn square(self, a: &[u64; 4]) -> [u64; 4] {
        // SAFETY: as above. The words of `a` come in the registers t0, y, z and w, which then serve as temporaries.
        unsafe {
            product!(
                concat!(
                    // Products of different words: a0·(a1, a2, a3), then a1·(a2, a3) and a2·a3 on top.
                    "mov rdx, {t0}\n",
                    "mulx {t2}, {t1}, {y}\n",
                    "mulx {t3}, {x}, {z}\n",
                    "mulx {t4}, {t7}, {w}\n",
                    "add {t2}, {x}\n",
                    "adc {t3}, {t7}\n",
                    "adc {t4}, 0\n",
                    "mov rdx, {y}\n",
                    "mulx {x}, {t7}, {z}\n",
                    "mulx {t5}, {t6}, {w}\n",
                    "add {x}, {t6}\n",
                    "adc {t5}, 0\n",
                    "mov rdx, {z}\n",
                    "mulx {t6}, {z}, {w}\n",
                    "add {t3}, {t7}\n",
                    "adc {t4}, {x}\n",
                    "adc {t5}, {z}\n",
                    "adc {t6}, 0\n",
                    "mov {z}, rdx\n",
                    // Twice those.
                    "mov rdx, {t0}\n",
                    "mulx {x}, {t0}, rdx\n",
                    "xor {t7:e}, {t7:e}\n",
                    "add {t1}, {t1}\n",
                    "adc {t2}, {t2}\n",
                    "adc {t3}, {t3}\n",
                    "adc {t4}, {t4}\n",
                    "adc {t5}, {t5}\n",
                    "adc {t6}, {t6}\n",
                    "adc {t7}, {t7}\n",
                    // And the squares.
                    "add {t1}, {x}\n",
                    "mov rdx, {y}\n",
                    "mulx {y}, {x}, rdx\n",
                    "adc {t2}, {x}\n",
                    "adc {t3}, {y}\n",
                    "mov rdx, {z}\n",
                    "mulx {y}, {x}, rdx\n",
                    "adc {t4}, {x}\n",
                    "adc {t5}, {y}\n",
                    "mov rdx, {w}\n",
                    "mulx {y}, {x}, rdx\n",
                    "adc {t6}, {x}\n",
                    "adc {t7}, {y}\n",
                    reduce!("{z}", "{w}"),
                ),
                t0 = inout(reg) a[0] => _,
                y = inout(reg) a[1] => _,
                z = inout(reg) a[2] => _,
                w = inout(reg) a[3] => _,
            )
        }
    }

    /// A sum, and a subtraction that is taken if it leaves nothing below zero.
    #[inline(always)]
    fn add(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let [mut x0, mut x1, mut x2, mut x3] = *a;
        // SAFETY: baseline instructions. The text reads the table, writes no memory and only the registers named
        // here, and leaves the stack alone.
        unsafe {
            asm!(
                "add {x0}, {y0}",
                "adc {x1}, {y1}",
                "adc {x2}, {y2}",
                "adc {x3}, {y3}",
                "mov {y0}, {x0}",
                "mov {y1}, {x1}",
                "mov {y2}, {x2}",
                "mov {y3}, {x3}",
                "sub {y0}, qword ptr [{table} + 80]",
                "sbb {y1}, qword ptr [{table} + 88]",
                "sbb {y2}, qword ptr [{table} + 96]",
                "sbb {y3}, qword ptr [{table} + 104]",
                "cmovnc {x0}, {y0}",
                "cmovnc {x1}, {y1}",
                "cmovnc {x2}, {y2}",
                "cmovnc {x3}, {y3}",
                table = in(reg) &TABLE,
                x0 = inout(reg) x0,
                x1 = inout(reg) x1,
                x2 = inout(reg) x2,
                x3 = inout(reg) x3,
                y0 = inout(reg) b[0] => _,
                y1 = inout(reg) b[1] => _,
                y2 = inout(reg) b[2] => _,
                y3 = inout(reg) b[3] => _,
                options(pure, readonly, nostack),
            );
        }
        [x0, x1, x2, x3]
    }
}
