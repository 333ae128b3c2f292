//! Proofs and transactions made here from fixed seeds, to be measured and shown: valid, and of no worth.

use curve25519_lanes::hash::{Transcript, keccak256};
use curve25519_lanes::proofs::bulletproofs_plus::monero::{Generators, Opening, RangeProof, Statement};
use curve25519_lanes::proofs::bulletproofs_plus::tari;
use curve25519_lanes::proofs::clsag::{self, Clsag, RingMember, Witness};
use curve25519_lanes::proofs::triptych::tari as triptych;
use curve25519_lanes::tx::monero::{self, Input, Output, Transaction};
use curve25519_lanes::{EdwardsPoint, RistrettoPoint, Scalar, monero_hash_to_point};

use crate::bench::Numbers;
use crate::output::Unusable;

/// What only a mistake in this file could bring.
pub(crate) fn fault(error: impl std::fmt::Display) -> Unusable {
    Unusable::new(format!("making an example: {error}"))
}

/// A range proof of Monero and what it is about.
#[derive(Clone)]
pub(crate) struct Ranged {
    pub(crate) openings: Vec<Opening>,
    pub(crate) commitments: Vec<[u8; 32]>,
    pub(crate) proof: RangeProof,
}

impl Ranged {
    /// `outputs` random amounts.
    pub(crate) fn new(generators: &Generators, outputs: usize, seed: u64) -> Result<Ranged, Unusable> {
        let mut numbers = Numbers::new(seed);
        let openings: Vec<Opening> =
            (0..outputs).map(|_| Opening::new(numbers.number(), Scalar::random(&mut numbers))).collect();
        let proof = generators.prove(&openings, &mut numbers).map_err(fault)?;
        Ok(Ranged { commitments: openings.iter().map(|opening| opening.commit().0).collect(), openings, proof })
    }

    pub(crate) fn statement(&self) -> Statement<'_> {
        Statement { commitments: &self.commitments, proof: &self.proof }
    }
}

/// The label of all transcripts here.
pub(crate) const LABEL: &[u8] = b"lanes bench";

/// Range proofs of Tari, all with the same parameters.
pub(crate) struct TariRanged {
    pub(crate) statements: Vec<tari::RangeStatement>,
    pub(crate) witnesses: Vec<tari::RangeWitness>,
    pub(crate) proofs: Vec<tari::RangeProof>,
}

impl TariRanged {
    /// `count` proofs of `values` values of 64 bits, `masks` masks each, with promises, and with seeds if masks shall be
    /// recoverable; those are for single values.
    pub(crate) fn new(values: usize, masks: usize, count: usize, seeds: bool) -> Result<TariRanged, Unusable> {
        let degree = tari::ExtensionDegree::try_from(masks).map_err(fault)?;
        let parameters = tari::RangeParameters::init(64, values, tari::PedersenGens::new(degree)).map_err(fault)?;
        let mut out = TariRanged { statements: Vec::new(), witnesses: Vec::new(), proofs: Vec::new() };
        for i in 0..count as u64 {
            let mut openings = Vec::new();
            let mut commitments = Vec::new();
            let mut promises = Vec::new();
            for j in 0..values as u64 {
                let (value, masks) = TariRanged::opening(i, j, masks);
                let masks: Vec<Scalar> = masks.into_iter().map(Scalar::from).collect();
                commitments.push(parameters.pc_gens().commit(&Scalar::from(value), &masks).map_err(fault)?);
                promises.push(Some(value / 3));
                openings.push(tari::CommitmentOpening::new(value, masks));
            }
            let witness = tari::RangeWitness::init(openings).map_err(fault)?;
            let seed = seeds.then(|| Scalar::from(i + 1));
            let statement =
                tari::RangeStatement::init(parameters.clone(), commitments, promises, seed).map_err(fault)?;
            out.proofs.push(prove(&statement, &witness)?);
            out.statements.push(statement);
            out.witnesses.push(witness);
        }
        Ok(out)
    }

