//! What is measured: each operation of scanning, in each way to do it, by each implementation.

use curve25519_dalek as dalek;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::hash::keccak256;
use curve25519_lanes::msm::CofactorTable;
use curve25519_lanes::wallet::Derivation;
use curve25519_lanes::wallet::derive::{derivations, output_keys, output_scalars};
use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint, Scalar, x25519, x25519_batch};

use super::ref10;

/// Operations done together by a batch.
pub(crate) const BATCH: usize = 64;

/// Who does the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Implementation {
    Ref10,
    Backend(BackendId),
    /// A ladder in the lanes of a vector backend, everything else on a backend of one lane.
    Ladder(BackendId),
    Dalek,
    X25519Dalek,
}

impl Implementation {
    /// All that this machine can run.
    pub(crate) fn all() -> Vec<Implementation> {
        let one_lane = [BackendId::Amd64_51, BackendId::Amd64_64];
        let ladder = vector().is_some();
        let mut out = vec![Implementation::Ref10];
        out.extend(BackendId::available().map(Implementation::Backend));
        out.extend(one_lane.into_iter().filter(|id| ladder && id.is_available()).map(Implementation::Ladder));
        out.extend([Implementation::Dalek, Implementation::X25519Dalek]);
        out
    }

    /// At most 16 characters.
    pub(crate) fn name(self) -> String {
        match self {
            Implementation::Ref10 => "ref10".into(),
            Implementation::Backend(id) => id.name().into(),
            Implementation::Ladder(id) => format!("{}-sandy2x", id.name()),
            Implementation::Dalek => "dalek".into(),
            Implementation::X25519Dalek => "x25519-dalek".into(),
        }
    }

    /// The backend that must be current while it works.
    pub(crate) fn backend(self) -> Option<BackendId> {
        match self {
            Implementation::Backend(id) | Implementation::Ladder(id) => Some(id),
            _ => None,
        }
    }

    fn lanes(self) -> usize {
        match self {
            Implementation::Backend(BackendId::Ifma) => 8,
            Implementation::Backend(BackendId::Avx2) => 4,
            _ => 1,
        }
    }
}

/// The backend whose lanes run the ladders labelled as those of sandy2x: four lanes, where there are.
fn vector() -> Option<BackendId> {
    [BackendId::Avx2, BackendId::Ifma].into_iter().find(|id| id.is_available())
}

/// The data all work on.
pub(crate) struct Inputs {
    /// A transaction key, and many.
    keys: Vec<[u8; 32]>,
    us: Vec<[u8; 32]>,
    secrets: Vec<Scalar>,
    secret_bytes: Vec<[u8; 32]>,
    spend_public: [u8; 32],
    spend: EdwardsPoint,
    peer_secret: dalek::Scalar,
}

impl Inputs {
    pub(crate) fn new(seed: &[u8; 32]) -> Inputs {
        let scalar = |kind: u8, i: usize| {
            let text = [&seed[..], &[kind], &(i as u64).to_le_bytes()].concat();
            Scalar::from_bytes_mod_order(keccak256(&text))
        };
        let secrets: Vec<Scalar> = (0..BATCH).map(|i| scalar(0, i)).collect();
        let points: Vec<EdwardsPoint> = (0..BATCH).map(|i| EdwardsPoint::mul_base(&scalar(1, i))).collect();
        let spend = EdwardsPoint::mul_base(&scalar(2, 0));
        let spend_public = spend.compress().0;
        let secret_bytes: Vec<[u8; 32]> = secrets.iter().map(Scalar::to_bytes).collect();
        Inputs {
            keys: points.iter().map(|p| p.compress().0).collect(),
            us: points.iter().map(|p| p.to_montgomery().0).collect(),
            peer_secret: dalek::Scalar::from_bytes_mod_order(secret_bytes[0]),
            secrets,
            secret_bytes,
            spend_public,
            // As decoding gives it.
            spend: CompressedEdwardsY(spend_public).decompress_strict().unwrap_or(spend),
        }
    }
}

