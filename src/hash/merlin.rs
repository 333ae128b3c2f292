//! Merlin transcripts (version 1.0, <https://merlin.cool>): what is said in a protocol, hashed into challenges.
//!
//! The same bytes as the crates `merlin` 3 and `tari_merlin` 4. [`Transcript`] is one transcript; inside the crate many
//! of them go through the same protocol side by side, in lanes.

use alloc::vec::Vec;

use super::keccak_lanes::width;
use super::strobe::{Position, Strobe};
use crate::cpu::BackendId;

const PROTOCOL: &[u8] = b"Merlin v1.0";

/// A transcript. Wiped when dropped; not shown by `Debug`.
///
/// ```
/// use curve25519_lanes::hash::Transcript;
/// let mut prover = Transcript::new(b"an example");
/// let mut verifier = prover.clone();
/// let mut challenges = [[0; 32]; 2];
/// for (transcript, challenge) in [&mut prover, &mut verifier].into_iter().zip(&mut challenges) {
///     transcript.append_message(b"point", b"...");
///     transcript.append_u64(b"number", 7);
///     transcript.challenge_bytes(b"x", challenge);
/// }
/// assert_eq!(challenges[0], challenges[1]);
/// ```
#[derive(Clone)]
pub struct Transcript {
    strobe: Strobe<1>,
}

impl Transcript {
    /// A transcript of the protocol of this name.
    pub fn new(label: &[u8]) -> Transcript {
        let mut transcript = Transcript { strobe: Strobe::new(PROTOCOL) };
        transcript.append_message(b"dom-sep", label);
        transcript
    }

    /// Absorbs a message and its length under a label.
    ///
    /// # Panics
    /// If the message has 2^32 bytes or more.
    pub fn append_message(&mut self, label: &[u8], message: &[u8]) {
        append(&mut self.strobe, label, [message]);
    }

    /// Absorbs a number as 8 little-endian bytes.
    pub fn append_u64(&mut self, label: &[u8], x: u64) {
        self.append_message(label, &x.to_le_bytes());
    }

    /// Fills `out` with bytes that depend on everything absorbed.
    ///
    /// # Panics
    /// If `out` has 2^32 bytes or more.
    pub fn challenge_bytes(&mut self, label: &[u8], out: &mut [u8]) {
        describe(&mut self.strobe, label, out.len());
        self.strobe.prf_into([out]);
    }

    /// A random number generator that starts from this transcript and is given secrets and entropy next.
    pub fn build_rng(&self) -> TranscriptRngBuilder {
        TranscriptRngBuilder { strobe: self.strobe.clone() }
    }
}

impl core::fmt::Debug for Transcript {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Transcript").finish_non_exhaustive()
    }
}

/// A [`TranscriptRng`] in the making. Wiped when dropped.
#[must_use]
pub struct TranscriptRngBuilder {
    strobe: Strobe<1>,
}

impl TranscriptRngBuilder {
    /// Makes the output depend on a secret.
    ///
    /// # Panics
    /// If the witness has 2^32 bytes or more.
    pub fn rekey_with_witness_bytes(mut self, label: &[u8], witness: &[u8]) -> TranscriptRngBuilder {
        describe(&mut self.strobe, label, witness.len());
        self.strobe.key([witness]);
        self
    }

    /// Adds 32 bytes of fresh entropy; the generator.
    #[cfg(feature = "rand_core")]
    pub fn finalize(self, rng: &mut impl rand_core::CryptoRng) -> TranscriptRng {
        let mut entropy = zeroize::Zeroizing::new([0; 32]);
        rng.fill_bytes(&mut *entropy);
        self.finalize_with(&entropy)
    }

    /// The generator, from 32 bytes of fresh entropy.
    pub fn finalize_with(mut self, entropy: &[u8; 32]) -> TranscriptRng {
        self.strobe.meta_ad(b"rng", false);
        self.strobe.key([entropy]);
        TranscriptRng { strobe: self.strobe }
    }
}

impl core::fmt::Debug for TranscriptRngBuilder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TranscriptRngBuilder").finish_non_exhaustive()
    }
}

/// A generator whose output depends on a transcript, a secret and entropy, and is unpredictable if any of the latter is.
/// Wiped when dropped.
pub struct TranscriptRng {
    strobe: Strobe<1>,
}

impl TranscriptRng {
    /// The next bytes. Two requests of 32 bytes are not one of 64.
    ///
    /// # Panics
    /// If `out` has 2^32 bytes or more.
    pub fn fill_bytes(&mut self, out: &mut [u8]) {
        self.strobe.meta_ad(&length(out.len()), false);
        self.strobe.prf_into([out]);
    }
}

