//! Every public function that takes many items, on every backend, at sizes across the edges of lanes, pairs of vectors and
//! plans. Each function has a pool of items in which the edge values stand; a size cuts the pool into windows, so that
//! every item comes by in many lanes. What is expected is computed one by one, by somebody else's code where there is any.
//!
//! `inventory` fails for a function of that kind in `src/` that is neither here nor named with the test that has it.

mod groups;
mod hashes;
mod inventory;
mod products;
mod switching;
#[cfg(all(feature = "std", feature = "rand_core"))]
mod verifiers;
mod wallets;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;

use curve25519_dalek as dalek;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::{EdwardsPoint, Scalar};

use super::common::{Random, each_backend};
use super::inputs::{Pair, points, product};

/// Up to here the whole pool is cut into windows; beyond, there is one window from the pool's start.
const SMALL: &[usize] = &[0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65];
/// Items of a pool that are cut into windows of small sizes.
const SPREAD: usize = 132;
/// The same for functions that multiply each item by several others.
const GRID_SPREAD: usize = 66;

/// What was called and compared.
#[derive(Clone, Copy, Default)]
struct Count {
    calls: usize,
    items: usize,
}

struct Matrix {
    counts: BTreeMap<&'static str, BTreeMap<BackendId, Count>>,
    sizes: &'static [usize],
    spread: usize,
}

impl Matrix {
    /// `compute` gives, for a window of the pool, what `expected` says of it, at small sizes and these larger ones.
    fn check<T: PartialEq + Debug>(
        &mut self,
        name: &'static str,
        large: &[usize],
        expected: impl Fn(Range<usize>) -> T,
        mut compute: impl FnMut(Range<usize>) -> T,
    ) {
        each_backend(|id| {
            let count = self.counts.entry(name).or_default().entry(id).or_default();
            let mut window = |window: Range<usize>| {
                let (got, wanted) = (compute(window.clone()), expected(window.clone()));
                assert!(got == wanted, "{name} on {id}, items {window:?}: {got:02x?}, not {wanted:02x?}");
                count.calls += 1;
                count.items += window.len();
            };
            let spread = self.spread;
            for &size in self.sizes {
                match size {
                    0 => window(0..0),
                    _ => (0..spread).step_by(size).for_each(|start| window(start..(start + size).min(spread))),
                }
            }
            large.iter().for_each(|&size| window(0..size));
        });
    }

    /// As [`check`](Matrix::check) for functions that give one result an item.
    fn each<T: PartialEq + Debug + Clone>(
        &mut self,
        name: &'static str,
        large: &[usize],
        expected: &[T],
        compute: impl FnMut(Range<usize>) -> Vec<T>,
    ) {
        self.check(name, large, |window| expected[window].to_vec(), compute);
    }

    fn print(&self) {
        let (mut calls, mut items) = (0, 0);
        for (name, backends) in &self.counts {
            let cells: Vec<String> = backends.iter().map(|(id, count)| format!("{id} {}", count.calls)).collect();
            calls += backends.values().map(|count| count.calls).sum::<usize>();
            items += backends.values().map(|count| count.items).sum::<usize>();
            println!("{name}: {}", cells.join(", "));
        }
        println!("{} functions, {calls} calls, {items} items", self.counts.len());
    }
}

/// Scalars times points with what they come to, and the sum of all before each.
struct Pool {
    integers: Vec<[u8; 32]>,
    scalars: Vec<Scalar>,
    points: Vec<EdwardsPoint>,
    theirs: Vec<dalek::EdwardsPoint>,
    products: Vec<dalek::EdwardsPoint>,
    sums: Vec<dalek::EdwardsPoint>,
}

/// Items of the largest pool.
const POOL: usize = 1030;

impl Pool {
    /// First each edge of scalars with each edge of points, in an order of chance; then anything.
    fn new() -> Pool {
        let mut random = Random(11);
        let mut terms: Vec<([u8; 32], Pair)> = Vec::new();
        for integer in scalar_edges() {
            terms.extend(point_edges().into_iter().map(|point| (integer, point)));
        }
        assert!(terms.len() == SPREAD);
        for i in (1..terms.len()).rev() {
            terms.swap(i, random.below(i + 1));
        }
        let rest = POOL - terms.len();
        let more = points(&mut random, rest);
        terms.extend(more.into_iter().map(|point| (random.bytes(), point)));
        let products: Vec<_> = terms.iter().map(|(k, p)| product(k, &p.theirs)).collect();
        let mut sums = vec![dalek::EdwardsPoint::default()];
        sums.extend(products.iter().scan(dalek::EdwardsPoint::default(), |sum, p| {
            *sum += p;
            Some(*sum)
        }));
        Pool {
            integers: terms.iter().map(|t| t.0).collect(),
            scalars: terms.iter().map(|t| Scalar::from_integer_unreduced(t.0)).collect(),
            points: terms.iter().map(|t| t.1.ours).collect(),
            theirs: terms.iter().map(|t| t.1.theirs).collect(),
            products,
            sums,
        }
    }

    /// The sum over a window.
    fn sum(&self, window: &Range<usize>) -> [u8; 32] {
        (self.sums[window.end] - self.sums[window.start]).compress().0
    }
}

/// 0, 1, l - 1, l, l + 1, 2^252, p - 1, 2^255 - 1, 2^256 - 1, digits that all carry, and one at random.
fn scalar_edges() -> [[u8; 32]; 11] {
    let near_l = |first| {
        let mut bytes = super::inputs::L;
        bytes[0] = first;
        bytes
    };
    let high = |first, last| {
        let mut bytes = [0xff; 32];
        (bytes[0], bytes[31]) = (first, last);
        bytes
    };
    let mut small = [[0; 32]; 3];
    small[1][0] = 1;
    small[2][31] = 0x10;
    let [zero, one, power] = small;
    let (p_less_1, below_255) = (high(0xec, 0x7f), high(0xff, 0x7f));
    let any = Random(3).bytes();
    [zero, one, near_l(0xec), near_l(0xed), near_l(0xee), power, p_less_1, below_255, [0xff; 32], [0x88; 32], any]
}

/// The neutral element, the other points of small order, a point, a point with a part of order 2, its opposite (with
/// another Z), a point with a part of order 8.
fn point_edges() -> Vec<Pair> {
    let torsion = dalek::constants::EIGHT_TORSION;
    let base = dalek::constants::ED25519_BASEPOINT_POINT;
    let mixed = Pair::new(base + base + torsion[4], true);
    let mut out: Vec<Pair> = torsion.iter().map(|p| Pair::new(*p, false)).collect();
    out.extend([Pair::new(base, false), mixed, Pair { ours: -mixed.ours, theirs: -mixed.theirs }]);
    out.push(Pair::new(base + base + base + torsion[1], true));
    out
}

#[test]
fn every_function_on_every_backend_at_every_size() {
    if cfg!(debug_assertions) {
        println!("skipped: minutes in a build with checks");
        return;
    }
    let (mut matrix, pool) = (Matrix { counts: BTreeMap::new(), sizes: SMALL, spread: SPREAD }, Pool::new());
    groups::run(&mut matrix, &pool);
    products::run(&mut matrix, &pool);
    hashes::run(&mut matrix);
    wallets::run(&mut matrix, &pool);
    #[cfg(all(feature = "std", feature = "rand_core"))]
    verifiers::run(&mut matrix);
    matrix.print();
    inventory::must_be_here(&matrix.counts.keys().copied().collect::<Vec<_>>());
}