/// Work of `units` operations. Called with 0, 1, 2, …; gives what it computed last.
pub(crate) struct Work<'a> {
    pub(crate) variant: String,
    pub(crate) implementation: Implementation,
    pub(crate) units: usize,
    pub(crate) call: Box<dyn FnMut(u64) -> Vec<[u8; 32]> + 'a>,
    /// What a call must give.
    pub(crate) expected: Box<dyn Fn(u64) -> Vec<[u8; 32]> + 'a>,
}

/// How a shared secret is computed.
#[derive(Clone, Copy, PartialEq)]
enum Secret {
    Standard,
    Table,
    Curve25519,
}

type Derive<'a> = Box<dyn Fn() -> Vec<[u8; 32]> + 'a>;
type Key<'a> = Box<dyn Fn(&[u8; 32], u64) -> [u8; 32] + 'a>;

/// One shared secret, or as many as the vector ladder has lanes, by this implementation.
fn derive<'a>(inputs: &'a Inputs, who: Implementation, secret: Secret) -> Option<Derive<'a>> {
    let key = &inputs.keys[0];
    let u = &inputs.us[0];
    Some(match (secret, who) {
        (Secret::Standard, Implementation::Ref10) => {
            Box::new(move || vec![ref10::derivation(&inputs.secret_bytes[0], key).unwrap_or_default()])
        }
        (Secret::Standard, Implementation::Backend(_)) => {
            Box::new(move || vec![Derivation::new(&inputs.secrets[0], key).map_or([0; 32], |d| d.0)])
        }
        (Secret::Standard, Implementation::Dalek) => Box::new(move || {
            let point = dalek::edwards::CompressedEdwardsY(*key).decompress();
            vec![point.map_or([0; 32], |p| (inputs.peer_secret * p).mul_by_cofactor().compress().0)]
        }),
        (Secret::Table, Implementation::Backend(id)) => {
            let table = with_backend(id, || {
                let point = CompressedEdwardsY(*key).decompress_strict().unwrap_or(EdwardsPoint::IDENTITY);
                CofactorTable::small(&point)
            });
            Box::new(move || table.mul_batch_encoded(&inputs.secrets[..1]))
        }
        (Secret::Curve25519, Implementation::Backend(_)) => Box::new(move || vec![x25519(&inputs.secret_bytes[0], u)]),
        (Secret::Curve25519, Implementation::X25519Dalek) => {
            Box::new(move || vec![x25519_dalek::x25519(inputs.secret_bytes[0], *u)])
        }
        _ => return None,
    })
}

/// Runs `work` while `id` is current.
fn with_backend<R>(id: BackendId, work: impl FnOnce() -> R) -> R {
    let before = BackendId::forced();
    let _ = curve25519_lanes::cpu::force(Some(id));
    let out = work();
    let _ = curve25519_lanes::cpu::force(before);
    out
}

/// One output key from a shared secret.
fn output<'a>(inputs: &'a Inputs, who: Implementation, decoded: bool) -> Option<Key<'a>> {
    let spend = &inputs.spend_public;
    Some(match who {
        Implementation::Ref10 if decoded => return None,
        Implementation::Ref10 => Box::new(move |d, index| {
            let scalar = Derivation(*d).scalar(index).to_bytes();
            ref10::decompress(spend).map_or([0; 32], |point| ref10::output_key(&scalar, &point))
        }),
        Implementation::Backend(_) | Implementation::Ladder(_) if decoded => Box::new(move |d, index| {
            (EdwardsPoint::mul_base(&Derivation(*d).scalar(index)) + inputs.spend).compress().0
        }),
        Implementation::Backend(_) | Implementation::Ladder(_) => {
            Box::new(move |d, index| Derivation(*d).output_key(index, spend).unwrap_or_default())
        }
        Implementation::Dalek | Implementation::X25519Dalek => {
            let known = dalek::edwards::CompressedEdwardsY(*spend).decompress();
            Box::new(move |d, index| {
                let point = if decoded { known } else { dalek::edwards::CompressedEdwardsY(*spend).decompress() };
                let scalar = dalek::Scalar::from_bytes_mod_order(Derivation(*d).scalar(index).to_bytes());
                point.map_or([0; 32], |p| (dalek::EdwardsPoint::mul_base(&scalar) + p).compress().0)
            })
        }
    })
}

