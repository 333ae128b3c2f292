//! The life of batches, on a small protocol of our own: two equations an item, on every group.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::*;
use crate::group::{CompressedEdwardsY, RistrettoPoint};
use crate::hash::keccak256;
use crate::test_util::Random;

/// Points as the tests make them.
trait TestPoint: Element + fmt::Debug {
    fn times_base(k: &Scalar) -> Self;
    fn encode(&self) -> [u8; 32];
}

impl TestPoint for EdwardsPoint {
    fn times_base(k: &Scalar) -> Self {
        EdwardsPoint::mul_base(k)
    }
    fn encode(&self) -> [u8; 32] {
        self.compress().0
    }
}

impl TestPoint for RistrettoPoint {
    fn times_base(k: &Scalar) -> Self {
        RistrettoPoint::mul_base(k)
    }
    fn encode(&self) -> [u8; 32] {
        self.compress().0
    }
}

/// The discrete logarithm of the second base. Known, and nobody minds.
fn log() -> Scalar {
    Scalar::from(7u64)
}

/// That P and Q are the same multiple of the two bases B and 7B: R + c·P = s·B and S + c·Q = s·7B.
struct SameLogs<G: Group> {
    bases: Arc<GeneratorSet<G::Point>>,
    group: PhantomData<G>,
}

/// P, Q, R, S and s.
#[derive(Clone, Debug, PartialEq)]
struct Proof {
    points: Vec<[u8; 32]>,
    s: [u8; 32],
}

struct TestClaim<P> {
    points: Vec<P>,
    challenge: Scalar,
    s: Scalar,
}

#[derive(Clone, Debug, PartialEq)]
enum TestError {
    Response,
    Point(usize),
    ZeroResponse,
    Equation,
}

impl fmt::Display for TestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Error for TestError {}

fn challenge(points: &[[u8; 32]]) -> Scalar {
    Scalar::from_bytes_mod_order(keccak256(points.as_flattened()))
}

impl<G: Group<Point: TestPoint>> SameLogs<G> {
    fn new() -> SameLogs<G> {
        let bases = [G::Point::times_base(&Scalar::ONE), G::Point::times_base(&log())];
        SameLogs { bases: Arc::new(GeneratorSet::new(&bases, &[1])), group: PhantomData }
    }
}

impl Proof {
    /// A valid one, with `twist` added to R before it is hashed.
    fn twisted<P: TestPoint>(random: &mut Random, twist: impl Fn(P) -> P) -> Proof {
        let mut scalar = || Scalar::from_bytes_mod_order_wide(&random.bytes64());
        let (x, k) = (scalar(), scalar());
        let point = |k: &Scalar| P::times_base(k).encode();
        let r = twist(P::times_base(&k)).encode();
        let points = vec![point(&x), point(&(x * log())), r, point(&(k * log()))];
        let s = k + challenge(&points) * x;
        Proof { points, s: s.to_bytes() }
    }

    fn new<P: TestPoint>(random: &mut Random) -> Proof {
        Proof::twisted::<P>(random, |r| r)
    }

    /// Makes both equations false.
    fn spoil(&mut self, by: Scalar) {
        self.s = (Scalar::from_canonical_bytes(self.s).unwrap() + by).to_bytes();
    }
}

impl<G: Group<Point: TestPoint>> Verifier for SameLogs<G> {
    type Group = G;
    type Statement<'a> = &'a Proof;
    type Item = Proof;
    type Claim = TestClaim<G::Point>;
    type Error = TestError;

    fn check(&self, proof: &Proof) -> Result<Proof, TestError> {
        let canonical = bool::from(Scalar::from_integer_unreduced(proof.s).is_canonical());
        if canonical { Ok(proof.clone()) } else { Err(TestError::Response) }
    }

