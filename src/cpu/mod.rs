//! Which instruction sets this machine has, and the only doors into code compiled for them.
//!
//! * An `Isa` is a zero-sized *token*. Holding one proves that the CPU (and the operating system, which must
//!   save the registers) supports the instruction set, so its `frame` may run code compiled for it.
//! * A [`BackendId`] names a backend. [`BackendId::current`] is the override if one is set, else the best available.
//!
//! Overrides: [`force`] (a program compiled with `--cfg curve25519_lanes_backend="portable"` starts with that backend
//! forced, where this machine has it; with `"environment"` it takes the one that `LANES_BACKEND` names, so that other
//! people's test suites can be run on each) and [`disable`]. With the feature `dalek-cfg`, `--cfg curve25519_dalek_backend`
//! has a say as well: `serial` and `fiat` mean `portable`, `simd` takes `ifma` away, `avx512` changes nothing.
//! A table of static points stays on the backend it was built for.
//! The library never reads the environment by itself; [`init_from_env`] does so for programs that
//! want it. Whatever is chosen, results are the same.

pub(crate) mod lanes64;

#[cfg(have_avx2)]
pub(crate) mod fpenv;

use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// Zero-sized proof that an instruction set may be used, and the door into code compiled for it.
///
/// Code reaches the instruction set only when it is *inlined* into `frame`, so everything generic between the
/// frame and the intrinsics is `#[inline(always)]`. `tests/codegen.rs` looks for the residue of a forgotten one.
pub(crate) trait Isa: Copy {
    /// The backend this token belongs to.
    #[cfg(test)]
    const ID: BackendId;
    /// The token, if this build and this machine have the instruction set.
    #[allow(dead_code)] // The portable backend needs no detection.
    fn detect() -> Option<Self>;
    /// Runs `f` inside a function that has the instruction set enabled.
    fn frame<R>(self, f: impl FnOnce() -> R) -> R;
    /// For code already inside a frame: runs `f` as a function of its own with the instruction set enabled, so that
    /// large pieces exist once. Costs a call and a jump. There is one copy for each type of closure: share it by
    /// a named function around the call.
    fn outline<R>(self, f: impl FnOnce() -> R) -> R;
}

/// Defines a token. `$features` are enabled in the frame, `$probe` must have seen every one of them.
/// `$around` is what the frame runs in, `$leave` what it ends with.
#[allow(unused_macros)] // A build may have the portable backend alone.
macro_rules! token {
    ($(#[$doc:meta])* $token:ident, $features:literal, $probe:expr, $around:path, $leave:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $token(());

        impl $token {
            /// The token again, for code that holds a value only a token could have made.
            ///
            /// # Safety
            /// The CPU must have the instruction set; the existence of any lane value of this backend shows it.
            #[allow(dead_code)]
            #[inline(always)]
            pub(crate) unsafe fn assume() -> Self {
                $token(())
            }
        }

        impl Isa for $token {
            #[cfg(test)]
            const ID: BackendId = BackendId::$token;
            #[inline]
            fn detect() -> Option<Self> {
                $probe.then_some($token(()))
            }
            #[inline(always)]
            fn frame<R>(self, f: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $features)]
                fn inside<R>(f: impl FnOnce() -> R) -> R {
                    let out = f();
                    $leave;
                    out
                }
                $around(
                    #[inline(always)]
                    move || {
                        // SAFETY: a token exists, so `detect` saw every feature named here.
                        unsafe { inside(f) }
                    },
                )
            }
            // `never` holds since this function itself has no features enabled.
            #[inline(never)]
            fn outline<R>(self, f: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $features)]
                fn inside<R>(f: impl FnOnce() -> R) -> R {
                    f()
                }
                // SAFETY: as in `frame`.
                unsafe { inside(f) }
            }
        }
    };
}

/// The backend that needs nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable(());

