//! `lanes prove`: proofs and signatures to try things with, as a file that `lanes verify` reads.

use std::convert::Infallible;
use std::str::FromStr;

use clap::Subcommand;
use curve25519_lanes::hash::keccak::keccak256;
use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, MAX_OUTPUTS, Opening};
use curve25519_lanes::proofs::clsag::{self, RingMember, Witness};
use curve25519_lanes::{EdwardsPoint, Scalar};
use rand_core::{Rng, TryCryptoRng, TryRng};
use serde::Serialize;

use crate::OK;
use crate::bpplus::ProofJson;
use crate::cases::{Hex, hex};
use crate::output::{Output, Unusable, shown};
use crate::{seraphis, seraphis_prove, tari, tari_triptych};

#[derive(Subcommand)]
pub(crate) enum Protocol {
    /// Monero's Bulletproofs+ range proofs (RingCT type 6)
    #[command(after_help = "\
Examples:
  lanes prove monero-bpplus --amounts 1,2,3 > proof.json
  lanes prove monero-bpplus --amounts 0 --amounts 5,18446744073709551615 --seed 7

The file holds the amounts and masks too: it is test input, not something to put on a chain.")]
    MoneroBpplus(Args),
    /// Tari's Bulletproofs+ range proofs on Ristretto
    #[command(after_help = "\
Examples:
  lanes prove tari-bpplus --amounts 5 --recoverable > proof.json
  lanes prove tari-bpplus --amounts 1,2 --promises 1,- --masks 3 --amounts 7,8 --promises -,- --seed 7

The file holds values, masks and seeds too: it is test input, not something to put on a chain.")]
    TariBpplus(tari::ProveArgs),
    /// Tari's Triptych proofs on Ristretto, single and parallel
    #[command(after_help = "\
Examples:
  lanes prove tari-triptych -n 2 -m 8 --proofs 16 > proofs.json
  lanes prove tari-triptych --parallel -n 3 -m 4 --keys 60 --message hello --seed 7

The file holds the signers' secrets too: it is test input, not something to put on a chain.")]
    TariTriptych(tari_triptych::ProveArgs),
    /// Triptych proofs on ed25519, as in the Seraphis study
    #[command(after_help = SERAPHIS_HELP)]
    Triptych(seraphis_prove::RingArgs),
    /// Grootle membership proofs of the Seraphis study, plain form
    #[command(after_help = SERAPHIS_HELP)]
    GrootlePlain(seraphis_prove::GrootleArgs),
    /// Grootle membership proofs of the Seraphis study, concise form
    #[command(after_help = SERAPHIS_HELP)]
    GrootleConcise(seraphis_prove::GrootleArgs),
    /// Seraphis composition proofs, of one key or many
    #[command(after_help = SERAPHIS_HELP)]
    SeraphisComposition(seraphis_prove::CompositionArgs),
    /// Range proofs of the Seraphis study, of up to 128 amounts
    #[command(after_help = SERAPHIS_HELP)]
    SeraphisBpplus(seraphis_prove::RangeArgs),
    /// Mock transactions of the Seraphis study, each with the ring members it refers to
    #[command(after_help = SERAPHIS_HELP)]
    SeraphisTx(seraphis_prove::TransactionArgs),
    /// Monero's CLSAG ring signatures
    #[command(after_help = "\
Examples:
  lanes prove monero-clsag --ring 16 > signature.json
  lanes prove monero-clsag --ring 16 --ring 128 --seed 7

The file holds the signer's secrets too: it is test input, not something to put on a chain.")]
    MoneroClsag(ClsagArgs),
}

const SERAPHIS_HELP: &str = "\
The file has the form of the vectors of the Seraphis study; `lanes verify` of the same name reads it.
Example:
  lanes prove seraphis-tx --type sp-squashed --seed 7 | lanes verify seraphis-tx --expect -";

#[derive(clap::Args)]
pub(crate) struct ClsagArgs {
    /// The size of a ring, 1 to 1024; give the option again for more signatures
    #[arg(long, required = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    ring: Vec<u64>,
    /// Make the same file every time, everything following from this number and the rings' sizes
    /// [default: the system's random generator]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The amounts of one proof, 1 to 16 of them, each below 2^64; give the option again for more proofs
    #[arg(long, required = true, value_name = "N,N,…")]
    amounts: Vec<Amounts>,
    /// Make the same file every time, masks and nonces following from this number and the amounts
    /// [default: the system's random generator]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Clone)]
struct Amounts(Vec<u64>);

impl FromStr for Amounts {
    type Err = String;

