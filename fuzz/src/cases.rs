//! Small valid proofs of every system, as bytes, and the verdicts on bytes that are to be such a proof.

mod make;

use std::ops::Deref;

use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::proofs::accumulator::{Accumulator, Blame, Limits, Verifier};

pub use make::{Made, all, made};

use crate::Input;

/// The three ways to ask whether a proof among good ones is valid.
#[derive(Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// It alone.
    pub single: bool,
    /// It between two good ones.
    pub batch: bool,
    /// The items that the search for the bad ones names.
    pub blamed: Vec<usize>,
}

/// Where the changed proof stands among the good ones.
pub const PLACE: usize = 1;

/// A statement with its proof.
pub struct Case {
    pub name: &'static str,
    /// The parts of the statement, 32 bytes each, and then the proof as it is transmitted.
    pub bytes: Vec<u8>,
    /// Where the proof begins.
    pub proof_at: usize,
    /// Bytes of the proof before its first field of 32 bytes.
    pub header: usize,
    /// Verdicts on such bytes, a backend for each; `None` where a parser refuses them.
    pub judge: Judge,
}

type Judge = Box<dyn Fn(&[u8], [BackendId; 3]) -> Option<Verdicts> + Send + Sync>;

impl Case {
    /// Where the fields of 32 bytes begin.
    pub fn words(&self) -> Vec<usize> {
        let statement = (0..self.proof_at).step_by(32);
        statement.chain((self.proof_at + self.header..=self.bytes.len().saturating_sub(32)).step_by(32)).collect()
    }
}

/// The case's bytes with up to four edits that the input describes.
pub fn change(case: &Case, input: &mut Input<'_>) -> Vec<u8> {
    let (mut bytes, words) = (case.bytes.clone(), case.words());
    let mut edits = 0;
    while !input.is_empty() && edits < 4 {
        edits += 1;
        let at = words[input.below(words.len())];
        let kind = input.below(8);
        if bytes.len() < at + 32 {
            break; // A longer edit before cut it off.
        }
        match kind {
            0 => bytes[at..at + 32].copy_from_slice(&input.integer()),
            1 => bytes[at..at + 32].copy_from_slice(&input.encoding()),
            2 => {
                let from = words[input.below(words.len())];
                if from + 32 <= bytes.len() {
                    bytes.copy_within(from..from + 32, at);
                }
            }
            3 => bytes[at..at + 32].reverse(),
            4 => bytes.truncate(bytes.len() - input.below(bytes.len().min(100))),
            5 => bytes.extend(input.array::<32>()),
            // Counts are between the words.
            6 => bytes.iter_mut().skip(case.proof_at).take(input.below(9)).for_each(|byte| *byte ^= input.byte()),
            _ => {
                let place = usize::from(u16::from_le_bytes(input.array())) % bytes.len();
                bytes[place] ^= input.byte();
            }
        }
    }
    bytes
}

/// Only what is unchanged is valid, however it is asked.
pub fn expected(case: &Case, bytes: &[u8]) -> Verdicts {
    let unchanged = bytes == case.bytes;
    Verdicts { single: unchanged, batch: unchanged, blamed: if unchanged { vec![] } else { vec![PLACE] } }
}

/// What `question` answers on a backend.
fn on<T>(backend: BackendId, question: impl FnOnce() -> T) -> T {
    cpu::force(Some(backend)).expect("it is available");
    let answer = question();
    cpu::force(None).expect("nothing to refuse");
    answer
}

fn ask(
    [first, second, third]: [BackendId; 3],
    single: impl FnOnce() -> bool,
    batch: impl FnOnce() -> bool,
    blamed: impl FnOnce() -> Vec<usize>,
) -> Option<Verdicts> {
    Some(Verdicts { single: on(first, single), batch: on(second, batch), blamed: on(third, blamed) })
}

/// What a batch of these names as invalid.
fn blame<'a, V: Deref<Target: Verifier>>(
    verifier: V,
    statements: impl IntoIterator<Item = <V::Target as Verifier>::Statement<'a>>,
) -> Vec<usize> {
    let mut batch = Accumulator::new(verifier, Limits::NONE);
    let (mut pushed, mut invalid) = (Vec::new(), Vec::new());
    for (index, statement) in statements.into_iter().enumerate() {
        if batch.push(statement).is_ok() { pushed.push(index) } else { invalid.push(index) }
    }
    if let Err(Blame::Items(found)) = batch.close_and_blame() {
        invalid.extend(found.into_iter().map(|(i, _)| pushed[i]));
    }
    invalid.sort_unstable();
    invalid
}

/// The items refused, where each has a verdict of its own.
fn refused<E>(verdicts: Vec<Result<(), E>>) -> Vec<usize> {
    verdicts.iter().enumerate().filter(|(_, verdict)| verdict.is_err()).map(|(i, _)| i).collect()
}

/// The words of a statement, and what follows them.
fn parts(bytes: &[u8], words: usize) -> Option<(&[[u8; 32]], &[u8])> {
    let (statement, proof) = bytes.split_at_checked(32 * words)?;
    Some((statement.as_chunks().0, proof))
}