    fn encodings<'a>(&self, item: &'a Proof) -> &'a [[u8; 32]] {
        &item.points
    }

    fn point_error(&self, _: &Proof, index: usize) -> TestError {
        TestError::Point(index)
    }

    fn heap_bytes(&self, _: &Proof) -> usize {
        size_of::<TestClaim<G::Point>>()
    }

    fn prepare(&self, items: Vec<(Proof, Vec<G::Point>)>) -> Vec<Result<Self::Claim, TestError>> {
        let each = |(item, points): (Proof, Vec<G::Point>)| {
            let s = Scalar::from_canonical_bytes(item.s).unwrap();
            // Stands for a challenge that comes out as zero.
            if s == Scalar::ZERO {
                return Err(TestError::ZeroResponse);
            }
            Ok(TestClaim { points, challenge: challenge(&item.points), s })
        };
        items.into_iter().map(each).collect()
    }

    fn bind(&self, claim: &Self::Claim, out: &mut Vec<u8>) {
        out.extend(claim.challenge.as_bytes());
        out.extend(claim.s.as_bytes());
    }

    fn equations(&self, _: &Self::Claim) -> usize {
        2
    }

    fn equation_error(&self) -> TestError {
        TestError::Equation
    }

    fn add(&self, claims: &[Weighted<'_, Self::Claim>], sum: &mut Sum<G>) {
        assert!(!claims.is_empty());
        for Weighted { claim, weights } in claims {
            let &[w0, w1] = *weights else { panic!("two weights") };
            let c = claim.challenge;
            sum.add_generators(&self.bases, &[-w0 * claim.s, -w1 * claim.s]);
            sum.add_points(&[w0 * c, w1 * c, w0], &claim.points[..3]);
            sum.add_point(&w1, &claim.points[3]);
        }
    }
}

type Names = Vec<(usize, TestError)>;

fn verdict<V>(verifier: &V, proofs: &[Proof]) -> Result<(), Names>
where
    V: for<'a> Verifier<Statement<'a> = &'a Proof, Error = TestError>,
{
    let batch = || {
        let mut batch = Accumulator::new(verifier, Limits::NONE);
        for (i, proof) in proofs.iter().enumerate() {
            assert_eq!(batch.push(proof), Ok(i));
        }
        batch
    };
    let whole = batch().close();
    let blame = batch().close_and_blame();
    assert_eq!(whole.is_ok(), blame.is_ok());
    match blame {
        Ok(()) => Ok(()),
        Err(Blame::Empty) => panic!("something was pushed"),
        Err(Blame::Items(names)) => {
            if let Err(BatchError::Item { index, error }) = whole {
                assert!(names.contains(&(index, error)));
            }
            Err(names)
        }
    }
}

/// Runs a test on every group.
macro_rules! on_every_group {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            generic::$name::<Edwards>();
            generic::$name::<EdwardsCofactored>();
            generic::$name::<Ristretto>();
        })*
    };
}

on_every_group!(
    the_bad_ones_are_named_wherever_they_are,
    errors_that_cancel_under_equal_weights_are_refused,
    malformed_items_are_named_and_the_rest_is_judged,
    limits,
    generators_of_one_set_add_up
);

mod generic {
    use super::*;

    pub(super) fn the_bad_ones_are_named_wherever_they_are<G: Group<Point: TestPoint>>() {
        let mut random = Random::new(1);
        let verifier = SameLogs::<G>::new();
        for len in [1, 2, 3, 9, 33] {
            let good: Vec<_> = (0..len).map(|_| Proof::new::<G::Point>(&mut random)).collect();
            assert_eq!(verdict(&verifier, &good), Ok(()));
            for bad in [vec![0], vec![len / 2], vec![len - 1], vec![0, len - 1], (0..len).collect()] {
                let mut bad = bad;
                bad.dedup();
                let mut proofs = good.clone();
                bad.iter().for_each(|&i| proofs[i].spoil(Scalar::ONE));
                let names = bad.into_iter().map(|i| (i, TestError::Equation)).collect();
                assert_eq!(verdict(&verifier, &proofs), Err(names), "{len}");
            }
        }
    }

    /// Between two items, and between the two equations of one.
    pub(super) fn errors_that_cancel_under_equal_weights_are_refused<G: Group<Point: TestPoint>>() {
        let mut random = Random::new(2);
        let verifier = SameLogs::<G>::new();
        let mut pair: Vec<_> = (0..2).map(|_| Proof::new::<G::Point>(&mut random)).collect();
        pair[0].spoil(Scalar::ONE);
        pair[1].spoil(-Scalar::ONE);
        let both = vec![(0, TestError::Equation), (1, TestError::Equation)];
        assert_eq!(verdict(&verifier, &pair), Err(both));

        // One item whose two equations are off by opposite multiples of B: for any P, Q, R, S with known logarithms, the
        // s that makes their plain sum zero.
        let (x, k, other_k) = (Scalar::from(5u64), Scalar::from(3u64), Scalar::ONE);
        let point = |k: &Scalar| G::Point::times_base(k).encode();
        let points = vec![point(&x), point(&(x * log())), point(&k), point(&other_k)];
        let c = challenge(&points);
        let s = (k + c * x + other_k + c * x * log()) * (Scalar::ONE + log()).invert();
        let proof = Proof { points, s: s.to_bytes() };
        assert_eq!(verdict(&verifier, &[proof]), Err(vec![(0, TestError::Equation)]));
    }

