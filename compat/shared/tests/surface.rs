//! Compiles only if every public item is there with its type. Nothing runs but one line a test.

// What is checked is that these names and types exist.
#![allow(deprecated, clippy::type_complexity)]

mod common;

use core::array::TryFromSliceError;
use core::borrow::Borrow;
use core::fmt::Debug;
use core::hash::Hash;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Index, Mul, MulAssign, Neg, Sub, SubAssign};

use common::Random;
use curve25519_dalek as d;
use d::constants::*;
use d::edwards::*;
use d::montgomery::MontgomeryPoint;
use d::ristretto::*;
use d::scalar::{Scalar, clamp_integer};
use d::traits::*;
use group::cofactor::CofactorGroup;
use group::ff::{Field, FromUniformBytes, PrimeField};
use group::prime::PrimeGroup;
use group::{Group, GroupEncoding};
use sha2::Sha512;
use subtle::{ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::Zeroize;

/// The four forms of an operator.
macro_rules! four_forms {
    ($check:ident, $trait:ident) => {
        fn $check<A, B, Out>()
        where
            A: $trait<B, Output = Out> + for<'b> $trait<&'b B, Output = Out>,
            for<'a> &'a A: $trait<B, Output = Out> + $trait<&'a B, Output = Out>,
        {
        }
    };
}
four_forms!(add, Add);
four_forms!(sub, Sub);
four_forms!(mul, Mul);

fn add_assign<A: AddAssign<B> + for<'b> AddAssign<&'b B> + SubAssign<B> + for<'b> SubAssign<&'b B>, B>() {}
fn mul_assign<A: MulAssign<B> + for<'b> MulAssign<&'b B>, B>() {}
fn neg<A: Neg<Output = A>>()
where
    for<'a> &'a A: Neg<Output = A>,
{
}
fn sum<A: Sum<A> + for<'a> Sum<&'a A>>() {}
fn value<A: Copy + Clone + Debug + Default + Eq + Send + Sync + Zeroize + 'static>() {}
fn constant_time<A: ConstantTimeEq + ConditionallySelectable>() {}
fn hashed<A: Hash>() {}
fn serde<A: serde::Serialize + serde::de::DeserializeOwned>() {}
fn identity<A: Identity + IsIdentity>() {}
fn table<A: BasepointTable<Point = EdwardsPoint> + Clone + Debug + Send + Sync>()
where
    for<'a> &'a A: Mul<&'a Scalar, Output = EdwardsPoint>,
    for<'a> &'a Scalar: Mul<&'a A, Output = EdwardsPoint>,
{
}
fn sums<P: MultiscalarMul<Point = P> + VartimeMultiscalarMul<Point = P>>() {}
fn precomputed<T: VartimePrecomputedMultiscalarMul<Point = P> + Send + Sync, P>() {}

#[test]
fn scalar() {
    value::<Scalar>();
    constant_time::<Scalar>();
    hashed::<Scalar>();
    serde::<Scalar>();
    add::<Scalar, Scalar, Scalar>();
    sub::<Scalar, Scalar, Scalar>();
    mul::<Scalar, Scalar, Scalar>();
    add_assign::<Scalar, Scalar>();
    mul_assign::<Scalar, Scalar>();
    neg::<Scalar>();
    sum::<Scalar>();
    fn product<A: Product<A> + for<'a> Product<&'a A> + Index<usize, Output = u8>>() {}
    product::<Scalar>();
    fn from<A: From<u8> + From<u16> + From<u32> + From<u64> + From<u128>>() {}
    from::<Scalar>();
    fn fields<A: Field + PrimeField<Repr = [u8; 32]> + FromUniformBytes<64>>() {}
    fields::<Scalar>();
    const CONSTANTS: [Scalar; 2] = [Scalar::ZERO, Scalar::ONE];
    const BYTES: ([u8; 32], &[u8; 32]) = (CONSTANTS[1].to_bytes(), Scalar::ONE.as_bytes());
    const CLAMPED: [u8; 32] = clamp_integer(BYTES.0);
    const UNREDUCED: Scalar = Scalar::from_bits(CLAMPED);
    let _: fn([u8; 32]) -> Scalar = Scalar::from_bytes_mod_order;
    let _: fn(&[u8; 64]) -> Scalar = Scalar::from_bytes_mod_order_wide;
    let _: fn([u8; 32]) -> CtOption<Scalar> = Scalar::from_canonical_bytes;
    let _: fn(&Scalar) -> Scalar = Scalar::invert;
    let _: fn(&mut Random) -> Scalar = Scalar::random::<Random>;
    let _: fn(&[u8]) -> Scalar = Scalar::hash_from_bytes::<Sha512>;
    let _: fn(Sha512) -> Scalar = Scalar::from_hash::<Sha512>;
    #[cfg(dalek = "5")]
    {
        let _: fn(&Scalar) -> Scalar = Scalar::div_by_2;
        let _: fn(&mut [Scalar; 3]) -> Scalar = Scalar::invert_batch::<3>;
        let _: fn(&mut [Scalar]) -> Scalar = Scalar::invert_batch_alloc;
        let _: fn(&mut dyn rand_core::CryptoRng<Error = core::convert::Infallible>) -> Scalar =
            |rng| Scalar::random(rng);
    }
    #[cfg(dalek = "4")]
    {
        let _: fn(&mut [Scalar]) -> Scalar = Scalar::batch_invert;
        fn bits<A: group::ff::PrimeFieldBits>() {}
        bits::<Scalar>();
    }
    assert_eq!(UNREDUCED.as_bytes()[31], 64);
}

#[test]
fn edwards() {
    value::<CompressedEdwardsY>();
    hashed::<CompressedEdwardsY>();
    serde::<CompressedEdwardsY>();
    identity::<CompressedEdwardsY>();
    fn tried<A: for<'a> TryFrom<&'a [u8], Error = TryFromSliceError> + ConstantTimeEq>() {}
    tried::<CompressedEdwardsY>();
    const ENCODING: CompressedEdwardsY = CompressedEdwardsY([3; 32]);
    const BYTES: (&[u8; 32], [u8; 32]) = (ENCODING.as_bytes(), ENCODING.to_bytes());
    let _: fn(&[u8]) -> Result<CompressedEdwardsY, TryFromSliceError> = CompressedEdwardsY::from_slice;
    let _: fn(&CompressedEdwardsY) -> Option<EdwardsPoint> = CompressedEdwardsY::decompress;

    value::<EdwardsPoint>();
    constant_time::<EdwardsPoint>();
    serde::<EdwardsPoint>();
    identity::<EdwardsPoint>();
    add::<EdwardsPoint, EdwardsPoint, EdwardsPoint>();
    sub::<EdwardsPoint, EdwardsPoint, EdwardsPoint>();
    mul::<EdwardsPoint, Scalar, EdwardsPoint>();
    mul::<Scalar, EdwardsPoint, EdwardsPoint>();
    add_assign::<EdwardsPoint, EdwardsPoint>();
    mul_assign::<EdwardsPoint, Scalar>();
    neg::<EdwardsPoint>();
    sum::<EdwardsPoint>();
    sums::<EdwardsPoint>();
    precomputed::<VartimeEdwardsPrecomputation, EdwardsPoint>();
    table::<EdwardsBasepointTable>();
    table::<EdwardsBasepointTableRadix16>();
    table::<EdwardsBasepointTableRadix32>();
    table::<EdwardsBasepointTableRadix64>();
    table::<EdwardsBasepointTableRadix128>();
    table::<EdwardsBasepointTableRadix256>();
    fn conversions<A, B>()
    where
        A: for<'a> From<&'a B>,
        B: for<'a> From<&'a A>,
    {
    }
    conversions::<EdwardsBasepointTable, EdwardsBasepointTableRadix32>();
    conversions::<EdwardsBasepointTable, EdwardsBasepointTableRadix64>();
    conversions::<EdwardsBasepointTable, EdwardsBasepointTableRadix128>();
    conversions::<EdwardsBasepointTable, EdwardsBasepointTableRadix256>();
    conversions::<EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix64>();
    conversions::<EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix128>();
    conversions::<EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix256>();
    conversions::<EdwardsBasepointTableRadix64, EdwardsBasepointTableRadix128>();
    conversions::<EdwardsBasepointTableRadix64, EdwardsBasepointTableRadix256>();
    conversions::<EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256>();
    let _: fn(&EdwardsPoint) -> MontgomeryPoint = EdwardsPoint::to_montgomery;
    let _: fn(&EdwardsPoint) -> CompressedEdwardsY = EdwardsPoint::compress;
    let _: fn(&Scalar) -> EdwardsPoint = EdwardsPoint::mul_base;
    let _: fn(EdwardsPoint, [u8; 32]) -> EdwardsPoint = EdwardsPoint::mul_clamped;
    let _: fn([u8; 32]) -> EdwardsPoint = EdwardsPoint::mul_base_clamped;
    let _: fn(&Scalar, &EdwardsPoint, &Scalar) -> EdwardsPoint = EdwardsPoint::vartime_double_scalar_mul_basepoint;
    let _: fn(&EdwardsPoint) -> EdwardsPoint = EdwardsPoint::mul_by_cofactor;
    let _: fn(&EdwardsPoint) -> bool = EdwardsPoint::is_small_order;
    let _: fn(&EdwardsPoint) -> bool = EdwardsPoint::is_torsion_free;
    #[cfg(dalek = "5")]
    {
        let _: fn(&[EdwardsPoint; 2]) -> [CompressedEdwardsY; 2] = EdwardsPoint::compress_batch::<2>;
        let _: fn(&[EdwardsPoint]) -> Vec<CompressedEdwardsY> = EdwardsPoint::compress_batch_alloc;
        let _: fn(&[EdwardsPoint]) -> Vec<MontgomeryPoint> = EdwardsPoint::to_montgomery_batch;
        let _: fn(&mut Random) -> EdwardsPoint = EdwardsPoint::random::<Random>;
        let _: fn(&[&[u8]], &[&[u8]]) -> EdwardsPoint = EdwardsPoint::hash_to_curve::<Sha512>;
        let _: fn(&[&[u8]], &[&[u8]]) -> EdwardsPoint = EdwardsPoint::encode_to_curve::<Sha512>;
        value::<SubgroupPoint>();
        constant_time::<SubgroupPoint>();
    }
    #[cfg(dalek = "4")]
    {
        let _: fn(&[u8]) -> EdwardsPoint = EdwardsPoint::nonspec_map_to_curve::<Sha512>;
        // An encoding is a pattern in this line.
        assert!(matches!(EdwardsPoint::default().compress(), IDENTITY));
        const IDENTITY: CompressedEdwardsY = CompressedEdwardsY([
            1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ]);
    }
    fn subgroups<P>()
    where
        P: Group<Scalar = Scalar> + GroupEncoding<Repr = [u8; 32]> + CofactorGroup<Subgroup = SubgroupPoint>,
    {
    }
    subgroups::<EdwardsPoint>();
    fn prime<P: PrimeGroup + Group<Scalar = Scalar> + GroupEncoding<Repr = [u8; 32]>>() {}
    prime::<SubgroupPoint>();
    fn subgroup<P: Into<EdwardsPoint> + Neg<Output = P> + Eq + Copy + Debug>() {}
    subgroup::<SubgroupPoint>();
    add::<SubgroupPoint, SubgroupPoint, SubgroupPoint>();
    sub::<SubgroupPoint, SubgroupPoint, SubgroupPoint>();
    add::<EdwardsPoint, SubgroupPoint, EdwardsPoint>();
    sub::<EdwardsPoint, SubgroupPoint, EdwardsPoint>();
    mul::<SubgroupPoint, Scalar, SubgroupPoint>();
    mul::<Scalar, SubgroupPoint, SubgroupPoint>();
    add_assign::<SubgroupPoint, SubgroupPoint>();
    add_assign::<EdwardsPoint, SubgroupPoint>();
    mul_assign::<SubgroupPoint, Scalar>();
    sum::<SubgroupPoint>();
    assert_eq!(BYTES.0, &BYTES.1);
}

#[test]
fn ristretto() {
    value::<CompressedRistretto>();
    hashed::<CompressedRistretto>();
    serde::<CompressedRistretto>();
    identity::<CompressedRistretto>();
    const ENCODING: CompressedRistretto = CompressedRistretto([3; 32]);
    const BYTES: (&[u8; 32], [u8; 32]) = (ENCODING.as_bytes(), ENCODING.to_bytes());
    let _: fn(&[u8]) -> Result<CompressedRistretto, TryFromSliceError> = CompressedRistretto::from_slice;
    let _: fn(&CompressedRistretto) -> Option<RistrettoPoint> = CompressedRistretto::decompress;

    value::<RistrettoPoint>();
    constant_time::<RistrettoPoint>();
    serde::<RistrettoPoint>();
    identity::<RistrettoPoint>();
    add::<RistrettoPoint, RistrettoPoint, RistrettoPoint>();
    sub::<RistrettoPoint, RistrettoPoint, RistrettoPoint>();
    mul::<RistrettoPoint, Scalar, RistrettoPoint>();
    mul::<Scalar, RistrettoPoint, RistrettoPoint>();
    add_assign::<RistrettoPoint, RistrettoPoint>();
    mul_assign::<RistrettoPoint, Scalar>();
    neg::<RistrettoPoint>();
    sum::<RistrettoPoint>();
    sums::<RistrettoPoint>();
    precomputed::<VartimeRistrettoPrecomputation, RistrettoPoint>();
    let _: fn(&RistrettoPoint) -> CompressedRistretto = RistrettoPoint::compress;
    let batch: Vec<CompressedRistretto> = RistrettoPoint::double_and_compress_batch(&[RistrettoPoint::default(); 2]);
    let _: fn(&mut Random) -> RistrettoPoint = RistrettoPoint::random::<Random>;
    let _: fn(&[u8]) -> RistrettoPoint = RistrettoPoint::hash_from_bytes::<Sha512>;
    let _: fn(Sha512) -> RistrettoPoint = RistrettoPoint::from_hash::<Sha512>;
    let _: fn(&[u8; 64]) -> RistrettoPoint = RistrettoPoint::from_uniform_bytes;
    let _: fn(&Scalar) -> RistrettoPoint = RistrettoPoint::mul_base;
    let _: fn(&Scalar, &RistrettoPoint, &Scalar) -> RistrettoPoint =
        RistrettoPoint::vartime_double_scalar_mul_basepoint;
    #[cfg(dalek = "5")]
    {
        use sha2::Sha256;
        let _: fn([u8; 32]) -> RistrettoPoint = RistrettoPoint::map_to_curve;
        let _: fn([u8; 32]) -> RistrettoPoint = RistrettoPoint::map_to_curve_restricted;
        let _: fn(&RistrettoPoint) -> [CtOption<[u8; 32]>; 16] = RistrettoPoint::map_to_curve_inverse;
        let _: fn(&[u8; 16]) -> RistrettoPoint = RistrettoPoint::lizard_encode::<Sha256>;
        let _: fn(&RistrettoPoint) -> Option<[u8; 16]> = RistrettoPoint::lizard_decode::<Sha256>;
        let _ = RistrettoPoint::try_random::<Random>;
    }
    fn tables<T: Clone>()
    where
        for<'a> &'a T: Mul<&'a Scalar, Output = RistrettoPoint>,
        for<'a> &'a Scalar: Mul<&'a T, Output = RistrettoPoint>,
    {
    }
    tables::<RistrettoBasepointTable>();
    let _: fn(&RistrettoPoint) -> RistrettoBasepointTable = RistrettoBasepointTable::create;
    let _: fn(&RistrettoBasepointTable) -> RistrettoPoint = RistrettoBasepointTable::basepoint;
    fn group<P: Group<Scalar = Scalar> + GroupEncoding<Repr = [u8; 32]> + PrimeGroup + CofactorGroup<Subgroup = P>>() {}
    group::<RistrettoPoint>();
    assert_eq!((batch.len(), BYTES.0), (2, &BYTES.1));
}

#[test]
fn montgomery() {
    value::<MontgomeryPoint>();
    hashed::<MontgomeryPoint>();
    serde::<MontgomeryPoint>();
    identity::<MontgomeryPoint>();
    mul::<MontgomeryPoint, Scalar, MontgomeryPoint>();
    mul::<Scalar, MontgomeryPoint, MontgomeryPoint>();
    mul_assign::<MontgomeryPoint, Scalar>();
    #[cfg(dalek = "5")]
    constant_time::<MontgomeryPoint>();
    const POINT: MontgomeryPoint = MontgomeryPoint([3; 32]);
    const BYTES: (&[u8; 32], [u8; 32]) = (POINT.as_bytes(), POINT.to_bytes());
    let _: fn(&Scalar) -> MontgomeryPoint = MontgomeryPoint::mul_base;
    let _: fn(MontgomeryPoint, [u8; 32]) -> MontgomeryPoint = MontgomeryPoint::mul_clamped;
    let _: fn([u8; 32]) -> MontgomeryPoint = MontgomeryPoint::mul_base_clamped;
    let _: fn(&MontgomeryPoint, u8) -> Option<EdwardsPoint> = MontgomeryPoint::to_edwards;
    assert_eq!(POINT.mul_bits_be(core::iter::empty()), MontgomeryPoint::identity());
    assert_eq!(BYTES.0, &BYTES.1);
}

#[test]
fn constants_and_roots() {
    const ALL: (CompressedEdwardsY, EdwardsPoint, CompressedRistretto, RistrettoPoint, MontgomeryPoint) = (
        ED25519_BASEPOINT_COMPRESSED,
        ED25519_BASEPOINT_POINT,
        RISTRETTO_BASEPOINT_COMPRESSED,
        RISTRETTO_BASEPOINT_POINT,
        X25519_BASEPOINT,
    );
    const TORSION: [[EdwardsPoint; 8]; 2] = [EIGHT_TORSION, EIGHT_TORSION_INNER_DOC_HIDDEN];
    let _: (&'static EdwardsBasepointTable, &'static RistrettoBasepointTable) =
        (ED25519_BASEPOINT_TABLE, RISTRETTO_BASEPOINT_TABLE);
    #[cfg(dalek = "5")]
    let _: &'static [MontgomeryPoint; 7] = &X25519_LOW_ORDER_POINTS;
    #[cfg(dalek = "4")]
    const _: Scalar = BASEPOINT_ORDER;
    let _: (d::EdwardsPoint, d::RistrettoPoint, d::MontgomeryPoint, d::Scalar) = (ALL.1, ALL.3, ALL.4, Scalar::ONE);
    let _ = core::mem::size_of::<d::digest::consts::U64>();
    #[cfg(dalek = "5")]
    let _: fn() -> Box<dyn d::rand_core::CryptoRng<Error = core::convert::Infallible>> = || Box::new(Random(1));
    assert_eq!(TORSION[0], TORSION[1]);
}

/// Foreign types may implement the traits, so their method sets must be these.
struct Foreign;

impl BasepointTable for Foreign {
    type Point = u8;
    fn create(_: &u8) -> Foreign {
        Foreign
    }
    fn basepoint(&self) -> u8 {
        9
    }
    fn mul_base(&self, scalar: &Scalar) -> u8 {
        scalar[0]
    }
}

impl MultiscalarMul for Foreign {
    type Point = u8;
    fn multiscalar_mul<I, J>(_: I, _: J) -> u8
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<u8>,
    {
        7
    }
}

impl VartimeMultiscalarMul for Foreign {
    type Point = u8;
    fn optional_multiscalar_mul<I, J>(_: I, points: J) -> Option<u8>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<u8>>,
    {
        points.into_iter().sum()
    }
}

impl VartimePrecomputedMultiscalarMul for Foreign {
    type Point = u8;
    fn new<I>(_: I) -> Foreign
    where
        I: IntoIterator,
        I::Item: Borrow<u8>,
    {
        Foreign
    }
    #[cfg(dalek = "5")]
    fn len(&self) -> usize {
        0
    }
    #[cfg(dalek = "5")]
    fn is_empty(&self) -> bool {
        true
    }
    fn optional_mixed_multiscalar_mul<I, J, K>(&self, _: I, _: J, points: K) -> Option<u8>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Scalar>,
        K: IntoIterator<Item = Option<u8>>,
    {
        points.into_iter().sum()
    }
}

#[test]
fn provided_methods() {
    assert_eq!(Foreign.mul_base_clamped([0xff; 32]), 0xf8);
    assert_eq!(<Foreign as VartimeMultiscalarMul>::vartime_multiscalar_mul([Scalar::ONE], [3u8]), 3);
    let none: [Scalar; 0] = [];
    assert_eq!(<Foreign as VartimePrecomputedMultiscalarMul>::vartime_multiscalar_mul(&Foreign, none), 0);
    assert_eq!(Foreign.vartime_mixed_multiscalar_mul(none, [Scalar::ONE], [4u8]), 4);
}