impl Portable {
    /// The token; no instruction set is needed.
    pub(crate) const TOKEN: Portable = Portable(());
}

impl Isa for Portable {
    #[cfg(test)]
    const ID: BackendId = BackendId::Portable;
    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Portable(()))
    }
    #[inline(always)]
    fn frame<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
    #[inline(never)]
    fn outline<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// Nothing around the frame.
#[cfg(any(have_ifma, have_amd64_51, have_amd64_64))]
#[inline(always)]
fn directly<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(have_amd64_51)]
token!(
    /// Assembly for any x86-64.
    Amd64_51,
    "sse2",
    true,
    directly,
    {}
);

#[cfg(have_amd64_64)]
cpufeatures::new!(probe_amd64_64, "bmi2", "adx");
/// For the test under Valgrind, which executes the instructions of ADX but hides them from CPUID.
#[cfg(test)]
pub(crate) const ASSUME_ADX: &str = "LANES_TEST_ASSUME_ADX";

/// In test builds alone, whether ADX is there though CPUID denies it.
#[cfg(have_amd64_64)]
fn assumed() -> bool {
    #[cfg(test)]
    return std::env::var_os(ASSUME_ADX).is_some();
    #[cfg(not(test))]
    false
}
#[cfg(have_amd64_64)]
token!(
    /// Assembly with mulx and two carry chains.
    Amd64_64,
    "bmi2,adx",
    probe_amd64_64::get() || assumed(),
    directly,
    {}
);

#[cfg(have_avx2)]
cpufeatures::new!(probe_avx2, "avx2", "fma", "bmi2");
#[cfg(have_avx2)]
token!(
    /// AVX2 with fused multiply-add. The frame makes sure of the floating-point environment, and clears the upper
    /// halves of the registers, which assembly leaves dirty: legacy SSE code in the caller would pay dearly for them.
    Avx2,
    "avx2,fma,bmi2",
    probe_avx2::get(),
    fpenv::exact,
    core::arch::x86_64::_mm256_zeroupper()
);

#[cfg(have_ifma)]
cpufeatures::new!(probe_ifma, "avx512f", "avx512dq", "avx512vl", "avx512bw", "avx512ifma", "bmi2");
#[cfg(have_ifma)]
token!(
    /// AVX-512 with 52-bit integer fused multiply-add.
    Ifma,
    "avx512f,avx512dq,avx512vl,avx512bw,avx512ifma,bmi2",
    probe_ifma::get(),
    directly,
    core::arch::x86_64::_mm256_zeroupper()
);

/// Proof of BMI2 alone, which every vector backend needs: what scalar assembly asks for. It has no frame, because
/// assembly needs none.
#[cfg(any(have_avx2, have_ifma))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bmi2(());

#[cfg(have_avx2)]
impl From<Avx2> for Bmi2 {
    fn from(_: Avx2) -> Bmi2 {
        Bmi2(())
    }
}

#[cfg(have_ifma)]
impl From<Ifma> for Bmi2 {
    fn from(_: Ifma) -> Bmi2 {
        Bmi2(())
    }
}

/// An implementation of the field and point arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum BackendId {
    /// One lane on fiat-crypto's verified field. Always there.
    Portable = 1,
    /// One lane in assembly, radix 2^51 (any x86-64; the build needs a C compiler).
    Amd64_51 = 2,
    /// One lane in assembly, four 64-bit words (needs BMI2 and ADX; the build needs a C compiler).
    Amd64_64 = 3,
    /// Four lanes of double-precision FMA (needs AVX2, FMA, BMI2).
    Avx2 = 4,
    /// Eight lanes of 52-bit integer FMA (needs AVX-512 F, DQ, VL, BW, IFMA, and BMI2).
    Ifma = 5,
}

impl BackendId {
    /// Every backend this version of the crate knows, from the least to the most preferred.
    pub const ALL: &'static [BackendId] =
        &[BackendId::Portable, BackendId::Amd64_51, BackendId::Amd64_64, BackendId::Avx2, BackendId::Ifma];