    pub(super) fn malformed_items_are_named_and_the_rest_is_judged<G: Group<Point: TestPoint>>() {
        let mut random = Random::new(3);
        let verifier = SameLogs::<G>::new();
        let mut proofs: Vec<_> = (0..12).map(|_| Proof::new::<G::Point>(&mut random)).collect();
        proofs[3].points[2] = [0xff; 32];
        proofs[4].s = [0; 32];
        proofs[8].spoil(Scalar::ONE);
        proofs[11].points[0] = [0xff; 32];
        let names = vec![
            (3, TestError::Point(2)),
            (4, TestError::ZeroResponse),
            (8, TestError::Equation),
            (11, TestError::Point(0)),
        ];
        assert_eq!(verdict(&verifier, &proofs), Err(names));
        // Nothing but malformed ones.
        assert_eq!(verdict(&verifier, &proofs[3..4]), Err(vec![(0, TestError::Point(2))]));
        assert_eq!(verdict(&verifier, &proofs[4..5]), Err(vec![(0, TestError::ZeroResponse)]));
        // The cheap check comes first; what it refuses is not part of the batch.
        let mut batch = Accumulator::new(&verifier, Limits::NONE);
        let mut bad = proofs[0].clone();
        bad.s = [0xff; 32];
        assert_eq!(batch.push(&bad), Err(PushError::Item(TestError::Response)));
        assert_eq!((batch.len(), batch.bytes(), batch.is_empty()), (0, 0, true));
        assert_eq!(batch.push(&proofs[0]), Ok(0));
        assert_eq!(batch.push(&bad), Err(PushError::Item(TestError::Response)));
        assert_eq!(batch.push(&proofs[1]), Ok(1));
        assert_eq!(batch.close(), Ok(()));
    }

    pub(super) fn limits<G: Group<Point: TestPoint>>() {
        let mut random = Random::new(4);
        let verifier = Arc::new(SameLogs::<G>::new());
        let proof = Proof::new::<G::Point>(&mut random);
        let new = |limits| Accumulator::new(Arc::clone(&verifier), limits);
        assert_eq!(new(Limits::NONE).close(), Err(BatchError::Empty));
        assert_eq!(new(Limits::NONE).close_and_blame(), Err(Blame::Empty));

        let mut batch = new(Limits { items: 3, ..Limits::NONE });
        for i in 0..3 {
            assert!(!batch.is_full());
            assert_eq!(batch.push(&proof), Ok(i));
        }
        assert!(batch.is_full());
        assert_eq!(batch.push(&proof), Err(PushError::Full));
        assert_eq!(batch.len(), 3);
        let one = batch.bytes() / 3;
        assert!(one > 4 * 32);
        assert_eq!(batch.close(), Ok(()));

        let mut batch = new(Limits { bytes: 4 * one + 1, ..Limits::NONE });
        while !batch.is_full() {
            batch.push(&proof).unwrap();
        }
        assert_eq!((batch.len(), batch.bytes()), (5, 5 * one));
        assert_eq!(batch.push(&proof), Err(PushError::Full));
        assert_eq!(batch.close(), Ok(()));

        // No room at all: nothing is ever taken, and nothing is ever valid.
        let mut batch = new(Limits { items: 0, ..Limits::NONE });
        assert_eq!(batch.push(&proof), Err(PushError::Full));
        assert_eq!(batch.close(), Err(BatchError::Empty));
    }

