//! Where provers stop keeping a value secret: an encoding that is sent, the answer whether a witness fits. To a program this is
//! nothing; the test that runs provers with their secrets marked as undefined learns from it what may be looked at.

/// The value, public from here on.
#[inline(always)]
pub(crate) fn disclosed<T: Copy>(x: T) -> T {
    disclose(core::slice::from_ref(&x));
    x
}

/// Makes these values public from here on.
#[inline(always)]
pub(crate) fn disclose<T>(values: &[T]) {
    #[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
    crate::test_util::publish(values);
    #[cfg(not(all(test, target_arch = "x86_64", target_os = "linux")))]
    let _ = values;
}