    /// The name used on the command line, in the environment and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            BackendId::Portable => "portable",
            BackendId::Amd64_51 => "amd64-51",
            BackendId::Amd64_64 => "amd64-64",
            BackendId::Avx2 => "avx2",
            BackendId::Ifma => "ifma",
        }
    }

    /// The CPU features the backend needs, as `/proc/cpuinfo` and vendors spell them.
    pub const fn needs(self) -> &'static [&'static str] {
        match self {
            BackendId::Portable | BackendId::Amd64_51 => &[],
            BackendId::Amd64_64 => &["bmi2", "adx"],
            BackendId::Avx2 => &["avx2", "fma", "bmi2"],
            BackendId::Ifma => &["avx512f", "avx512dq", "avx512vl", "avx512bw", "avx512ifma", "bmi2"],
        }
    }

    /// Whether this build contains the backend.
    pub const fn is_compiled(self) -> bool {
        match self {
            BackendId::Portable => true,
            BackendId::Amd64_51 => cfg!(have_amd64_51),
            BackendId::Amd64_64 => cfg!(have_amd64_64),
            BackendId::Avx2 => cfg!(have_avx2),
            BackendId::Ifma => cfg!(have_ifma),
        }
    }

    /// Whether this build contains the backend and this machine can run it.
    pub fn is_detected(self) -> bool {
        match self {
            BackendId::Portable => true,
            #[cfg(have_amd64_51)]
            BackendId::Amd64_51 => Amd64_51::detect().is_some(),
            #[cfg(have_amd64_64)]
            BackendId::Amd64_64 => Amd64_64::detect().is_some(),
            #[cfg(have_avx2)]
            BackendId::Avx2 => Avx2::detect().is_some(),
            #[cfg(have_ifma)]
            BackendId::Ifma => Ifma::detect().is_some(),
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }

    /// Whether the backend may be used now: detected and not [`disable`]d.
    pub fn is_available(self) -> bool {
        self.is_detected() && DISABLED.load(Relaxed) & self.bit() == 0
    }

    /// The backends that may be used now, from the least to the most preferred. Never empty.
    pub fn available() -> impl Iterator<Item = BackendId> {
        BackendId::ALL.iter().copied().filter(|id| id.is_available())
    }

    /// The backend that wide work (an MSM, a batch) runs on: the forced one, else the best available.
    ///
    /// ```
    /// use curve25519_lanes::cpu::BackendId;
    /// assert!(BackendId::current().is_available());
    /// ```
    pub fn current() -> BackendId {
        match BackendId::forced() {
            Some(id) => id,
            None => BackendId::available().last().unwrap_or(BackendId::Portable),
        }
    }

    /// The backend that wide work on secrets runs on: [`current`](BackendId::current), or the best one without floating
    /// point after [`keep_secrets_off_floating_point`]. What is forced stays forced.
    pub fn for_secrets() -> BackendId {
        let id = BackendId::current();
        if id == BackendId::Avx2 && BackendId::forced().is_none() && SECRETS_OFF_FLOATING_POINT.load(Relaxed) {
            return BackendId::available().filter(|id| *id != BackendId::Avx2).last().unwrap_or(BackendId::Portable);
        }
        id
    }

    /// The backend that a single operation (one encoding, one multiple of the base point) runs on: the forced one, else
    /// the best of one lane. Lanes do not help there.
    pub fn for_single() -> BackendId {
        let one_lane = [BackendId::Amd64_64, BackendId::Amd64_51];
        BackendId::forced().or_else(|| one_lane.into_iter().find(|id| id.is_available())).unwrap_or(BackendId::Portable)
    }

    /// The backend that one long chain of point operations on one point (a scalar times a point, X25519) runs on: the
    /// forced one, else `ifma` with the point's coordinates side by side in its lanes, else as [`for_single`].
    ///
    /// [`for_single`]: BackendId::for_single
    pub fn for_single_product() -> BackendId {
        match BackendId::forced() {
            None if BackendId::Ifma.is_available() => BackendId::Ifma,
            _ => BackendId::for_single(),
        }
    }

    /// The backend set by [`force`] or at compile time, if any.
    pub fn forced() -> Option<BackendId> {
        let forced = FORCED.load(Relaxed);
        #[cfg(curve25519_lanes_backend = "environment")]
        if forced == 0 {
            return BackendId::from_environment();
        }
        // `force` has looked already; what was fixed at compile time may need features this machine lacks.
        BackendId::ALL.iter().copied().find(|id| *id as u8 == forced && id.is_detected())
    }

    /// The backend that `LANES_BACKEND` names, looked up once.
    ///
    /// # Panics
    /// If it can't run here: a test suite that ran on another backend would have shown nothing.
    #[cfg(curve25519_lanes_backend = "environment")]
    fn from_environment() -> Option<BackendId> {
        extern crate std;
        static NAMED: std::sync::OnceLock<Option<BackendId>> = std::sync::OnceLock::new();
        *NAMED.get_or_init(|| {
            let name = std::env::var("LANES_BACKEND").ok().filter(|name| !name.is_empty())?;
            Some(BackendId::from_name(&name).unwrap_or_else(|error| panic!("{error}")))
        })
    }

    /// The backend of that name.
    ///
    /// # Errors
    /// [`BackendError`] if there is none, or if it can't run here; the error names those that can.
    pub fn from_name(name: &str) -> Result<BackendId, BackendError> {
        BackendId::known(name)?.require()
    }

    /// The backend of that name, whether it can run or not.
    fn known(name: &str) -> Result<BackendId, BackendError> {
        BackendId::ALL.iter().copied().find(|id| id.name() == name).ok_or(Reason::Unknown.into())
    }

    fn require(self) -> Result<BackendId, BackendError> {
        if self.is_available() { Ok(self) } else { Err(Reason::Unavailable(self).into()) }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    const fn compile_time() -> u8 {
        if cfg!(curve25519_lanes_backend = "portable") {
            BackendId::Portable as u8
        } else if cfg!(all(curve25519_lanes_backend = "amd64-51", have_amd64_51)) {
            BackendId::Amd64_51 as u8
        } else if cfg!(all(curve25519_lanes_backend = "amd64-64", have_amd64_64)) {
            BackendId::Amd64_64 as u8
        } else if cfg!(all(curve25519_lanes_backend = "avx2", have_avx2)) {
            BackendId::Avx2 as u8
        } else if cfg!(all(curve25519_lanes_backend = "ifma", have_ifma)) {
            BackendId::Ifma as u8
        } else if cfg!(all(
            feature = "dalek-cfg",
            any(curve25519_dalek_backend = "serial", curve25519_dalek_backend = "fiat")
        )) {
            BackendId::Portable as u8
        } else {
            0
        }
    }
}

impl fmt::Display for BackendId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Number of the forced backend, 0 for none; at first the one fixed at compile time.
static FORCED: AtomicU8 = AtomicU8::new(BackendId::compile_time());
/// Set by [`keep_secrets_off_floating_point`].
static SECRETS_OFF_FLOATING_POINT: AtomicBool = AtomicBool::new(false);

/// Sends secret scalars to integer arithmetic where the choice would be `avx2`, at 1.5 to 4 times the cost.
///
/// `avx2` multiplies in double precision. No operand is a denormal, an infinity or a NaN, which are what made
/// floating-point timing vary wherever that was shown; but vendors' promises of data-independent timing speak of
/// integer instructions, and whether they cover these could not be found out. Verification has no secrets and is
/// never affected; neither is a backend that was forced.
pub fn keep_secrets_off_floating_point(yes: bool) {
    SECRETS_OFF_FLOATING_POINT.store(yes, Relaxed);
}

/// Bit `id as u8` set: taken away. curve25519-dalek's cfg value `simd` means AVX2; single operations are better off in
/// one lane all the same, so it takes the wider backend away and forces none.
static DISABLED: AtomicU8 = AtomicU8::new(if cfg!(all(feature = "dalek-cfg", curve25519_dalek_backend = "simd")) {
    BackendId::Ifma.bit()
} else {
    0
});

/// Uses this backend for everything from now on, or the best one again (`None`). For tests and benches: results
/// do not change, so calls running meanwhile on other threads finish on whichever backend they started with.
///
/// # Errors
/// [`BackendError`] if it can't run here.
pub fn force(id: Option<BackendId>) -> Result<(), BackendError> {
    let number = match id {
        None => BackendId::compile_time(),
        Some(id) => id.require()? as u8,
    };
    FORCED.store(number, Relaxed);
    Ok(())
}

/// Takes exactly these backends away (an empty list gives all back). `portable` always stays.
///
/// # Errors
/// [`BackendError`] if a listed one is forced at the moment, or is `portable`.
pub fn disable(ids: &[BackendId]) -> Result<(), BackendError> {
    let mut bits = 0;
    for &id in ids {
        if id == BackendId::Portable || BackendId::forced() == Some(id) {
            return Err(Reason::InUse(id).into());
        }
        bits |= id.bit();
    }
    DISABLED.store(bits, Relaxed);
    Ok(())
}

/// Applies `LANES_DISABLE=a,b` and then `LANES_BACKEND=name`. Unset or empty variables change nothing.
///
/// # Errors
/// [`BackendError`], naming the variable, if a name is unknown, or the named backend can't run here.
#[cfg(feature = "std")]
pub fn init_from_env() -> Result<(), BackendError> {
    from_env("LANES_DISABLE", |names| {
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        disable(&names.map(BackendId::known).collect::<Result<alloc::vec::Vec<_>, _>>()?)
    })?;
    from_env("LANES_BACKEND", |name| force(Some(BackendId::from_name(name.trim())?)))
}

/// Hands the value of an environment variable to `apply`, unless it is unset or blank.
#[cfg(feature = "std")]
fn from_env(variable: &'static str, apply: impl FnOnce(&str) -> Result<(), BackendError>) -> Result<(), BackendError> {
    let result = match std::env::var(variable) {
        Ok(value) if value.trim().is_empty() => Ok(()),
        Ok(value) => apply(&value),
        Err(std::env::VarError::NotPresent) => Ok(()),
        // What isn't Unicode is no backend's name.
        Err(std::env::VarError::NotUnicode(_)) => Err(Reason::Unknown.into()),
    };
    result.map_err(|error| BackendError { variable: Some(variable), ..error })
}

/// A backend was asked for that is not to be had. Displays the ones that are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackendError {
    /// The environment variable that asked.
    variable: Option<&'static str>,
    reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    Unknown,
    Unavailable(BackendId),
    InUse(BackendId),
}

impl From<Reason> for BackendError {
    fn from(reason: Reason) -> BackendError {
        BackendError { variable: None, reason }
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(variable) = self.variable {
            write!(f, "{variable}: ")?;
        }
        match self.reason {
            Reason::Unknown => f.write_str("no backend of that name")?,
            Reason::Unavailable(id) if !id.is_compiled() => write!(f, "backend {id} is not in this build")?,
            Reason::Unavailable(id) if !id.is_detected() => write!(f, "this CPU can't run backend {id}")?,
            Reason::Unavailable(id) => write!(f, "backend {id} is disabled")?,
            Reason::InUse(id) => write!(f, "backend {id} can't be taken away")?,
        }
        f.write_str("; available:")?;
        for id in BackendId::available() {
            write!(f, " {id}")?;
        }
        Ok(())
    }
}

impl core::error::Error for BackendError {}