    /// The `j`-th value of the `i`-th proof, and its masks.
    pub(crate) fn opening(i: u64, j: u64, masks: usize) -> (u64, Vec<u64>) {
        (u64::MAX / 3 + 1000 * i + j, (0..masks as u64).map(|k| 5000 * i + 10 * j + k + 1).collect())
    }

    pub(crate) fn verify(
        &self,
        range: std::ops::Range<usize>,
        action: tari::VerifyAction,
    ) -> Result<Vec<Option<tari::ExtendedMask>>, tari::BatchError> {
        let mut transcripts = vec![Transcript::new(LABEL); range.len()];
        let (statements, proofs) = (&self.statements[range.clone()], &self.proofs[range]);
        tari::RangeProof::verify_batch(&mut transcripts, statements, proofs, action)
    }
}

/// A proof of Tari's; the same every time.
pub(crate) fn prove(
    statement: &tari::RangeStatement,
    witness: &tari::RangeWitness,
) -> Result<tari::RangeProof, Unusable> {
    let mut transcript = Transcript::new(LABEL);
    tari::RangeProof::prove(&mut transcript, statement, witness, &mut Numbers::new(0)).map_err(fault)
}

/// A Monero transaction, with the rings that it spends from.
#[derive(Clone)]
pub(crate) struct Spent {
    pub(crate) transaction: Transaction,
    pub(crate) rings: Vec<Vec<RingMember>>,
}

impl Spent {
    /// Random amounts that balance, random rings.
    pub(crate) fn new(
        generators: &Generators,
        inputs: usize,
        outputs: usize,
        ring: usize,
        seed: u64,
    ) -> Result<Spent, Unusable> {
        let mut numbers = Numbers::new(seed);
        let point = |numbers: &mut Numbers| EdwardsPoint::mul_base(&Scalar::random(numbers)).compress().0;
        let created: Vec<Opening> =
            (0..outputs).map(|_| Opening::new(numbers.number() >> 16, Scalar::random(&mut numbers))).collect();
        let fee = numbers.number() >> 40;
        let mut left = created.iter().map(|opening| opening.amount).sum::<u64>() + fee;
        let mut spent: Vec<Spend> = (0..inputs)
            .map(|i| {
                let amount = if i + 1 < inputs { left / 2 } else { left };
                left -= amount;
                Spend::new(&mut numbers, ring, amount)
            })
            .collect();
        spent.sort_by_key(|spend| std::cmp::Reverse(spend.image));
        let mut transaction = Transaction {
            unlock_time: 0,
            inputs: Vec::new(),
            outputs: Vec::new(),
            extra: numbers.bytes().to_vec(),
            fee,
            range_proof: generators.prove(&created, &mut numbers).map_err(fault)?,
        };
        for opening in &created {
            transaction.outputs.push(Output {
                key: point(&mut numbers),
                view_tag: Some(numbers.number() as u8),
                encrypted_amount: numbers.number().to_le_bytes(),
                commitment: opening.commit().0,
            });
        }
        // The last mask makes the commitments balance.
        let mut pseudo_mask = created.iter().map(|opening| opening.mask).sum::<Scalar>();
        let (mut rings, mut witnesses) = (Vec::new(), Vec::new());
        for (i, spend) in spent.iter().enumerate() {
            let mask = if i + 1 < inputs { Scalar::random(&mut numbers) } else { pseudo_mask };
            pseudo_mask -= mask;
            let own = Scalar::random(&mut numbers);
            let mut members: Vec<RingMember> =
                (0..ring).map(|_| RingMember { key: point(&mut numbers), commitment: point(&mut numbers) }).collect();
            members[spend.index] = RingMember {
                key: EdwardsPoint::mul_base(&spend.key).compress().0,
                commitment: Opening::new(spend.amount, own).commit().0,
            };
            rings.push(members);
            witnesses.push(Witness::new(spend.index, spend.key, own - mask));
            transaction.inputs.push(Input {
                amount: 0,
                offsets: (0..ring).map(|_| 1 + numbers.number() % 1_000_000).collect(),
                key_image: spend.image,
                pseudo_out: Opening::new(spend.amount, mask).commit().0,
                signature: Clsag { s: Vec::new(), c1: [0; 32], d: [0; 32] },
            });
        }
        let message = transaction.signing_hash();
        for ((input, ring), witness) in transaction.inputs.iter_mut().zip(&rings).zip(&witnesses) {
            input.signature = clsag::sign(ring, &input.pseudo_out, &message, witness, &mut numbers).map_err(fault)?.0;
        }
        Ok(Spent { transaction, rings })
    }

