//! What both assembly backends have in common: the declarations of their routines, the safe functions around them, and
//! the items of the lanes that are calls of those.
//!
//! The routines stand in `asm/<backend>`, one a file, under a banner with their bounds. `tests/asm_banner.rs` compares
//! the banners with the declarations here. Nothing else calls the routines.

/// Module `ffi`: the routines whose symbols start with `$backend`, on arrays of `$words` words.
macro_rules! routines {
    ($backend:literal, $token:ident, $words:literal) => {
        /// The routines of this backend, for who holds its token.
        mod ffi {
            use crate::cpu::$token;

            type Words = [u64; $words];

            mod raw {
                unsafe extern "sysv64" {
                    #[link_name = concat!(env!("CURVE25519_LANES_SYMBOL_PREFIX"), $backend, "_mul")]
                    pub(super) fn mul(r: *mut u64, a: *const u64, b: *const u64);
                    #[link_name = concat!(env!("CURVE25519_LANES_SYMBOL_PREFIX"), $backend, "_square_n")]
                    pub(super) fn square_n(r: *mut u64, a: *const u64, n: u64);
                    #[link_name = concat!(env!("CURVE25519_LANES_SYMBOL_PREFIX"), $backend, "_double_n")]
                    pub(super) fn double_n(m: *mut u64, p: *mut u64, z: *mut u64, t: *mut u64, n: u64);
                    #[link_name = concat!(env!("CURVE25519_LANES_SYMBOL_PREFIX"), $backend, "_add_mixed")]
                    pub(super) fn add_mixed(
                        m: *mut u64,
                        p: *mut u64,
                        z: *mut u64,
                        t: *mut u64,
                        qm: *const u64,
                        qp: *const u64,
                        qt: *const u64,
                        negate: u64,
                    );
                    #[link_name = concat!(env!("CURVE25519_LANES_SYMBOL_PREFIX"), $backend, "_add_cached")]
                    pub(super) fn add_cached(
                        m: *mut u64,
                        p: *mut u64,
                        z: *mut u64,
                        t: *mut u64,
                        qm: *const u64,
                        qp: *const u64,
                        qz: *const u64,
                        qt: *const u64,
                        negate: u64,
                    );
                    #[link_name = concat!(env!("CURVE25519_LANES_SYMBOL_PREFIX"), $backend, "_ladder")]
                    pub(super) fn ladder(
                        x2: *mut u64,
                        z2: *mut u64,
                        x3: *mut u64,
                        z3: *mut u64,
                        x1: *const u64,
                        k: *const u64,
                        bits: u64,
                    ) -> u64;
                }
            }

            // The token of each function shows that the CPU has the instructions. The routines read and write as many
            // words behind each pointer as an array has (four behind `k`), write only behind `*mut`, and touch nothing
            // else; outputs are distinct since they come from `&mut`.

            #[inline(always)]
            pub(super) fn mul(_: $token, r: &mut Words, a: &Words, b: &Words) {
                // SAFETY: see above.
                unsafe { raw::mul(r.as_mut_ptr(), a.as_ptr(), b.as_ptr()) }
            }

            #[inline(always)]
            pub(super) fn square(_: $token, r: &mut Words, a: &Words) {
                // SAFETY: see above.
                unsafe { raw::square_n(r.as_mut_ptr(), a.as_ptr(), 1) }
            }

            /// `r = r^(2^n)`
            #[inline(always)]
            pub(super) fn square_n_assign(_: $token, r: &mut Words, n: u64) {
                if n > 0 {
                    let r = r.as_mut_ptr();
                    // SAFETY: see above; the routine reads all of its input before it writes.
                    unsafe { raw::square_n(r, r, n) }
                }
            }

            #[inline(always)]
            pub(super) fn double_n(_: $token, [m, p, z, t]: [&mut Words; 4], n: u64) {
                if n > 0 {
                    // SAFETY: see above.
                    unsafe { raw::double_n(m.as_mut_ptr(), p.as_mut_ptr(), z.as_mut_ptr(), t.as_mut_ptr(), n) }
                }
            }

            #[inline(always)]
            pub(super) fn add_mixed(_: $token, p: [&mut Words; 4], q: [&Words; 3], negate: u64) {
                let ([m, p, z, t], [qm, qp, qt]) = (p.map(|x| x.as_mut_ptr()), q.map(|x| x.as_ptr()));
                // SAFETY: see above.
                unsafe { raw::add_mixed(m, p, z, t, qm, qp, qt, negate) }
            }

            #[inline(always)]
            pub(super) fn add_cached(_: $token, p: [&mut Words; 4], q: [&Words; 4], negate: u64) {
                let ([m, p, z, t], [qm, qp, qz, qt]) = (p.map(|x| x.as_mut_ptr()), q.map(|x| x.as_ptr()));
                // SAFETY: see above.
                unsafe { raw::add_cached(m, p, z, t, qm, qp, qz, qt, negate) }
            }

            /// The lowest bit of `k`.
            #[inline(always)]
            pub(super) fn ladder(_: $token, l: [&mut Words; 4], x1: &Words, k: &[u64; 4], bits: u64) -> u64 {
                assert!((1..=256).contains(&bits), "a scalar has 1 to 256 bits");
                let [x2, z2, x3, z3] = l.map(|x| x.as_mut_ptr());
                // SAFETY: see above.
                unsafe { raw::ladder(x2, z2, x3, z3, x1.as_ptr(), k.as_ptr(), bits) }
            }

            #[cfg(test)]
            mod tests {
                use super::*;
                use crate::cpu::Isa;
                use crate::field::asm_tests::{keeps_the_abi, may_write_its_inputs};

                #[test]
                fn routines_keep_the_abi() {
                    if $token::detect().is_none() {
                        std::println!("skipped: this CPU lacks what the routines need");
                        return;
                    }
                    // SAFETY: arguments as declared above.
                    unsafe {
                        keeps_the_abi(raw::mul as *const (), $words, 1, 2, &[]);
                        keeps_the_abi(raw::square_n as *const (), $words, 1, 1, &[3]);
                        keeps_the_abi(raw::double_n as *const (), $words, 4, 0, &[1]);
                        keeps_the_abi(raw::double_n as *const (), $words, 4, 0, &[3]);
                        keeps_the_abi(raw::add_mixed as *const (), $words, 4, 3, &[1]);
                        keeps_the_abi(raw::add_cached as *const (), $words, 4, 4, &[0]);
                        keeps_the_abi(raw::ladder as *const (), $words, 4, 2, &[256]);
                    }
                }

                #[test]
                fn outputs_may_be_inputs() {
                    if $token::detect().is_none() {
                        std::println!("skipped: this CPU lacks what the routines need");
                        return;
                    }
                    // SAFETY: arguments as declared above; the banners allow what is tested.
                    unsafe {
                        may_write_its_inputs::<$words>(&|r, [a, b]| raw::mul(r, a, b));
                        may_write_its_inputs::<$words>(&|r, [a, _]| raw::square_n(r, a, 1));
                        may_write_its_inputs::<$words>(&|r, [a, _]| raw::square_n(r, a, 4));
                    }
                }
            }
        }
    };
}
pub(super) use routines;