    pub(super) fn generators_of_one_set_add_up<G: Group<Point: TestPoint>>() {
        let multiples: Vec<G::Point> = (1..=40u64).map(|k| G::Point::times_base(&Scalar::from(k))).collect();
        let set = Arc::new(GeneratorSet::new(&multiples, &[3, 20]));
        let same = Arc::clone(&set);
        let other = Arc::new(GeneratorSet::new(&multiples[..2], &[]));
        for (first, second) in [(2, 40), (40, 2), (3, 4), (20, 21), (0, 1)] {
            let mut sum = Sum::<G>::default();
            let ones = vec![Scalar::ONE; 40];
            sum.add_generators(&set, &ones[..first]);
            sum.add_generators(&same, &ones[..second]);
            sum.add_generators(&other, &[Scalar::ZERO, -Scalar::ONE]);
            let expected = (first * (first + 1) + second * (second + 1)) / 2;
            sum.add_point(&(Scalar::from(2u64) - Scalar::from(expected as u64)), &multiples[0]);
            assert!(G::is_zero(&sum.evaluate_vartime()), "{first} {second}");
            sum.add_points(&[Scalar::ONE], &multiples[..1]);
            assert!(!G::is_zero(&sum.evaluate_vartime()), "{first} {second}");
        }
    }
}

#[test]
fn small_order_parts_count_as_the_group_says() {
    let mut y = [0xff; 32];
    (y[0], y[31]) = (0xec, 0x7f);
    let order_two = CompressedEdwardsY(y).decompress_strict().unwrap();
    let mut random = Random::new(5);
    // The weight of the equation is odd or even, so the exact group refuses some and not all: it is no rule to live by.
    let (exact, cofactored) = (SameLogs::<Edwards>::new(), SameLogs::<EdwardsCofactored>::new());
    let mut refused = 0;
    for _ in 0..20 {
        let proof = Proof::twisted::<EdwardsPoint>(&mut random, |r| r + order_two);
        assert_eq!(verdict(&cofactored, core::slice::from_ref(&proof)), Ok(()));
        refused += usize::from(verdict(&exact, &[proof]).is_err());
    }
    assert!((1..20).contains(&refused), "{refused}");
    // The same element of Ristretto, and the same bytes.
    let proof = Proof::twisted::<RistrettoPoint>(&mut random, |r| RistrettoPoint(r.0 + order_two));
    assert_eq!(verdict(&SameLogs::<Ristretto>::new(), &[proof]), Ok(()));
}

#[test]
fn weights_are_short_distinct_and_hang_on_every_claim() {
    let verifier = SameLogs::<Edwards>::new();
    let mut random = Random::new(6);
    let mut proofs: Vec<_> = (0..40).map(|_| Proof::new::<EdwardsPoint>(&mut random)).collect();
    let weights = |proofs: &[Proof]| -> Vec<Scalar> {
        let items = proofs.iter().cloned().enumerate().collect::<Vec<_>>();
        let (decoded, _) = decode(&verifier, items.into_iter().map(|(_, item)| item).collect());
        let (claims, _) = prepare(&verifier, decoded);
        let weights = weights::draw(&verifier, &claims);
        assert!(weights.iter().all(|w| w.len() == 2));
        weights.concat()
    };
    let first = weights(&proofs);
    assert_eq!(first.len(), 80);
    let largest = Scalar::from(u128::MAX) + Scalar::ONE;
    for (i, w) in first.iter().enumerate() {
        let bytes = w.to_bytes();
        assert!(*w != Scalar::ZERO && (bytes[16..] == [0; 16] || *w == largest));
        assert!(first[..i].iter().all(|other| other != w));
    }
    assert!(first.iter().any(|w| w.to_bytes()[15] > 0x7f));
    assert!(weights(&proofs[..39]).iter().zip(&first).all(|(a, b)| a != b));
    proofs[39].spoil(Scalar::ONE);
    assert!(weights(&proofs).iter().zip(&first).all(|(a, b)| a != b));
}

#[test]
fn the_search_finds_all_within_its_bound() {
    let mut random = Random::new(7);
    for len in 1..=70usize {
        for k in (1..=len).filter(|k| *k <= 4 || *k == len) {
            let mut all: Vec<usize> = (0..len).collect();
            random.shuffle(&mut all);
            let mut bad = all[..k].to_vec();
            bad.sort_unstable();
            let (mut sums, mut found) = (1, Vec::new());
            let total = k as i64;
            let count = |part: Range<usize>| bad.iter().filter(|i| part.contains(i)).count() as i64;
            let mut sum = |part| {
                sums += 1;
                count(part)
            };
            blame::search(0..len, &total, &mut sum, &|sum| *sum == 0, &mut found);
            assert_eq!(found, bad);
            let log = len.next_power_of_two().ilog2() as usize;
            assert!(sums <= (1 + k * log).min(len), "{len} {k} {sums}");
        }
    }
}

