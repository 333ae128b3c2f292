//! Operators in all the forms in which upstream has them.

/// A binary operator given on references, and its three forms with owned operands.
macro_rules! operator {
    ($trait:ident $method:ident, $left:ty, $right:ty => $out:ty, $doc:literal, |$a:ident, $b:ident| $result:expr) => {
        impl core::ops::$trait<&$right> for &$left {
            type Output = $out;
            #[doc = $doc]
            #[inline]
            fn $method(self, other: &$right) -> $out {
                let ($a, $b) = (self, other);
                $result
            }
        }
        impl core::ops::$trait<$right> for &$left {
            type Output = $out;
            #[inline]
            fn $method(self, other: $right) -> $out {
                core::ops::$trait::$method(self, &other)
            }
        }
        impl core::ops::$trait<&$right> for $left {
            type Output = $out;
            #[inline]
            fn $method(self, other: &$right) -> $out {
                core::ops::$trait::$method(&self, other)
            }
        }
        impl core::ops::$trait<$right> for $left {
            type Output = $out;
            #[inline]
            fn $method(self, other: $right) -> $out {
                core::ops::$trait::$method(&self, &other)
            }
        }
    };
}

/// The assigning form of a binary operator whose result is of the left type.
macro_rules! assigning_operator {
    ($trait:ident $method:ident, $left:ty, $right:ty, $plain:ident $plain_method:ident) => {
        impl core::ops::$trait<&$right> for $left {
            #[inline]
            fn $method(&mut self, other: &$right) {
                *self = core::ops::$plain::$plain_method(&*self, other);
            }
        }
        impl core::ops::$trait<$right> for $left {
            #[inline]
            fn $method(&mut self, other: $right) {
                *self = core::ops::$plain::$plain_method(&*self, &other);
            }
        }
    };
}

/// Negation of references and values.
macro_rules! negation {
    ($type:ty, |$a:ident| $result:expr) => {
        impl core::ops::Neg for &$type {
            type Output = $type;
            #[inline]
            fn neg(self) -> $type {
                let $a = self;
                $result
            }
        }
        impl core::ops::Neg for $type {
            type Output = $type;
            #[inline]
            fn neg(self) -> $type {
                -&self
            }
        }
    };
}

/// Sums over values and references of a group, and equality by `ct_eq`.
macro_rules! group_sum {
    ($type:ty) => {
        impl<T: core::borrow::Borrow<$type>> core::iter::Sum<T> for $type {
            fn sum<I: Iterator<Item = T>>(terms: I) -> $type {
                terms.fold(<$type as $crate::traits::Identity>::identity(), |sum, x| sum + x.borrow())
            }
        }
    };
}

/// Equality as the constant-time comparison says.
macro_rules! constant_time_equality {
    ($type:ty) => {
        impl PartialEq for $type {
            fn eq(&self, other: &$type) -> bool {
                subtle::ConstantTimeEq::ct_eq(self, other).into()
            }
        }
        impl Eq for $type {}
    };
}

/// Addition and subtraction of points.
macro_rules! point_sums {
    ($left:ty, $right:ty => $out:ty, |$a:ident, $b:ident| $sum:expr, $difference:expr) => {
        operator!(Add add, $left, $right => $out, "Complete: any two points. Constant-time.", |$a, $b| $sum);
        operator!(Sub sub, $left, $right => $out, "Complete: any two points. Constant-time.", |$a, $b| $difference);
        assigning_operator!(AddAssign add_assign, $left, $right, Add add);
        assigning_operator!(SubAssign sub_assign, $left, $right, Sub sub);
    };
}

/// Products of points and scalars, either way round.
macro_rules! point_products {
    ($point:ty, |$p:ident, $k:ident| $product:expr) => {
        operator!(
            Mul mul, $point, $crate::Scalar => $point,
            "Constant-time. The scalar is the integer it holds, which matters on points with a small-order part.",
            |$p, $k| $product
        );
        operator!(
            Mul mul, $crate::Scalar, $point => $point,
            "Constant-time. The scalar is the integer it holds, which matters on points with a small-order part.",
            |k, p| p * k
        );
        assigning_operator!(MulAssign mul_assign, $point, $crate::Scalar, Mul mul);
    };
}

/// What the two compressed forms share, apart from the neutral element and decoding.
macro_rules! encoding {
    ($type:ident, $identity:expr) => {
        impl $type {
            /// The 32 bytes, borrowed.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// The 32 bytes.
            pub const fn to_bytes(&self) -> [u8; 32] {
                self.0
            }

            /// The encoding that these bytes may be; decoding will tell.
            ///
            /// # Errors
            /// If there are not 32 of them.
            pub fn from_slice(bytes: &[u8]) -> Result<$type, core::array::TryFromSliceError> {
                bytes.try_into().map($type)
            }
        }

        impl TryFrom<&[u8]> for $type {
            type Error = core::array::TryFromSliceError;
            fn try_from(bytes: &[u8]) -> Result<$type, Self::Error> {
                $type::from_slice(bytes)
            }
        }

        impl subtle::ConstantTimeEq for $type {
            fn ct_eq(&self, other: &$type) -> subtle::Choice {
                self.0.ct_eq(&other.0)
            }
        }

        #[cfg(dalek = "5")]
        constant_time_equality!($type);

        impl $crate::traits::Identity for $type {
            fn identity() -> $type {
                $type($identity)
            }
        }

        impl Default for $type {
            fn default() -> $type {
                $type($identity)
            }
        }

        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($type), ": {:?}"), self.0)
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::Zeroize for $type {
            fn zeroize(&mut self) {
                zeroize::Zeroize::zeroize(&mut self.0);
                self.0 = $identity;
            }
        }
    };
}