/// Point operations on lanes that are tuples of an array of words. The result of each is full.
macro_rules! point_operations {
    ($lanes:ident, $product:ident) => {
        /// `(Y - X, Y + X, Z, T) = 2^n·(Y - X, Y + X, Z, T)`
        #[inline(always)]
        pub(crate) fn double_n(p: [&mut $lanes; 4], n: usize) {
            ffi::double_n(p[0].isa(), p.map(|x| &mut x.0), n as u64);
        }

        /// `(Y - X, Y + X, Z, T) ± ((y - x)/2, (y + x)/2, d·x·y)` to the former, minus by `negate`.
        #[inline(always)]
        pub(crate) fn add_mixed(p: [&mut $lanes; 4], q: [&$lanes; 3], negate: Choice) {
            ffi::add_mixed(p[0].isa(), p.map(|x| &mut x.0), q.map(|x| &x.0), negate.unwrap_u8().into());
        }

        /// `(Y - X, Y + X, Z, T) ± (Y - X, Y + X, 2Z, 2d·T)` to the former, minus by `negate`.
        #[inline(always)]
        pub(crate) fn add_cached(p: [&mut $lanes; 4], q: [&$lanes; 4], negate: Choice) {
            ffi::add_cached(p[0].isa(), p.map(|x| &mut x.0), q.map(|x| &x.0), negate.unwrap_u8().into());
        }

        /// `bits` steps of a Montgomery ladder on `(x2, z2, x3, z3)` over the lowest bits of `k`, the highest of them
        /// first, 1 to 256 of them. Whether the points are to be exchanged at the end.
        #[inline(always)]
        pub(crate) fn ladder(l: [&mut $product; 4], x1: &$lanes, k: &[u8; 32], bits: usize) -> Choice {
            let mut k = super::words(k);
            let last = ffi::ladder(x1.isa(), l.map(|x| &mut x.0), &x1.0, &k, bits as u64);
            k.zeroize();
            Choice::from(last as u8)
        }
    };
}
pub(super) use point_operations;