#[test]
fn two_kinds_in_one_batch() {
    let mut random = Random::new(8);
    let first = SameLogs::<EdwardsCofactored>::new();
    let second = SameLogs::<EdwardsCofactored> { bases: Arc::clone(&first.bases), group: PhantomData };
    let pair = Arc::new(Pair::new(&first, &second));
    let proofs: Vec<_> = (0..10).map(|_| Proof::new::<EdwardsPoint>(&mut random)).collect();
    let close = |proofs: &[Proof]| {
        let mut batch = Accumulator::new(Arc::clone(&pair), Limits::NONE);
        for (i, proof) in proofs.iter().enumerate() {
            let statement = if i % 3 == 0 { Either::First(proof) } else { Either::Second(proof) };
            assert_eq!(batch.push(statement), Ok(i));
        }
        batch.close_and_blame()
    };
    assert_eq!(close(&proofs), Ok(()));
    assert_eq!(close(&proofs[..1]), Ok(()));
    let mut bad = proofs.clone();
    bad[3].spoil(Scalar::ONE);
    bad[4].spoil(Scalar::ONE);
    bad[5].s = [0; 32];
    bad[9].points[1] = [0xff; 32];
    let names = vec![
        (3, PairError::Equation),
        (4, PairError::Equation),
        (5, PairError::Second(TestError::ZeroResponse)),
        (9, PairError::First(TestError::Point(1))),
    ];
    let blame = Blame::Items(names);
    assert_eq!(
        blame.to_string(),
        "invalid items of the batch:\n3: the verification equations do not hold\n4: the verification equations do not hold\n5: ZeroResponse\n9: Point(1)"
    );
    assert_eq!(close(&bad), Err(blame));
    // Errors that would cancel across the kinds.
    let mut bad = proofs;
    bad[0].spoil(Scalar::ONE);
    bad[1].spoil(-Scalar::ONE);
    let names = vec![(0, PairError::Equation), (1, PairError::Equation)];
    assert_eq!(close(&bad), Err(Blame::Items(names)));
}

/// A verifier that loses an item must not make the others' verdict its own.
#[test]
#[should_panic(expected = "answers for every item")]
fn a_verifier_that_loses_an_item_has_no_verdict() {
    struct Forgetful(SameLogs<Edwards>);
    impl Verifier for Forgetful {
        type Group = Edwards;
        type Statement<'a> = &'a Proof;
        type Item = Proof;
        type Claim = TestClaim<EdwardsPoint>;
        type Error = TestError;
        fn check(&self, proof: &Proof) -> Result<Proof, TestError> {
            self.0.check(proof)
        }
        fn encodings<'a>(&self, item: &'a Proof) -> &'a [[u8; 32]] {
            self.0.encodings(item)
        }
        fn point_error(&self, item: &Proof, index: usize) -> TestError {
            self.0.point_error(item, index)
        }
        fn heap_bytes(&self, item: &Proof) -> usize {
            self.0.heap_bytes(item)
        }
        fn prepare(&self, mut items: Vec<(Proof, Vec<EdwardsPoint>)>) -> Vec<Result<Self::Claim, TestError>> {
            items.pop();
            self.0.prepare(items)
        }
        fn bind(&self, claim: &Self::Claim, out: &mut Vec<u8>) {
            self.0.bind(claim, out);
        }
        fn equations(&self, claim: &Self::Claim) -> usize {
            self.0.equations(claim)
        }
        fn equation_error(&self) -> TestError {
            self.0.equation_error()
        }
        fn add(&self, claims: &[Weighted<'_, Self::Claim>], sum: &mut Sum<Edwards>) {
            self.0.add(claims, sum);
        }
    }
    let mut random = Random::new(9);
    let verifier = Forgetful(SameLogs::new());
    let mut batch = Accumulator::new(&verifier, Limits::NONE);
    for _ in 0..2 {
        batch.push(&Proof::new::<EdwardsPoint>(&mut random)).unwrap();
    }
    let _ = batch.close();
}
