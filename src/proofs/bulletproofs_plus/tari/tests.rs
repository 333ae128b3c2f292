//! Challenges that no transcript will ever give: zero, and multiples of the group order.

use alloc::vec::Vec;

use super::error::ProveError;
use super::parameters::{ExtensionDegree, PedersenGens, RangeParameters};
use super::prove::prove_on;
use super::statement::RangeStatement;
use super::transcript::{Halt, Oracle, Script};
use super::verify::{Entry, draw};
use super::witness::{CommitmentOpening, RangeWitness};
use crate::field::scalar::Scalar;
use crate::hash::merlin::Transcripts;
use crate::hash::{Transcript, TranscriptRngBuilder};

/// Transcripts of which one is given a challenge in place of its own.
struct Mock {
    inner: Transcripts,
    transcript: usize,
    /// Challenges to come before the false one.
    honest: usize,
    bytes: [u8; 64],
}

impl Oracle for Mock {
    fn append<'a>(&mut self, label: &[u8], message: impl Fn(usize) -> &'a [u8]) {
        self.inner.append(label, message);
    }

    fn challenge(&mut self, label: &[u8]) -> Vec<[u8; 64]> {
        let mut challenges = self.inner.challenge(label);
        if self.honest == 0 {
            challenges[self.transcript] = self.bytes;
        }
        self.honest = self.honest.wrapping_sub(1);
        challenges
    }

    fn build_rng(&self) -> TranscriptRngBuilder {
        self.inner.build_rng_of_first()
    }
}

struct Zeros;
impl rand_core::TryRng for Zeros {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(0)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(0)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill(0);
        Ok(())
    }
}
impl rand_core::TryCryptoRng for Zeros {}

/// 0, and l·2^256 + l: the residue counts, not the bytes.
fn zeros() -> [[u8; 64]; 2] {
    let mut multiple = [0; 64];
    multiple[..32].copy_from_slice(Scalar::ORDER.as_bytes());
    multiple[32..].copy_from_slice(Scalar::ORDER.as_bytes());
    [[0; 64], multiple]
}

#[test]
fn zero_challenges_are_refused() {
    let gens = PedersenGens::new(ExtensionDegree::DefaultPedersen);
    let parameters = RangeParameters::init(4, 1, gens).unwrap();
    let mask = alloc::vec![Scalar::from(5u64)];
    let commitment = parameters.pc_gens().commit(&Scalar::from(9u64), &mask).unwrap();
    let statement = RangeStatement::init(parameters, alloc::vec![commitment], alloc::vec![None], None).unwrap();
    let witness = RangeWitness::init(alloc::vec![CommitmentOpening::new(9, mask)]).unwrap();
    let transcript = Transcript::new(b"test");
    let mock = |copies: usize, transcript_at: usize, honest: usize, bytes: [u8; 64]| {
        let inner = Transcripts::new(core::iter::repeat_n(&transcript, copies));
        let oracle = Mock { inner, transcript: transcript_at, honest, bytes };
        Script::start(oracle, &alloc::vec![&statement; copies])
    };
    // y, z, two rounds, the last; none.
    let (proof, _) = prove_on(mock(1, 0, 99, [0; 64]), &statement, &witness, &mut Zeros).unwrap();
    let entry = Entry { transcript: &transcript, statement: &statement, proof: &proof };
    for bytes in zeros() {
        for at in 0..=5 {
            let made = prove_on(mock(1, 0, at, bytes), &statement, &witness, &mut Zeros);
            let expected = if at == 5 { Ok(()) } else { Err(ProveError::ZeroChallenge) };
            assert_eq!(made.map(|_| ()), expected, "challenge {at}");

            // Of three proofs side by side the second alone is at fault.
            let mut script = mock(3, 1, at, bytes);
            draw(&mut script, &[entry; 3]);
            let fault = (at < 5).then_some(Halt::ZeroChallenge);
            assert_eq!(script.halts(), [None, fault, None], "challenge {at}");
        }
    }
}
