//! The transcript: what is hashed in which order, for many proofs in step. A prover is a batch of one.

use alloc::vec::Vec;

use super::error::Field;
use super::statement::RangeStatement;
use crate::field::scalar::Scalar;
use crate::hash::Transcript;
#[cfg(feature = "rand_core")]
use crate::hash::TranscriptRngBuilder;
use crate::hash::merlin::Transcripts;

/// What challenges are drawn from: transcripts in step. The tests have another one.
pub(super) trait Oracle {
    /// Absorbs the message of each transcript, by its number.
    fn append<'a>(&mut self, label: &[u8], message: impl Fn(usize) -> &'a [u8]);
    /// 64 bytes from each.
    fn challenge(&mut self, label: &[u8]) -> Vec<[u8; 64]>;
    /// A generator of nonces that starts from the first transcript.
    #[cfg(feature = "rand_core")]
    fn build_rng(&self) -> TranscriptRngBuilder;
}

impl Oracle for Transcripts {
    fn append<'a>(&mut self, label: &[u8], message: impl Fn(usize) -> &'a [u8]) {
        Transcripts::append(self, label, message);
    }

    fn challenge(&mut self, label: &[u8]) -> Vec<[u8; 64]> {
        Transcripts::challenge(self, label)
    }

    #[cfg(feature = "rand_core")]
    fn build_rng(&self) -> TranscriptRngBuilder {
        self.build_rng_of_first()
    }
}

/// Why a transcript can't go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// This point is the identity.
    Identity(Field),
    /// A challenge is zero.
    ZeroChallenge,
}

/// Proofs of one shape, that is, with equal numbers of mask bases, commitments and rounds.
pub(super) struct Script<O> {
    pub(super) oracle: O,
    /// The first fault of each proof. One that is at fault goes on in step, and its challenges mean nothing.
    halts: Vec<Option<Halt>>,
}

impl Script<Transcripts> {
    /// Absorbs what is claimed.
    pub(super) fn of(transcripts: &[&Transcript], statements: &[&RangeStatement]) -> Script<Transcripts> {
        Script::start(Transcripts::new(transcripts.iter().copied()), statements)
    }

    /// The caller's transcripts as they stand now, by number.
    pub(super) fn into_transcripts(self) -> impl Iterator<Item = (usize, Transcript)> {
        self.oracle.into_each()
    }
}

impl<O: Oracle> Script<O> {
    pub(super) fn start(oracle: O, statements: &[&RangeStatement]) -> Script<O> {
        let mut script = Script { oracle, halts: alloc::vec![None; statements.len()] };
        let Some(first) = statements.first() else { return script };
        let bases = |i: usize| statements[i].parameters.pc_gens().encodings();
        script.oracle.append(b"dom-sep", |_| b"Bulletproofs+ Range Proof");
        script.point(b"H", Field::ValueBase, |i| &bases(i)[0]);
        for k in 0..bases(0).len() - 1 {
            script.point(b"G", Field::MaskBase(k), |i| &bases(i)[k + 1]);
        }
        let (masks, commitments) = (bases(0).len() - 1, first.encodings.len());
        let bits: Vec<[u8; 8]> = statements.iter().map(|s| (s.parameters.bit_length() as u64).to_le_bytes()).collect();
        script.oracle.append(b"N", |i| &bits[i]);
        let (masks, count) = ((masks as u64).to_le_bytes(), (commitments as u64).to_le_bytes());
        script.oracle.append(b"T", |_| &masks);
        script.oracle.append(b"M", |_| &count);
        for j in 0..commitments {
            // The identity is a commitment like others.
            script.oracle.append(b"Ci", |i| &statements[i].encodings[j]);
        }
        for j in 0..commitments {
            let minimum = |s: &&RangeStatement| s.promises[j].unwrap_or(0).to_le_bytes();
            let minima: Vec<[u8; 8]> = statements.iter().map(minimum).collect();
            script.oracle.append(b"vi - minimum_value", |i| &minima[i]);
        }
        script
    }

    /// Absorbs A. The challenges y and z are drawn by [`y_and_z`](Script::y_and_z).
    pub(super) fn a<'a>(&mut self, a: impl Fn(usize) -> &'a [u8; 32]) {
        self.point(b"A", Field::A, a);
    }

    pub(super) fn y_and_z(&mut self) -> Vec<(Scalar, Scalar)> {
        let y = self.scalars(b"y");
        y.into_iter().zip(self.scalars(b"z")).collect()
    }

    /// Absorbs the L and R of round j.
    pub(super) fn round<'a>(&mut self, j: usize, l: impl Fn(usize) -> &'a [u8; 32], r: impl Fn(usize) -> &'a [u8; 32]) {
        self.point(b"L", Field::L(j), l);
        self.point(b"R", Field::R(j), r);
    }

    /// Absorbs A1 and B.
    pub(super) fn last<'a>(&mut self, a1: impl Fn(usize) -> &'a [u8; 32], b: impl Fn(usize) -> &'a [u8; 32]) {
        self.point(b"A1", Field::A1, a1);
        self.point(b"B", Field::B, b);
    }

    /// The challenge after a round, or after all.
    pub(super) fn e(&mut self) -> Vec<Scalar> {
        self.scalars(b"e")
    }

    /// Absorbs the responses, after the last challenge. A verifier does, a prover doesn't.
    pub(super) fn responses<'a>(&mut self, r1: impl Fn(usize) -> &'a Scalar, s1: impl Fn(usize) -> &'a Scalar) {
        self.oracle.append(b"r1", |i| r1(i).as_bytes());
        self.oracle.append(b"s1", |i| s1(i).as_bytes());
    }

    /// Absorbs the d1 of each mask base.
    pub(super) fn d1<'a>(&mut self, masks: usize, d1: impl Fn(usize) -> &'a [Scalar]) {
        for k in 0..masks {
            self.oracle.append(b"d1", |i| d1(i)[k].as_bytes());
        }
    }

    /// The first fault of each proof so far.
    pub(super) fn halts(&self) -> &[Option<Halt>] {
        &self.halts
    }

    /// Absorbs points that must not be the identity.
    fn point<'a>(&mut self, label: &[u8], field: Field, point: impl Fn(usize) -> &'a [u8; 32]) {
        for (i, halt) in self.halts.iter_mut().enumerate() {
            if *point(i) == [0; 32] {
                halt.get_or_insert(Halt::Identity(field));
            }
        }
        self.oracle.append(label, |i| point(i));
    }

    /// Challenges that must not be zero.
    fn scalars(&mut self, label: &[u8]) -> Vec<Scalar> {
        let scalars: Vec<Scalar> = self.oracle.challenge(label).iter().map(Scalar::from_bytes_mod_order_wide).collect();
        for (halt, scalar) in self.halts.iter_mut().zip(&scalars) {
            if *scalar == Scalar::ZERO {
                halt.get_or_insert(Halt::ZeroChallenge);
            }
        }
        scalars
    }
}