/// The secret of the first key pair in the plainest way there is.
fn reference(inputs: &Inputs, secret: Secret) -> [u8; 32] {
    match secret {
        Secret::Curve25519 => x25519_dalek::x25519(inputs.secret_bytes[0], inputs.us[0]),
        _ => ref10::derivation(&inputs.secret_bytes[0], &inputs.keys[0]).unwrap_or_default(),
    }
}

fn reference_output(inputs: &Inputs, secret: &[u8; 32], index: u64) -> [u8; 32] {
    let scalar = Derivation(*secret).scalar(index).to_bytes();
    ref10::decompress(&inputs.spend_public).map_or([0; 32], |point| ref10::output_key(&scalar, &point))
}

fn batch_name(who: Implementation) -> String {
    format!("batch {} lanes", who.lanes())
}

/// The component "TX Pub Key".
pub(crate) fn tx_pub_key<'a>(inputs: &'a Inputs, who: Implementation) -> Vec<Work<'a>> {
    let mut works = Vec::new();
    for (name, secret) in [
        ("standard", Secret::Standard),
        ("3-bit table precomp", Secret::Table),
        ("curve25519 shared secret", Secret::Curve25519),
    ] {
        if let Some(derive) = derive(inputs, who, secret) {
            works.push(Work {
                variant: name.into(),
                implementation: who,
                units: 1,
                call: Box::new(move |_| derive()),
                expected: Box::new(move |_| vec![reference(inputs, secret)]),
            });
        }
    }
    let mut push = |variant: String, call: Derive<'a>, expected: Derive<'a>| {
        let (call, expected) = (Box::new(move |_| call()), Box::new(move |_| expected()));
        works.push(Work { variant, implementation: who, units: BATCH, call, expected });
    };
    if let Implementation::Ladder(_) = who {
        push(
            "curve25519 shared secret".into(),
            Box::new(|| ladders(inputs)),
            Box::new(|| {
                inputs.secret_bytes.iter().zip(&inputs.us).map(|(k, u)| x25519_dalek::x25519(*k, *u)).collect()
            }),
        );
    }
    if let Implementation::Backend(id) = who {
        let many_wallets =
            || inputs.secret_bytes.iter().map(|k| ref10::derivation(k, &inputs.keys[0]).unwrap_or_default()).collect();
        let many_keys =
            || inputs.keys.iter().map(|r| ref10::derivation(&inputs.secret_bytes[0], r).unwrap_or_default()).collect();
        type Make = fn(&EdwardsPoint) -> CofactorTable;
        let tables: [(&str, Make); 2] =
            [("8R table precomp", CofactorTable::small), ("comb table precomp", CofactorTable::comb)];
        for (name, make) in tables {
            let point = CompressedEdwardsY(inputs.keys[0]).decompress_strict().unwrap_or(EdwardsPoint::IDENTITY);
            let table = with_backend(id, || make(&point));
            push(name.into(), Box::new(move || table.mul_batch_encoded(&inputs.secrets)), Box::new(many_wallets));
        }
        let call = || derivations(&inputs.secrets[..1], &inputs.keys).iter().flatten().map(|d| d.0).collect();
        push(batch_name(who), Box::new(call), Box::new(many_keys));
    }
    works
}

/// A batch of X25519 in the lanes of a vector backend.
fn ladders(inputs: &Inputs) -> Vec<[u8; 32]> {
    let id = vector().unwrap_or(BackendId::Portable);
    with_backend(id, || x25519_batch(&inputs.secret_bytes, &inputs.us))
}