/// Items of `impl FieldLanes for Self` that are calls of routines. `$product` has `checked`.
macro_rules! assembly_items {
    ($token:ident, $product:ident) => {
        #[inline(always)]
        fn isa(&self) -> $token {
            // SAFETY: a value exists, and the first of them was made with the token.
            unsafe { $token::assume() }
        }
        #[inline(always)]
        fn mul(out: &mut $product, a: &Self, b: &Self) {
            ffi::mul(a.isa(), &mut out.0, &a.0, &b.0);
            out.checked();
        }
        #[inline(always)]
        fn square(out: &mut $product, a: &Self) {
            ffi::square(a.isa(), &mut out.0, &a.0);
            out.checked();
        }
        #[inline(always)]
        fn mul_carry(out: &mut Self, a: &Self, b: &Self) {
            ffi::mul(a.isa(), &mut out.0, &a.0, &b.0);
        }
        #[inline(always)]
        fn square_carry(out: &mut Self, a: &Self) {
            ffi::square(a.isa(), &mut out.0, &a.0);
        }
        #[inline(always)]
        fn square_n(a: &mut Self, n: usize) {
            ffi::square_n_assign(a.isa(), &mut a.0, n as u64);
        }
    };
}
pub(super) use assembly_items;

/// How the tests of `asm_tests` reach a backend, items of `impl Raw for Self`.
#[cfg(test)]
macro_rules! raw_items {
    ($words:ty, $product:ident) => {
        type Limbs = $words;

        fn operand(x: &$words) -> Self {
            Self(*x)
        }
        fn to_product(x: &$words) -> $product {
            $product(*x)
        }
        fn limbs(&self) -> $words {
            self.0
        }
        fn product_limbs(x: &$product) -> $words {
            x.0
        }
        fn sum_limbs(x: &Self) -> $words {
            x.0
        }
        fn double_n(p: [&mut Self; 4], n: usize) {
            double_n(p, n);
        }
        fn add_mixed(p: [&mut Self; 4], q: [&Self; 3], negate: Choice) {
            add_mixed(p, q, negate);
        }
        fn add_cached(p: [&mut Self; 4], q: [&Self; 4], negate: Choice) {
            add_cached(p, q, negate);
        }
        fn ladder(l: [&mut $product; 4], x1: &Self, k: &[u8; 32], bits: usize) -> Choice {
            ladder(l, x1, k, bits)
        }
    };
}
#[cfg(test)]
pub(super) use raw_items;