impl core::fmt::Debug for TranscriptRng {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TranscriptRng").finish_non_exhaustive()
    }
}

#[cfg(feature = "rand_core")]
impl rand_core::TryRng for TranscriptRng {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut bytes = [0; 4];
        self.fill_bytes(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        self.fill_bytes(out);
        Ok(())
    }
}

#[cfg(feature = "rand_core")]
impl rand_core::TryCryptoRng for TranscriptRng {}

/// Transcripts that go through one protocol in step: all take every step, with messages of one length.
///
/// Those that stand at the same byte share the lanes of the permutation. They may come with different pasts.
pub(crate) struct Transcripts {
    groups: Vec<Group>,
    count: usize,
}

/// Transcripts side by side; `members` are their numbers.
struct Group {
    members: Vec<usize>,
    strobes: Strobes,
}

/// The last place is repeated where there are fewer transcripts than places.
#[allow(clippy::large_enum_variant, reason = "most are of the largest kind")]
enum Strobes {
    One(Strobe<1>),
    Four(Strobe<4>),
    Eight(Strobe<8>),
}

/// Evaluates an expression for whichever width there is.
macro_rules! each_width {
    ($strobes:expr, $strobe:ident => $body:expr) => {
        match $strobes {
            Strobes::One($strobe) => $body,
            Strobes::Four($strobe) => $body,
            Strobes::Eight($strobe) => $body,
        }
    };
}

impl Transcripts {
    /// Puts copies of transcripts side by side. For public data: runs where wide work runs.
    pub(crate) fn new<'a>(transcripts: impl Iterator<Item = &'a Transcript>) -> Transcripts {
        Transcripts::in_groups(width(BackendId::current()), transcripts)
    }

    fn in_groups<'a>(width: usize, transcripts: impl Iterator<Item = &'a Transcript>) -> Transcripts {
        let all: Vec<&Strobe<1>> = transcripts.map(|transcript| &transcript.strobe).collect();
        let position = |i: &usize| -> Position { all[*i].position() };
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(position);
        let mut groups = Vec::with_capacity(all.len().div_ceil(width));
        for run in order.chunk_by(|i, j| position(i) == position(j)) {
            for members in run.chunks(width) {
                let member = |i: usize| all[members[i.min(members.len() - 1)]];
                let strobes = match (members.len(), width) {
                    (1, _) | (_, 1) => Strobes::One(member(0).clone()),
                    (_, 4) => Strobes::Four(Strobe::together(core::array::from_fn(member))),
                    _ => Strobes::Eight(Strobe::together(core::array::from_fn(member))),
                };
                groups.push(Group { members: members.to_vec(), strobes });
            }
        }
        Transcripts { groups, count: all.len() }
    }

    /// Absorbs the message of each transcript, by its number.
    ///
    /// # Panics
    /// If the messages differ in length, or have 2^32 bytes or more.
    pub(crate) fn append<'a>(&mut self, label: &[u8], message: impl Fn(usize) -> &'a [u8]) {
        for Group { members, strobes } in &mut self.groups {
            each_width!(strobes, strobe => append(strobe, label, each_place(members, &message)));
        }
    }

    /// Bytes that depend on everything a transcript absorbed, for each.
    pub(crate) fn challenge<const N: usize>(&mut self, label: &[u8]) -> Vec<[u8; N]> {
        let mut out = alloc::vec![[0; N]; self.count];
        for Group { members, strobes } in &mut self.groups {
            each_width!(strobes, strobe => {
                describe(strobe, label, N);
                for (member, bytes) in members.iter().zip(strobe.prf()) {
                    out[*member] = bytes;
                }
            });
        }
        out
    }

    /// [`Transcript::build_rng`] of the first transcript.
    ///
    /// # Panics
    /// If there is none.
    #[cfg(feature = "rand_core")]
    pub(crate) fn build_rng_of_first(&self) -> TranscriptRngBuilder {
        let place = |group: &&Group| group.members[0] == 0;
        let group = self.groups.iter().find(place).expect("a group begins with the first transcript");
        TranscriptRngBuilder { strobe: each_width!(&group.strobes, s => s.one(0)) }
    }

    /// The transcripts as they stand now, with their numbers.
    pub(crate) fn into_each(self) -> impl Iterator<Item = (usize, Transcript)> {
        self.groups.into_iter().flat_map(|Group { members, strobes }| {
            members
                .into_iter()
                .enumerate()
                .map(move |(place, member)| (member, Transcript { strobe: each_width!(&strobes, s => s.one(place)) }))
                .collect::<Vec<_>>()
        })
    }
}