    fn from_str(text: &str) -> Result<Amounts, String> {
        let parse = |part: &str| part.trim().parse::<u64>().map_err(|error| format!("{:?}: {error}", shown(part)));
        let amounts = text.split(',').map(parse).collect::<Result<Vec<_>, _>>()?;
        if amounts.len() > MAX_OUTPUTS {
            return Err(format!("{} amounts; a proof has at most {MAX_OUTPUTS}", amounts.len()));
        }
        Ok(Amounts(amounts))
    }
}

#[derive(Serialize)]
struct CaseJson<'a> {
    name: String,
    amounts: &'a [u64],
    masks: Vec<Hex>,
    #[serde(rename = "C")]
    commitments: Vec<Hex>,
    proof: ProofJson,
    expected: bool,
}

pub(crate) fn run(protocol: &Protocol, out: &mut Output) -> Result<u8, Unusable> {
    match protocol {
        Protocol::MoneroBpplus(args) => {
            let proofs = args.amounts.iter().enumerate();
            let cases = proofs.map(|(i, amounts)| prove(i, &amounts.0, args.seed)).collect::<Result<Vec<_>, _>>()?;
            document("Monero Bulletproofs+", "openings given", args.seed, &cases, out)
        }
        Protocol::TariBpplus(args) => {
            document("Tari Bulletproofs+", "openings given", args.seed, &tari::prove(args)?, out)
        }
        Protocol::TariTriptych(args) => {
            document("Tari Triptych", "secrets given", args.seed, &tari_triptych::prove(args)?, out)
        }
        Protocol::Triptych(args) => {
            document("Triptych", "secrets not given", args.seed, &seraphis_prove::triptych(args)?, out)
        }
        Protocol::GrootlePlain(args) => {
            let cases = seraphis_prove::grootle::<seraphis::Plain>(args)?;
            document("plain Grootle", "secrets not given", args.ring.seed, &cases, out)
        }
        Protocol::GrootleConcise(args) => {
            let cases = seraphis_prove::grootle::<seraphis::Concise>(args)?;
            document("concise Grootle", "secrets not given", args.ring.seed, &cases, out)
        }
        Protocol::SeraphisComposition(args) => {
            let cases = seraphis_prove::compositions(args)?;
            document("Seraphis composition", "secrets not given", args.seed, &cases, out)
        }
        Protocol::SeraphisBpplus(args) => {
            let cases = seraphis_prove::ranges(args)?;
            document("Bulletproofs+ of the Seraphis study", "openings given", args.seed, &cases, out)
        }
        Protocol::SeraphisTx(args) => {
            let cases = seraphis_prove::transactions(args)?;
            document("mock transactions of the Seraphis study", "secrets not given", args.seed, &cases, out)
        }
        Protocol::MoneroClsag(args) => {
            let rings = args.ring.iter().enumerate();
            let cases = rings.map(|(i, &ring)| sign(i, ring, args.seed)).collect::<Result<Vec<_>, _>>()?;
            document("Monero CLSAG", "secrets given", args.seed, &cases, out)
        }
    }
}

/// Writes cases as a file that `lanes verify` reads.
fn document(
    what: &str,
    secrets: &str,
    seed: Option<u64>,
    cases: &[impl Serialize],
    out: &mut Output,
) -> Result<u8, Unusable> {
    let made_by = match seed {
        None => "with system randomness".to_string(),
        Some(seed) => format!("with seed {seed}"),
    };
    out.line("{")?;
    out.line(format_args!(" \"format\": \"{what} made by lanes {made_by}; not from a chain, {secrets}.\","))?;
    out.line(format_args!(" \"count\": {},", cases.len()))?;
    out.line(" \"cases\": [")?;
    for (i, case) in cases.iter().enumerate() {
        let text = serde_json::to_string(case).map_err(|error| Unusable::new(format!("JSON: {error}")))?;
        let comma = if i + 1 < cases.len() { "," } else { "" };
        out.line(format_args!("  {text}{comma}"))?;
    }
    out.line(" ]")?;
    out.line("}")?;
    Ok(OK)
}

fn prove(index: usize, amounts: &[u64], seed: Option<u64>) -> Result<CaseJson<'_>, Unusable> {
    let mut masks = Stream::new(b"lanes prove masks", index, amounts, seed)?;
    let openings: Vec<Opening> = amounts.iter().map(|&amount| Opening::new(amount, masks.scalar())).collect();
    let mut nonces = Stream::new(b"lanes prove nonces", index, amounts, seed)?;
    let fault = |error| Unusable::new(format!("proof {index}: {error}"));
    let proof = monero::prove(&openings, &mut nonces).map_err(fault)?;
    Ok(CaseJson {
        name: format!("made {index}, outputs {}", amounts.len()),
        amounts,
        masks: openings.iter().map(|opening| Hex(opening.mask.to_bytes())).collect(),
        commitments: openings.iter().map(|opening| Hex(opening.commit().0)).collect(),
        proof: proof.into(),
        expected: true,
    })
}

