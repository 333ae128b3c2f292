//! The constant-time entry points under Valgrind with their secrets marked as undefined: no branch and no address may
//! depend on them. Eight lanes (AVX-512) are beyond Valgrind.

use std::hint::black_box;
use std::prelude::v1::*;
use std::process::Command;
use std::{env, println};

use super::valgrind::{self, publish, secret};
use crate::cpu::{self, BackendId};
use crate::field::FieldElement;
use crate::field::bn254::Fr;
use crate::hash::{blake2b, keccak, poseidon2};
use crate::msm;
use crate::proofs::one_of_many::{Shape, bit_cells};
use crate::wallet::{Derivation, amount, derive, ecdh};
use crate::*;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Points in a batch: two vectors of the widest backend here, and some.
const BATCH: usize = 9;

pub(super) struct Inputs {
    pub(super) k: [Scalar; BATCH],
    pub(super) bytes: [[u8; 32]; BATCH],
    wide: [u8; 64],
    points: [EdwardsPoint; BATCH],
    /// Points that need not be secret where scalars are: their Z may be looked at.
    public: [EdwardsPoint; 3],
}

/// A name, and work on secrets. Results are dropped; no one looks at them.
pub(super) type Case = (&'static str, fn(&Inputs));

pub(super) fn done<T>(x: T) {
    black_box(&x);
}

const CASES: &[Case] = &[
    ("x25519", |i| done(x25519(&i.bytes[0], &i.bytes[1]))),
    ("x25519_batch", |i| done(x25519_batch(&i.bytes, &i.bytes))),
    ("MontgomeryPoint::mul_bits", |i| done(MontgomeryPoint(i.bytes[1]).mul_bits(&i.bytes[0]))),
    ("MontgomeryPoint::ct_eq", |i| done(MontgomeryPoint(i.bytes[0]).ct_eq(&MontgomeryPoint(i.bytes[1])))),
    ("EdwardsPoint::to_montgomery", |i| done(i.points[0].to_montgomery())),
    ("scalar times point", |i| done(i.k[0] * i.points[0])),
    ("EdwardsPoint::mul_base", |i| done(EdwardsPoint::mul_base(&i.k[0]))),
    ("msm::mul_batch", |i| done(msm::mul_batch(&i.k, &i.points))),
    ("msm::mul_base_batch", |i| done(msm::mul_base_batch(&i.k))),
    ("msm::add_base_batch", |i| done(msm::add_base_batch(&i.points, &i.k))),
    ("msm::sub_base_batch", |i| done(msm::sub_base_batch(&i.points, &i.k))),
    ("msm::mul_by_cofactor_grid", |i| done(msm::mul_by_cofactor_grid(&i.k, &i.public))),
    ("msm::mul_by_cofactor_grid_encoded", |i| done(msm::mul_by_cofactor_grid_encoded(&i.k, &i.public))),
    ("msm::constant_time", |i| done(msm::constant_time(&i.k, &i.points))),
    ("EdwardsPoint: +, -, 2^n", |i| {
        done((i.points[0] + i.points[1], i.points[0] - i.points[1], i.points[0].mul_by_pow_2(3)))
    }),
    ("EdwardsPoint: comparisons", |i| {
        done((i.points[0].ct_eq(&i.points[1]), i.points[0].is_identity(), i.points[0].is_torsion_free()));
    }),
    ("EdwardsPoint::compress", |i| done(i.points[0].compress())),
    ("compress_batch", |i| done(compress_batch(&i.points))),
    ("RistrettoPoint::compress", |i| done(RistrettoPoint::mul_base(&i.k[0]).compress())),
    ("RistrettoPoint::from_uniform_bytes", |i| done(RistrettoPoint::from_uniform_bytes(&i.wide))),
    ("compress_batch_ristretto", |i| {
        let points: Vec<RistrettoPoint> = i.k.iter().map(RistrettoPoint::mul_base).collect();
        done(compress_batch_ristretto(&points));
    }),
    ("Scalar: +, -, *, 1/x", |i| done((i.k[0] + i.k[1], i.k[0] - i.k[1], i.k[0] * i.k[1], i.k[0].invert()))),
    ("Scalar: reductions", |i| {
        done((Scalar::from_bytes_mod_order(i.bytes[0]), Scalar::from_bytes_mod_order_wide(&i.wide)));
    }),
    ("Scalar::batch_invert", |i| {
        let mut k = i.k;
        Scalar::batch_invert(&mut k);
        done(k);
    }),
    ("Scalar: comparisons", |i| {
        let k = Scalar::from_integer_unreduced(i.bytes[0]);
        done((k.is_canonical(), k.is_zero(), k.ct_eq(&i.k[1])));
        done(Scalar::conditional_select(&k, &i.k[1], Choice::from(i.bytes[2][0] & 1)));
    }),
    ("FieldElement", |i| {
        let (x, y) = (FieldElement::from_bytes(&i.bytes[0]), FieldElement::from_bytes(&i.bytes[1]));
        done((x + y, x - y, x * y, -x, x.square(), x.invert(), FieldElement::sqrt_ratio(&x, &y), x.to_bytes()));
        let mut both = [x, y];
        FieldElement::batch_invert(&mut both);
        done((both, x.is_negative(), x.ct_eq(&y)));
    }),
    ("Fr and Poseidon2", |i| {
        let x = i.bytes.map(|bytes| Fr::from_bytes_reduced(&bytes));
        done((x[0] + x[1], x[0] - x[1], x[0] * x[1], -x[0], x[0].to_bytes(), poseidon2::hash(&x)));
        let mut out = [Fr::ZERO; BATCH];
        poseidon2::hash_batch(&x.each_ref().map(core::slice::from_ref), &mut out);
        done(out);
    }),
    ("one-of-many proofs: index and nonces", |i| {
        let shape = Shape::new(3, 2).expect("a ring of nine");
        let index = usize::from(i.bytes[0][0]);
        let (sigma, a) = (shape.indicator(index), &i.k[..6]);
        done((shape.select(&i.points, 1, index), shape.polynomials(&sigma, a), bit_cells(&sigma, a)));
    }),
    ("msm::FixedBase", |i| {
        let table = msm::FixedBase::new(&i.public[0]);
        done((table.mul(&i.k[0]), table.mul(&i.k[1])));
    }),
    ("msm::CofactorTable", |i| {
        let (small, comb) = (msm::CofactorTable::small(&i.public[0]), msm::CofactorTable::comb(&i.public[0]));
        done((small.mul_batch_encoded(&i.k), comb.mul_batch_encoded(&i.k)));
    }),
    ("mul_bits_batch, to_montgomery_batch", |i| {
        let us = to_montgomery_batch(&i.points);
        done(mul_bits_batch(&i.bytes, &us));
    }),
    ("compress_batch_secret", |i| done(compress_batch_secret(&i.points))),
    ("wallet: grids of X25519", |i| {
        let us = i.public.map(|p| p.to_montgomery().0);
        done((ecdh::x25519_grid(&i.bytes, &us), ecdh::unclamped_grid(&i.bytes, &us)));
    }),
    ("wallet: derivations, view tags, output scalars and keys", |i| {
        let keys = i.public.map(|p| p.compress().0);
        let derivations = derive::derivations(&i.k, &keys);
        let outputs: Vec<_> = derivations.iter().flatten().map(|d| (d, 127)).collect();
        done((derive::view_tags(&outputs), Derivation::new(&i.k[0], &keys[0])));
        let scalars = derive::output_scalars(&outputs);
        done(derive::output_keys(&scalars[..BATCH], &i.points));
        done(derive::spend_keys(&scalars[..BATCH], &i.points));
        done(outputs[0].0.output_secret(5, &i.k[1]));
    }),
    ("wallet: keys of subaddresses", |i| {
        let pair = wallet::ViewPair::from_secrets(&i.k[0], &i.k[1]);
        let indexes = [(0, 0), (0, 1), (3, 300)];
        done((pair.subaddress_scalar(1, 2), pair.spend_keys(&indexes), pair.view_keys(&indexes)));
    }),
    ("wallet: masks and encrypted amounts", |i| {
        let amount = u64::from_le_bytes(*i.bytes[0].first_chunk().expect("eight bytes"));
        done((amount::commitment_mask(&i.k[0]), wallet::EncryptedAmount::compact(&i.k[0], amount)));
    }),
    ("Merlin transcripts", |i| {
        let mut transcript = crate::hash::Transcript::new(b"test");
        transcript.append_message(b"secret", &i.wide);
        let mut out = [0; 64];
        transcript.challenge_bytes(b"challenge", &mut out);
        done(out);
    }),
    ("keccak256, blake2b_256", |i| done((keccak::keccak256(&i.wide), blake2b::blake2b_256(&i.wide)))),
    ("keccak256_batch", |i| {
        let mut out = [[0; 32]; BATCH];
        crate::hash::keccak256_batch(&i.bytes.each_ref().map(|x| &x[..]), &mut out);
        done(out);
    }),
];

/// What the test must see: a branch, and an address.
const LEAKS: &[Case] = &[
    ("a branch", |i| {
        if black_box(i.bytes[0][0]) & 1 == 1 {
            println!("odd");
        }
    }),
    ("an address", |i| done(black_box(&[1u8; 256])[usize::from(i.bytes[0][1])])),
];

/// All lists of entry points.
fn cases() -> impl Iterator<Item = &'static [Case]> {
    [
        CASES,
        #[cfg(feature = "rand_core")]
        super::provers::CASES,
    ]
    .into_iter()
}

