//! Counts that lie: encodings that claim 2^32 items and more, and sizes asked for that nobody can mean, are refused before
//! memory is asked for. An allocator that counts sees to it. The C interface has such calls in `capi/tests/misuse.c`.

#[path = "common/mod.rs"]
mod common;
#[path = "common/transactions.rs"]
mod transactions;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::varint;
use curve25519_lanes::proofs::bulletproofs_plus::{monero, tari};
use curve25519_lanes::proofs::clsag::Clsag;
use curve25519_lanes::proofs::grootle::{Form, System as Grootle};
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::schnorr::CompositionProof;
use curve25519_lanes::proofs::triptych::tari as tari_triptych;
use curve25519_lanes::tx::mantle::{Encoding, Inscription, Ledger, MantleTx, Note, Op};
use curve25519_lanes::tx::monero::Transaction;
use curve25519_lanes::wallet::{RawTransaction, SubaddressTable, TxExtra, ViewPair};
use curve25519_lanes::{EdwardsPoint, Scalar};

struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ASKED.try_with(|asked| asked.set(asked.get().saturating_add(layout.size())));
        // SAFETY: passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: passed on.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes of memory that `work` asks for, all in all.
fn asked(work: impl FnOnce()) -> usize {
    let before = ASKED.get();
    work();
    ASKED.get() - before
}

/// Encodings of 2^32 and more, as varints and as words.
fn lies() -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = [1 << 32, u64::from(u32::MAX), 1 << 62, 1 << 63, u64::MAX].map(varint).into();
    out.extend([vec![0xff; 4], vec![0xff; 8], vec![0xff; 16], vec![0, 0, 0, 0, 1, 0, 0, 0]]);
    out
}

/// Puts a lie before and over every byte of a valid encoding. Memory stays in proportion to the bytes there are.
fn lie_everywhere(name: &str, valid: &[u8], parse: impl Fn(&[u8])) {
    let mut tried = 0;
    let honest = asked(|| parse(valid));
    for lie in lies() {
        for at in 0..=valid.len() {
            for skipped in [0, 1, lie.len()] {
                let rest = valid.get(at + skipped..).unwrap_or_default();
                let bytes = [&valid[..at], &lie, rest].concat();
                let used = asked(|| parse(&bytes));
                let most = 64 * bytes.len() + 1024;
                assert!(used <= most, "{name}: {used} bytes of memory for {} with {lie:02x?} at {at}", bytes.len());
                tried += 1;
            }
        }
    }
    println!("{name}: {tried} lies; {honest} bytes of memory for {} honest ones", valid.len());
}

#[test]
fn claimed_counts_ask_for_no_memory() {
    let made = transactions::Made::new(monero::Generators::shared(), 2, 2, 4, 5);
    let valid = made.transaction.to_bytes();
    lie_everywhere("transaction", &valid, |bytes| drop(Transaction::from_bytes(bytes)));
    lie_everywhere("transaction for the scanner", &valid, |bytes| drop(RawTransaction::parse(bytes)));

    let proof = monero::prove(&[monero::Opening::new(5, Scalar::from(77u64))], &mut transactions::Numbers(3)).unwrap();
    lie_everywhere("Monero's range proof", &proof.to_bytes(), |bytes| drop(monero::RangeProof::from_bytes(bytes)));
    lie_everywhere("Tari's range proof", &[1; 1 + 32 * 10], |bytes| drop(tari::RangeProof::from_bytes(bytes)));
    for form in [tari_triptych::Form::Single, tari_triptych::Form::Parallel] {
        // n - 1 = 1 and m = 2; as many words as the form takes.
        let words = |count: usize| [&[1, 0, 0, 0, 2, 0, 0, 0][..], &vec![1; 32 * count]].concat();
        let read = |bytes: &[u8]| tari_triptych::Proof::from_bytes(form, bytes).is_ok();
        let bytes = (1..40).map(words).find(|bytes| read(bytes)).expect("some length is right");
        lie_everywhere("Tari's Triptych", &bytes, |bytes| drop(tari_triptych::Proof::from_bytes(form, bytes)));
    }
    let extra = [&[1][..], &[5; 32], &[4, 2], &[6; 64], &[2, 9], &[7; 9]].concat();
    lie_everywhere("extra", &extra, |bytes| drop(TxExtra::parse(bytes)));

    let transaction = MantleTx {
        ops: vec![Op::Inscribe(Inscription { channel: [1; 32], message: b"words", parent: [2; 32], signer: [3; 32] })],
        ledger: Ledger { inputs: vec![[4; 32]], outputs: vec![Note { value: 5, key: [6; 32] }], ..Ledger::default() },
    };
    for encoding in [Encoding::V1_0, Encoding::V1_4] {
        let valid = transaction.encode(encoding).unwrap();
        lie_everywhere("Mantle transaction", &valid, |bytes| drop(MantleTx::decode(encoding, bytes)));
    }
}

#[test]
fn sizes_that_nobody_can_mean_are_errors() {
    let huge = [1 << 32, usize::MAX >> 5, usize::MAX / 32, usize::MAX - 1, usize::MAX];
    let keys = ViewPair::new(&Scalar::from(5u64), &EdwardsPoint::BASEPOINT.compress().0).unwrap();
    let used = asked(|| {
        for n in huge {
            assert!(Clsag::from_bytes(&[1; 320], n).is_err());
            assert!(Clsag::read(&mut &[1; 320][..], n).is_err());
            assert!(CompositionProof::from_bytes(n, &[1; 320]).is_err());
            for m in [2, 64, n] {
                assert!(Shape::new(n, m).is_err() && Shape::new(m, n).is_err());
                assert!(Grootle::new(Form::Plain, n, m, 1).is_err() && Grootle::new(Form::Concise, m, n, 1).is_err());
            }
            assert!(Grootle::new(Form::Plain, 2, 2, n).is_err());
            assert!(monero::Generators::new(n).is_err());
            let bases = || tari::PedersenGens::new(tari::ExtensionDegree::DefaultPedersen);
            assert!(tari::RangeParameters::init(64, n, bases()).is_err());
            assert!(tari::RangeParameters::init(n, 1, bases()).is_err());
        }
        for (n, m) in [(u32::MAX, 2), (2, u32::MAX), (u32::MAX, u32::MAX), (65536, 2), (2, 32)] {
            assert!(tari_triptych::Parameters::new(tari_triptych::Form::Single, n, m).is_err());
        }
        assert!(SubaddressTable::new(&keys, u32::MAX, u32::MAX).is_err());
    });
    assert!(used < 1 << 20, "{used} bytes of memory");
}
