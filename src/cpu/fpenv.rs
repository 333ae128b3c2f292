//! The floating-point environment that exact double-precision arithmetic needs.
//!
//! Rust code may assume round to nearest and masked exceptions, but a C caller may have set something else. The
//! avx2 backend would then compute wrong products (other rounding) or be killed (a trap on an inexact result), so
//! its frame looks once and, where it must, works in the default environment and puts the caller's back.
//!
//! Flush-to-zero and denormals-are-zero may stay: no denormal arises. Nor does a trap for anything but inexact.

use core::arch::asm;

/// Two bits, 0 for round to nearest.
const ROUNDING: u32 = 0x6000;
/// Set: an inexact result raises no trap.
const PRECISION_MASKED: u32 = 0x1000;
/// What every thread starts with: nearest, all exceptions masked, no flush-to-zero.
const DEFAULT: u32 = 0x1f80;

#[inline(always)]
fn read() -> u32 {
    let mut mxcsr = 0u32;
    // SAFETY: stores four bytes; SSE2 is part of every target that this module is compiled for.
    unsafe { asm!("stmxcsr [{}]", in(reg) &mut mxcsr, options(nostack, preserves_flags)) };
    mxcsr
}

/// # Safety
/// Code compiled by Rust that runs while this is not the default must do no floating-point arithmetic.
#[inline(always)]
unsafe fn write(mxcsr: u32) {
    // SAFETY: loads four bytes, without reserved bits, for they were read or are the default.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &mxcsr, options(nostack, preserves_flags, readonly)) };
}

/// Puts the caller's environment back, also when the work panics.
struct Restore(u32);

impl Drop for Restore {
    fn drop(&mut self) {
        // SAFETY: the caller's own setting, on the way back to the caller.
        unsafe { write(self.0) };
    }
}

/// Runs `work` in round to nearest with the precision exception masked.
///
/// The compiler doesn't order floating-point operations against the switch, and could move them across. So all of
/// them are inside a call that is never inlined here and, where the switch is made, not even known to the compiler.
#[inline(always)]
pub(super) fn exact<R, F: FnOnce() -> R>(work: F) -> R {
    let caller = read();
    if caller & (ROUNDING | PRECISION_MASKED) == PRECISION_MASKED { outlined(work) } else { switched(caller, work) }
}

#[inline(never)]
fn outlined<R, F: FnOnce() -> R>(work: F) -> R {
    work()
}

#[cold]
#[inline(never)]
fn switched<R, F: FnOnce() -> R>(caller: u32, work: F) -> R {
    let call: fn(F) -> R = core::hint::black_box(outlined::<R, F>);
    let _restore = Restore(caller);
    // SAFETY: the default.
    unsafe { write(DEFAULT) };
    call(work)
}

/// Runs `work` with the given environment, which it gets back with what it left. Everything is restored.
#[cfg(test)]
pub(crate) fn with_mxcsr<R>(mxcsr: u32, work: impl FnOnce() -> R) -> (R, u32) {
    let _restore = Restore(read());
    let call = core::hint::black_box(outlined);
    // SAFETY: tests hand over work that is integer code or goes through a frame.
    unsafe { write(mxcsr) };
    let out = call(work);
    (out, read())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nearest, down, up, to zero; the precision trap on; FTZ and DAZ; and mixtures.
    const NEEDS_SWITCH: [u32; 6] = [0x3f80, 0x5f80, 0x7f80, 0x0f80, 0xefc0, 0x0000];
    const HARMLESS: [u32; 3] = [0x1f80, 0x9fc0, 0x1fbf];

    #[test]
    fn environment_is_fit_inside_and_unchanged_outside() {
        for mxcsr in NEEDS_SWITCH {
            let (inside, after) = with_mxcsr(mxcsr, || exact(read));
            assert_eq!((inside, after), (DEFAULT, mxcsr));
        }
        for mxcsr in HARMLESS {
            let (inside, after) = with_mxcsr(mxcsr, || exact(read));
            assert_eq!((inside, after), (mxcsr, mxcsr));
        }
    }

    #[cfg(feature = "std")]
    #[test]
    fn environment_is_restored_after_a_panic() {
        let work =
            || std::panic::catch_unwind(|| exact(|| -> () { std::panic::resume_unwind(std::boxed::Box::new(1)) }));
        let (caught, after) = with_mxcsr(0x7f80, work);
        assert!(caught.is_err());
        assert_eq!(after, 0x7f80);
    }
}