/// Cases that memcheck complains of.
fn complaints(cases: &[Case]) -> Vec<&'static str> {
    let k: [Scalar; BATCH] = core::array::from_fn(|j| Scalar::from(0x1234_5678_9abc_def1u64 * (j as u64 + 1)).invert());
    let inputs = Inputs {
        points: k.map(|k| EdwardsPoint::mul_base(&k)),
        bytes: k.map(|k| k.square().to_bytes()),
        wide: core::array::from_fn(|j| (j * 73) as u8),
        public: core::array::from_fn(|j| EdwardsPoint::mul_base(&k[j]).double()),
        k,
    };
    let inputs = Box::new(Inputs {
        k: secret(inputs.k),
        bytes: secret(inputs.bytes),
        wide: secret(inputs.wide),
        points: secret(inputs.points),
        public: inputs.public,
    });
    let mut found = Vec::new();
    for (name, case) in cases {
        let before = valgrind::errors();
        case(&inputs);
        if valgrind::errors() != before {
            found.push(*name);
        }
    }
    publish(core::slice::from_ref(&*inputs));
    found
}

#[test]
#[ignore = "runs under Valgrind, started by `secrets_steer_nothing`"]
fn under_valgrind() {
    assert!(valgrind::is_running());
    assert_eq!(complaints(LEAKS).len(), LEAKS.len(), "planted leaks were not seen");
    let mut backends = 0;
    let mut found = Vec::new();
    for &id in BackendId::ALL {
        if cpu::force(Some(id)).is_err() {
            println!("skipped: backend {id}");
            continue;
        }
        backends += 1;
        found.extend(cases().flat_map(complaints).map(|name| std::format!("{name} on {id}")));
    }
    cpu::force(None).unwrap();
    assert!(found.is_empty(), "secrets decide branches or addresses in: {}", found.join(", "));
    let cases: usize = cases().map(<[Case]>::len).sum();
    println!("{backends} backends, {cases} entry points: nothing depends on secrets");
}

#[test]
fn secrets_steer_nothing() {
    if cfg!(debug_assertions) {
        println!("skipped: builds with debug assertions look at limbs");
        return;
    }
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|out| out.status.success()) {
        println!("skipped: no valgrind");
        return;
    }
    let name = module_path!().split_once("::").expect("a module below the crate").1;
    let out = Command::new("valgrind")
        .args(["--quiet", "--error-limit=no", "--num-callers=20"])
        .arg(env::current_exe().expect("this program has a path"))
        .args(["--exact", &std::format!("{name}::under_valgrind"), "--ignored", "--nocapture", "--test-threads=1"])
        .env(cpu::ASSUME_ADX, "1")
        .output()
        .expect("valgrind starts");
    let (text, complaints) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success() && text.contains("1 passed"), "{text}\n{complaints}");
    text.lines().filter(|line| line.contains("backend")).for_each(|line| println!("{line}"));
}