/// What each place of a group gets.
fn each_place<'a, const W: usize>(members: &[usize], of: &impl Fn(usize) -> &'a [u8]) -> [&'a [u8]; W] {
    core::array::from_fn(|place| of(members[place.min(members.len() - 1)]))
}

fn append<const W: usize>(strobe: &mut Strobe<W>, label: &[u8], messages: [&[u8]; W]) {
    assert!(messages.iter().all(|message| message.len() == messages[0].len()), "messages of one length");
    describe(strobe, label, messages[0].len());
    strobe.ad(messages);
}

/// The label and length of what comes next.
fn describe<const W: usize>(strobe: &mut Strobe<W>, label: &[u8], len: usize) {
    strobe.meta_ad(label, false);
    strobe.meta_ad(&length(len), true);
}

fn length(len: usize) -> [u8; 4] {
    u32::try_from(len).expect("fewer than 2^32 bytes").to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    /// Both in step with the published implementation through random protocols.
    #[test]
    fn one_transcript_is_the_published_one() {
        let mut random = Random::new(3);
        for label in [b"", &b"x"[..], b"test", &[7; 300]] {
            let (mut ours, mut theirs) = (Transcript::new(label), merlin::Transcript::new(label));
            for _ in 0..200 {
                let data: Vec<u8> = (0..random.below(400)).map(|_| random.next() as u8).collect();
                match random.below(4) {
                    0 => {
                        ours.append_message(b"message", &data);
                        theirs.append_message(b"message", &data);
                    }
                    1 => {
                        let x = random.next();
                        ours.append_u64(b"n", x);
                        theirs.append_u64(b"n", x);
                    }
                    2 => {
                        let (mut a, mut b) = (data.clone(), data);
                        ours.challenge_bytes(b"challenge", &mut a);
                        theirs.challenge_bytes(b"challenge", &mut b);
                        assert_eq!(a, b);
                    }
                    _ => {
                        let mut generator =
                            ours.build_rng().rekey_with_witness_bytes(b"witness", &data).finalize_with(&[9; 32]);
                        let mut other =
                            theirs.build_rng().rekey_with_witness_bytes(b"witness", &data).finalize(&mut Nines);
                        for _ in 0..3 {
                            let (mut a, mut b) = (data.clone(), data.clone());
                            generator.fill_bytes(&mut a);
                            rand_core_0_6::RngCore::fill_bytes(&mut other, &mut b);
                            assert_eq!(a, b);
                        }
                    }
                }
            }
        }
    }

    struct Nines;
    impl rand_core_0_6::RngCore for Nines {
        fn next_u32(&mut self) -> u32 {
            9
        }
        fn next_u64(&mut self) -> u64 {
            9
        }
        fn fill_bytes(&mut self, out: &mut [u8]) {
            out.fill(9);
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core_0_6::Error> {
            self.fill_bytes(out);
            Ok(())
        }
    }
    impl rand_core_0_6::CryptoRng for Nines {}

    /// Any number of transcripts with different pasts, in groups of every width, against each by itself.
    #[test]
    fn many_transcripts_go_their_ways_together() {
        let mut random = Random::new(5);
        for (count, width) in (0..=19).flat_map(|count| [1, 4, 8].map(|width| (count, width))) {
            let mut alone: Vec<Transcript> = (0..count).map(|i| Transcript::new(&[b'p'; 40][..7 + i % 3])).collect();
            let mut together = Transcripts::in_groups(width, alone.iter());
            for step in 0..60 {
                let len = random.below(200);
                let data: Vec<Vec<u8>> = (0..count).map(|_| (0..len).map(|_| random.next() as u8).collect()).collect();
                together.append(b"data", |i| &data[i]);
                together.append(b"same", |_| &[3; 50][..step % 50]);
                alone.iter_mut().zip(&data).for_each(|(t, data)| {
                    t.append_message(b"data", data);
                    t.append_message(b"same", &[3; 50][..step % 50]);
                });
                if step % 3 == 0 {
                    let challenges = together.challenge::<64>(b"x");
                    for (t, challenge) in alone.iter_mut().zip(challenges) {
                        let mut expected = [0; 64];
                        t.challenge_bytes(b"x", &mut expected);
                        assert_eq!(challenge, expected);
                    }
                }
            }
            let mut seen = 0;
            for (i, mut transcript) in together.into_each() {
                let (mut a, mut b) = ([0; 32], [0; 32]);
                transcript.challenge_bytes(b"end", &mut a);
                alone[i].challenge_bytes(b"end", &mut b);
                assert_eq!(a, b);
                seen += 1;
            }
            assert_eq!(seen, count);
        }
    }
}