/// The component "Output Pub Key".
pub(crate) fn output_pub_key<'a>(inputs: &'a Inputs, who: Implementation) -> Vec<Work<'a>> {
    let mut works = Vec::new();
    if matches!(who, Implementation::Ladder(_) | Implementation::X25519Dalek) {
        return works;
    }
    let secret = reference(inputs, Secret::Standard);
    for (name, decoded) in [("standard", false), ("spend public de-compression", true)] {
        if let Some(output) = output(inputs, who, decoded) {
            works.push(Work {
                variant: name.into(),
                implementation: who,
                units: 1,
                call: Box::new(move |index| vec![output(&secret, index)]),
                expected: Box::new(move |index| vec![reference_output(inputs, &secret, index)]),
            });
        }
    }
    if let Implementation::Backend(_) = who {
        let derivation = Derivation(secret);
        let spends = vec![inputs.spend; BATCH];
        works.push(Work {
            variant: batch_name(who),
            implementation: who,
            units: BATCH,
            call: Box::new(move |_| {
                let outputs: Vec<(&Derivation, u64)> = (0..BATCH as u64).map(|index| (&derivation, index)).collect();
                output_keys(&output_scalars(&outputs), &spends).unwrap_or_default()
            }),
            expected: Box::new(move |_| {
                (0..BATCH as u64).map(|index| reference_output(inputs, &secret, index)).collect()
            }),
        });
    }
    works
}

/// "Txes with n outputs": one shared secret and the keys of `n` outputs. Gives the keys.
pub(crate) fn transactions<'a>(inputs: &'a Inputs, who: Implementation, outputs: u64) -> Vec<Work<'a>> {
    let mut works = Vec::new();
    for (name, secret, decoded) in [
        ("standard scanning", Secret::Standard, false),
        ("spend public de-compression", Secret::Standard, true),
        ("curve25519 tx shared secret", Secret::Curve25519, false),
        ("curve25519 + de-compression", Secret::Curve25519, true),
        ("table + de-compression", Secret::Table, true),
    ] {
        let (derive, output) = match (derive(inputs, who, secret), output(inputs, who, decoded)) {
            (Some(derive), Some(output)) => (derive, output),
            _ => continue,
        };
        let keys = move |secret: &[u8; 32]| (0..outputs).map(|index| output(secret, index)).collect();
        works.push(Work {
            variant: name.into(),
            implementation: who,
            units: 1,
            call: Box::new(move |_| derive().first().map(&keys).unwrap_or_default()),
            expected: Box::new(move |_| {
                let secret = reference(inputs, secret);
                (0..outputs).map(|index| reference_output(inputs, &secret, index)).collect()
            }),
        });
    }
    let many = move |secrets: Vec<[u8; 32]>| -> Vec<[u8; 32]> {
        secrets.iter().flat_map(|d| (0..outputs).map(move |i| reference_output(inputs, d, i))).collect()
    };
    if let Implementation::Ladder(_) = who {
        for (name, decoded) in [("curve25519 tx shared secret", false), ("curve25519 + de-compression", true)] {
            let Some(output) = output(inputs, who, decoded) else { continue };
            works.push(Work {
                variant: name.into(),
                implementation: who,
                units: BATCH,
                call: Box::new(move |_| {
                    let secrets = ladders(inputs);
                    let mut keys = Vec::with_capacity(BATCH * outputs as usize);
                    for secret in &secrets {
                        keys.extend((0..outputs).map(|index| output(secret, index)));
                    }
                    keys
                }),
                expected: Box::new(move |_| {
                    let pairs = inputs.secret_bytes.iter().zip(&inputs.us);
                    many(pairs.map(|(k, u)| x25519_dalek::x25519(*k, *u)).collect())
                }),
            });
        }
    }
    if let Implementation::Backend(_) = who {
        let spends = vec![inputs.spend; BATCH * outputs as usize];
        works.push(Work {
            variant: batch_name(who),
            implementation: who,
            units: BATCH,
            call: Box::new(move |_| {
                let all = derivations(&inputs.secrets, &inputs.keys[..1]);
                let pairs: Vec<(&Derivation, u64)> =
                    all.iter().flatten().flat_map(|d| (0..outputs).map(move |index| (d, index))).collect();
                output_keys(&output_scalars(&pairs), &spends).unwrap_or_default()
            }),
            expected: Box::new(move |_| {
                let all = inputs.secret_bytes.iter().map(|k| ref10::derivation(k, &inputs.keys[0]).unwrap_or_default());
                many(all.collect())
            }),
        });
    }
    works
}
