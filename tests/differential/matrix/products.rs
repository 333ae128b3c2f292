//! Scalars times points: sums, and products side by side.

use curve25519_dalek as dalek;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::msm::{self, CofactorTable, FixedBase, StaticPoints};
use curve25519_lanes::{EdwardsPoint, Scalar, compress_batch};

use super::super::common::each_backend;
use super::super::inputs::product;
use super::{GRID_SPREAD, Matrix, POOL, Pool};

/// Around the sizes of parts.
const LARGE: &[usize] = &[127, 128, 129, 257];

/// Sizes at which a plan changes: to Pippenger's method on each backend, to threads, to windows of the whole scalar.
fn thresholds() -> Vec<usize> {
    let mut out = vec![100, 189, 190, 191, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025];
    each_backend(|id: BackendId| {
        let n = msm::pippenger_from(id);
        out.extend([n - 1, n, n + 1].into_iter().filter(|n| *n <= POOL));
    });
    out.sort_unstable();
    out.dedup();
    out
}

fn one(point: EdwardsPoint) -> [u8; 32] {
    point.compress().0
}

pub(super) fn run(matrix: &mut Matrix, pool: &Pool) {
    let Pool { scalars, points, .. } = pool;
    let large = thresholds();
    matrix.check(
        "msm/mod.rs vartime",
        &large,
        |w| pool.sum(&w),
        |w| one(msm::vartime(&scalars[w.clone()], &points[w]).unwrap()),
    );
    matrix.check(
        "msm/mod.rs constant_time",
        &[129, 513],
        |w| pool.sum(&w),
        |w| one(msm::constant_time(&scalars[w.clone()], &points[w]).unwrap()),
    );
    // A third of the window in tables; then a table longer than what is used of it.
    let split = |w: &std::ops::Range<usize>| w.start + w.len() / 3;
    matrix.check(
        "msm/static_points.rs mixed_vartime",
        &large,
        |w| pool.sum(&w),
        |w| {
            let middle = split(&w);
            let table = StaticPoints::new(&points[w.start..middle]);
            one(table
                .mixed_vartime(&scalars[w.start..middle], &scalars[middle..w.end], &points[middle..w.end])
                .unwrap())
        },
    );
    matrix.check(
        "msm/static_points.rs new",
        &large,
        |w| pool.sum(&w),
        |w| {
            let table = StaticPoints::new(&points[w.start..(w.end + 3).min(POOL)]);
            one(table.mixed_vartime(&scalars[w], &[], &[]).unwrap())
        },
    );

    let encoded = |points: &[dalek::EdwardsPoint]| -> Vec<[u8; 32]> { points.iter().map(|p| p.compress().0).collect() };
    let expected = encoded(&pool.products);
    matrix.each("msm/batch.rs mul_batch", LARGE, &expected, |w| {
        compress_batch(&msm::mul_batch(&scalars[w.clone()], &points[w]).unwrap())
    });
    let base: Vec<dalek::EdwardsPoint> = (pool.integers.iter())
        .map(|k| dalek::EdwardsPoint::mul_base(&dalek::Scalar::from_bytes_mod_order(*k)))
        .collect();
    let expected = encoded(&base);
    matrix.each("msm/batch.rs mul_base_batch", LARGE, &expected, |w| compress_batch(&msm::mul_base_batch(&scalars[w])));
    let sums: Vec<dalek::EdwardsPoint> = base.iter().zip(&pool.theirs).map(|(b, p)| p + b).collect();
    matrix.each("msm/base_sums.rs add_base_batch", LARGE, &encoded(&sums), |w| {
        compress_batch(&msm::add_base_batch(&points[w.clone()], &scalars[w]).unwrap())
    });
    let differences: Vec<dalek::EdwardsPoint> = base.iter().zip(&pool.theirs).map(|(b, p)| p - b).collect();
    matrix.each("msm/base_sums.rs sub_base_batch", LARGE, &encoded(&differences), |w| {
        compress_batch(&msm::sub_base_batch(&points[w.clone()], &scalars[w]).unwrap())
    });

    // Three and ten scalars with each window of points, and each window of scalars with two points.
    let rows = [&scalars[..3], &scalars[20..30]];
    let eight = |k: &[u8; 32], p: &dalek::EdwardsPoint| product(k, p).mul_by_cofactor().compress().0;
    let grid: Vec<Vec<[u8; 32]>> = (pool.theirs[..257].iter())
        .map(|p| pool.integers[..3].iter().chain(&pool.integers[20..30]).map(|k| eight(k, p)).collect())
        .collect();
    let columns: Vec<[[u8; 32]; 2]> =
        pool.integers[..257].iter().map(|k| [&pool.theirs[40], &pool.theirs[41]].map(|p| eight(k, p))).collect();
    let expected = |w: std::ops::Range<usize>| {
        let mut out: Vec<[u8; 32]> = grid[w.clone()].iter().flat_map(|g| g[..3].to_vec()).collect();
        out.extend(grid[w.clone()].iter().flat_map(|g| g[3..].to_vec()));
        (0..2).for_each(|p| out.extend(columns[w.clone()].iter().map(|c| c[p])));
        out
    };
    type Grid = fn(&[Scalar], &[EdwardsPoint]) -> Vec<[u8; 32]>;
    let grids: [(&'static str, Grid); 2] = [
        ("msm/grid.rs mul_by_cofactor_grid", |k, p| compress_batch(&msm::mul_by_cofactor_grid(k, p))),
        ("msm/grid.rs mul_by_cofactor_grid_encoded", msm::mul_by_cofactor_grid_encoded),
    ];
    let spread = std::mem::replace(&mut matrix.spread, GRID_SPREAD);
    for (name, function) in grids {
        matrix.check(name, &[], expected, |w| {
            let mut out: Vec<[u8; 32]> = rows.iter().flat_map(|k| function(k, &points[w.clone()])).collect();
            out.extend(function(&scalars[w], &points[40..42]));
            out
        });
    }
    matrix.spread = spread;

    // Tables of a point with a part of small order and of the neutral element.
    let places = [41, points.iter().position(|p| p.is_identity().into()).expect("an edge")];
    let expected: Vec<[[u8; 32]; 2]> =
        pool.integers[..257].iter().map(|k| places.map(|p| eight(k, &pool.theirs[p]))).collect();
    for (name, encoded) in [("msm/grid.rs mul_batch", false), ("msm/grid.rs mul_batch_encoded", true)] {
        for make in [CofactorTable::small, CofactorTable::comb] {
            matrix.each(name, LARGE, &expected, |w| {
                let [a, b] = places.map(|p| {
                    let table = make(&points[p]);
                    match encoded {
                        true => table.mul_batch_encoded(&scalars[w.clone()]),
                        false => compress_batch(&table.mul_batch(&scalars[w.clone()])),
                    }
                });
                a.into_iter().zip(b).map(|(a, b)| [a, b]).collect()
            });
        }
    }

    for integer in super::scalar_edges() {
        let expected: Vec<[u8; 32]> =
            pool.theirs[..super::SPREAD].iter().map(|p| product(&integer, p).compress().0).collect();
        let k = Scalar::from_integer_unreduced(integer);
        matrix.each("msm/same_scalar.rs same_scalar_vartime", &[], &expected, |w| {
            compress_batch(&msm::same_scalar_vartime(&k, &points[w]))
        });
    }

    // Functions of one or two terms: each window is gone through one by one.
    let expected: Vec<[u8; 32]> = pool.products.iter().zip(&base).map(|(p, b)| (p + b).compress().0).collect();
    matrix.each("msm/double_base.rs double_base_vartime", &[], &expected, |w| {
        w.map(|i| one(msm::double_base_vartime(&scalars[i], &points[i], &scalars[i]))).collect()
    });
    let place = places[0];
    let expected: Vec<[u8; 32]> =
        pool.integers[..257].iter().map(|k| product(k, &pool.theirs[place]).compress().0).collect();
    matrix.each("msm/fixed_base.rs mul", &[], &expected, |w| {
        let table = FixedBase::new(&points[place]);
        w.map(|i| one(table.mul(&scalars[i]))).collect()
    });
    let expected = encoded(&base);
    matrix.each("msm/batch.rs mul_base", &[], &expected, |w| {
        w.map(|i| one(EdwardsPoint::mul_base(&scalars[i]))).collect()
    });
}
