//! What is hashed: parameters, rings and statements by themselves, and the proof on the caller's transcript.

use alloc::vec::Vec;

use super::parameters::Form;
use super::statement::Statement;
use super::wire::Proof;
use crate::field::scalar::Scalar;
use crate::hash::Transcript;
use crate::hash::merlin::Transcripts;

/// The version of every transcript.
const VERSION: u64 = 0;

/// The name of a transcript of either form.
fn name(form: Form, what: &[u8]) -> Vec<u8> {
    let prefix: &[u8] = match form {
        Form::Single => b"Triptych ",
        Form::Parallel => b"Parallel Triptych ",
    };
    [prefix, what].concat()
}

/// The hash of labelled parts.
pub(super) fn digest(form: Form, what: &[u8], parts: &[(&[u8], &[u8])]) -> [u8; 32] {
    let mut transcript = Transcript::new(&name(form, what));
    transcript.append_u64(b"version", VERSION);
    parts.iter().for_each(|(label, part)| transcript.append_message(label, part));
    let mut hash = [0; 32];
    transcript.challenge_bytes(b"hash", &mut hash);
    hash
}

/// Proofs of one form and number of digits in step. A prover is a batch of one.
pub(super) struct Script {
    transcripts: Transcripts,
    form: Form,
}

impl Script {
    /// Absorbs what is claimed.
    pub(super) fn new(transcripts: &[&Transcript], statements: &[&Statement]) -> Script {
        let form = statements[0].parameters().form();
        let (label, version) = (name(form, b"proof"), VERSION.to_le_bytes());
        let mut transcripts = Transcripts::new(transcripts.iter().copied());
        transcripts.append(b"dom-sep", |_| &label);
        transcripts.append(b"version", |_| &version);
        transcripts.append(b"statement", |i| statements[i].hash());
        Script { transcripts, form }
    }

    /// Absorbs the points of the proofs; the challenges.
    pub(super) fn challenges(&mut self, proofs: &[&Proof]) -> Vec<Scalar> {
        let transcripts = &mut self.transcripts;
        transcripts.append(b"A", |i| &proofs[i].a);
        transcripts.append(b"B", |i| &proofs[i].b);
        transcripts.append(b"C", |i| &proofs[i].c);
        transcripts.append(b"D", |i| &proofs[i].d);
        let m = proofs[0].x.len();
        for j in 0..m {
            transcripts.append(b"X", |i| &proofs[i].x[j]);
        }
        if self.form == Form::Parallel {
            for j in 0..m {
                transcripts.append(b"X1", |i| &proofs[i].x1[j]);
            }
        }
        for j in 0..m {
            transcripts.append(b"Y", |i| &proofs[i].y[j]);
        }
        transcripts.challenge(b"xi").iter().map(Scalar::from_bytes_mod_order_wide).collect()
    }

    /// A generator of nonces for the first proof.
    #[cfg(feature = "rand_core")]
    pub(super) fn build_rng(&self) -> crate::hash::TranscriptRngBuilder {
        self.transcripts.build_rng_of_first()
    }
}