#[derive(Serialize)]
struct SignatureJson {
    name: String,
    ring: Vec<[Hex; 2]>,
    key_image: Hex,
    pseudo_out: Hex,
    message: Hex,
    #[serde(rename = "D")]
    d: Hex,
    c1: Hex,
    s: Vec<Hex>,
    amount: u64,
    secret: SecretJson,
    expected: bool,
}

/// What the signer knows: C − pseudo_out = (mask − pseudo_mask)·G for its ring member.
#[derive(Serialize)]
struct SecretJson {
    index: u64,
    x: Hex,
    mask: Hex,
    pseudo_mask: Hex,
}

/// Signs for a ring of random keys and amounts, at a random place.
fn sign(number: usize, size: u64, seed: Option<u64>) -> Result<SignatureJson, Unusable> {
    let mut random = Stream::new(b"lanes prove clsag ring", number, &[size], seed)?;
    let index = random.number() % size;
    let amount = random.number();
    let [x, mask, pseudo_mask, message] = [(); 4].map(|()| random.scalar());
    let mut ring: Vec<RingMember> = (0..size)
        .map(|_| RingMember {
            key: EdwardsPoint::mul_base(&random.scalar()).compress().0,
            commitment: Opening::new(random.number(), random.scalar()).commit().0,
        })
        .collect();
    ring[index as usize] =
        RingMember { key: EdwardsPoint::mul_base(&x).compress().0, commitment: Opening::new(amount, mask).commit().0 };
    let pseudo_out = Opening::new(amount, pseudo_mask).commit().0;
    let message = message.to_bytes();
    let witness = Witness::new(index as usize, x, mask - pseudo_mask);
    // Ring, message and secrets follow from the same numbers as the key of this stream, so nonces never repeat for another.
    let mut nonces = Stream::new(b"lanes prove clsag nonces", number, &[size], seed)?;
    let fault = |error| Unusable::new(format!("signature {number}: {error}"));
    let (signature, key_image) = clsag::sign(&ring, &pseudo_out, &message, &witness, &mut nonces).map_err(fault)?;
    Ok(SignatureJson {
        name: format!("made {number}, ring {size}"),
        ring: ring.iter().map(|member| [Hex(member.key), Hex(member.commitment)]).collect(),
        key_image: Hex(key_image),
        pseudo_out: Hex(pseudo_out),
        message: Hex(message),
        d: Hex(signature.d),
        c1: Hex(signature.c1),
        s: hex(&signature.s),
        amount,
        secret: SecretJson {
            index,
            x: Hex(x.to_bytes()),
            mask: Hex(mask.to_bytes()),
            pseudo_mask: Hex(pseudo_mask.to_bytes()),
        },
        expected: true,
    })
}

/// Random bytes from Keccak-256 in counter mode.
///
/// With a seed, the key is a hash of purpose, seed, position and values (all amounts). All secrets follow from the same
/// values, so two proofs that differ in anything have unrelated keys and never share a nonce. Without one, the system gives
/// the key.
pub(crate) struct Stream {
    key: [u8; 32],
    block: [u8; 32],
    counter: u64,
    used: usize,
}

impl Stream {
    pub(crate) fn new(purpose: &[u8], index: usize, values: &[u64], seed: Option<u64>) -> Result<Stream, Unusable> {
        let mut key = [0; 32];
        match seed {
            None => getrandom::fill(&mut key).map_err(|error| Unusable::new(format!("system randomness: {error}")))?,
            Some(seed) => {
                let mut input = keccak256(purpose).to_vec();
                let numbers = [seed, index as u64, values.len() as u64];
                numbers.iter().chain(values).for_each(|n| input.extend(n.to_le_bytes()));
                key = keccak256(&input);
            }
        }
        Ok(Stream { key, block: [0; 32], counter: 0, used: 32 })
    }

    fn byte(&mut self) -> u8 {
        if self.used == 32 {
            let mut input = [0; 40];
            input[..32].copy_from_slice(&self.key);
            input[32..].copy_from_slice(&self.counter.to_le_bytes());
            self.block = keccak256(&input);
            self.counter += 1;
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    pub(crate) fn number(&mut self) -> u64 {
        u64::from_le_bytes(core::array::from_fn(|_| self.byte()))
    }

    pub(crate) fn scalar(&mut self) -> Scalar {
        let mut wide = [0; 64];
        self.fill_bytes(&mut wide);
        Scalar::from_bytes_mod_order_wide(&wide)
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(core::array::from_fn(|_| self.byte())))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(core::array::from_fn(|_| self.byte())))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.iter_mut().for_each(|byte| *byte = self.byte());
        Ok(())
    }
}

impl TryCryptoRng for Stream {}
