//! Requests to Valgrind's memcheck, for tests that mark secrets as undefined.
//!
//! A request is a sequence of rotations that does nothing on a CPU (valgrind.h of Valgrind 3, "client requests"); outside
//! Valgrind each request gives its default, 0.

const RUNNING_ON_VALGRIND: u64 = 0x1001;
const COUNT_ERRORS: u64 = 0x1201;
/// 'M', 'C': requests of memcheck.
const MAKE_UNDEFINED: u64 = 0x4d43_0001;
const MAKE_DEFINED: u64 = 0x4d43_0002;

fn request(code: u64, address: u64, length: u64) -> u64 {
    let arguments = [code, address, length, 0, 0, 0];
    let mut result = 0u64;
    // SAFETY: four rotations by 128 bits together and an exchange of a register with itself; Valgrind reads the
    // arguments and changes rdx alone. Memory counts as written, so that the compiler forgets what it knew of values.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") &raw const arguments,
            inout("rdx") result,
            inout("rdi") 0u64 => _,
            options(nostack),
        );
    }
    result
}

/// Whether this program runs under Valgrind.
pub(crate) fn is_running() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// How often memcheck has complained.
pub(crate) fn errors() -> u64 {
    request(COUNT_ERRORS, 0, 0)
}

/// The value, of which memcheck knows nothing from now on: a branch or an address made from it is an error.
pub(crate) fn secret<T: Copy>(mut x: T) -> T {
    request(MAKE_UNDEFINED, (&raw mut x) as u64, size_of::<T>() as u64);
    x
}

/// Lets the values be looked at again.
pub(crate) fn publish<T>(x: &[T]) {
    request(MAKE_DEFINED, x.as_ptr() as u64, size_of_val(x) as u64);
}