    pub(crate) fn statement(&self) -> monero::Statement<'_> {
        monero::Statement { transaction: &self.transaction, rings: &self.rings }
    }
}

/// An output that is spent: key, key image, place in the ring, amount.
struct Spend {
    key: Scalar,
    image: [u8; 32],
    index: usize,
    amount: u64,
}

impl Spend {
    fn new(numbers: &mut Numbers, ring: usize, amount: u64) -> Spend {
        let key = Scalar::random(numbers);
        let base = monero_hash_to_point(&keccak256(&EdwardsPoint::mul_base(&key).compress().0));
        let image = (key * base).compress().0;
        Spend { key, image, index: (numbers.number() % ring as u64) as usize, amount }
    }
}

/// A ring signature with all that it is about.
#[derive(Clone)]
pub(crate) struct Signed {
    pub(crate) message: [u8; 32],
    spent: Spent,
}

impl Signed {
    pub(crate) fn new(generators: &Generators, ring: usize, seed: u64) -> Result<Signed, Unusable> {
        let spent = Spent::new(generators, 1, 2, ring, seed)?;
        Ok(Signed { message: spent.transaction.signing_hash(), spent })
    }

    pub(crate) fn statement(&self) -> clsag::Statement<'_> {
        let input = &self.spent.transaction.inputs[0];
        clsag::Statement {
            ring: &self.spent.rings[0],
            key_image: &input.key_image,
            pseudo_out: &input.pseudo_out,
            message: &self.message,
            signature: &input.signature,
        }
    }
}

/// A proof of Tari's Triptych for one of a ring of keys: member `i` has the secret `i + 1`.
#[derive(Clone)]
pub(crate) struct Linked {
    pub(crate) statement: triptych::Statement,
    pub(crate) proof: triptych::Proof,
}

impl Linked {
    /// `count` proofs of the 2^m members by turns.
    pub(crate) fn many(m: u32, count: usize) -> Result<Vec<Linked>, Unusable> {
        let parameters = triptych::Parameters::new(triptych::Form::Single, 2, m).map_err(fault)?;
        let keys: Vec<[u8; 32]> =
            (1..=1u64 << m).map(|k| RistrettoPoint::mul_base(&Scalar::from(k)).compress().0).collect();
        let inputs = triptych::InputSet::new(&parameters, &keys, &[]).map_err(fault)?;
        let transcript = Transcript::new(LABEL);
        let mut out = Vec::with_capacity(count);
        for turn in 0..count {
            let index = turn % keys.len();
            let witness = triptych::Witness { index, key: Scalar::from(index as u64 + 1), auxiliary: None };
            let tag = witness.tag(&parameters).compress().0;
            let statement = triptych::Statement::single(&inputs, tag).map_err(fault)?;
            let mut numbers = Numbers::new(turn as u64);
            let proof = triptych::prove(&transcript, &statement, &witness, &mut numbers).map_err(fault)?;
            out.push(Linked { statement, proof });
        }
        Ok(out)
    }

    pub(crate) fn entry<'a>(&'a self, transcript: &'a Transcript) -> triptych::Entry<'a> {
        triptych::Entry { transcript, statement: &self.statement, proof: &self.proof }
    }
}
