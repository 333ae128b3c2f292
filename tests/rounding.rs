//! Every coarse entry point under every floating-point environment a C caller may have left: four rounding modes,
//! flush-to-zero and denormals-are-zero, the precision exception unmasked. Results must not change, and neither must
//! the caller's environment.
#![cfg(all(target_arch = "x86_64", target_feature = "sse2"))]

use std::arch::asm;

use curve25519_lanes::cpu::{BackendId, force};
use curve25519_lanes::msm::{self, StaticPoints};
use curve25519_lanes::{
    EdwardsPoint, RistrettoPoint, Scalar, compress_batch, compress_batch_ristretto, decompress_batch_dalek,
    decompress_batch_ristretto, decompress_batch_strict, monero_hash_to_point_batch, x25519_batch,
};

fn mxcsr() -> u32 {
    let mut value = 0u32;
    // SAFETY: stores the control register to a local variable.
    unsafe { asm!("stmxcsr [{}]", in(reg) &mut value, options(nostack, preserves_flags)) };
    value
}

fn set_mxcsr(value: u32) {
    // SAFETY: sets rounding, flush and mask bits only, all of them legal; the test restores the default.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &value, options(nostack, preserves_flags)) };
}

/// All results of one pass, as bytes.
fn everything(scalars: &[Scalar], encodings: &[[u8; 32]], ristretto: &[[u8; 32]]) -> Vec<[u8; 32]> {
    let points = decompress_batch_strict(encodings).unwrap();
    let mut out = compress_batch(&points);
    out.extend(compress_batch(&decompress_batch_dalek(encodings).unwrap()));
    out.extend(compress_batch_ristretto(&decompress_batch_ristretto(ristretto).unwrap()));
    out.extend(compress_batch(&monero_hash_to_point_batch(encodings)));
    out.extend(x25519_batch(encodings, ristretto));
    out.extend(compress_batch(&msm::mul_batch(scalars, &points).unwrap()));
    out.extend(compress_batch(&msm::mul_base_batch(scalars)));
    out.extend(compress_batch(&msm::same_scalar_vartime(&scalars[0], &points)));
    let table = StaticPoints::new(&points);
    for n in [1, 20, points.len()] {
        let (scalars, points) = (&scalars[..n], &points[..n]);
        out.push(msm::vartime(scalars, points).unwrap().compress().0);
        out.push(msm::constant_time(scalars, points).unwrap().compress().0);
        out.push(table.mixed_vartime(scalars, scalars, points).unwrap().compress().0);
    }
    out
}

#[test]
fn results_and_environment_survive_every_mode() {
    let mut scalars = vec![-Scalar::ONE];
    while scalars.len() < 300 {
        let last = scalars[scalars.len() - 1];
        scalars.push(last * last + Scalar::from(scalars.len() as u64));
    }
    let points = msm::mul_base_batch(&scalars);
    let encodings = compress_batch(&points);
    let ristretto: Vec<[u8; 32]> = scalars.iter().map(|k| RistrettoPoint::mul_base(k).compress().0).collect();
    force(Some(BackendId::Portable)).unwrap();
    let expected = everything(&scalars, &encodings, &ristretto);
    assert_eq!(expected[0], EdwardsPoint::mul_base(&scalars[0]).compress().0);

    const DEFAULT: u32 = 0x1f80;
    for &id in BackendId::ALL {
        if force(Some(id)).is_err() {
            println!("skipped: backend {id}");
            continue;
        }
        for rounding in 0..4u32 {
            for bits in [0, 0x8000, 0x0040, 0x8040] {
                for mask in [DEFAULT, DEFAULT & !0x1000] {
                    let mode = mask | rounding << 13 | bits;
                    set_mxcsr(mode);
                    let got = everything(&scalars, &encodings, &ristretto);
                    let after = mxcsr();
                    set_mxcsr(DEFAULT);
                    // The sticky flags (low six bits) may be set where the default environment was in force.
                    assert_eq!(after & !0x3f, mode, "{id}: environment changed");
                    assert!(got == expected, "{id}: wrong result under MXCSR {mode:#x}");
                }
            }
        }
    }
    force(None).unwrap();
}
