//! A valid proof, changed: alone, in a batch, and when the bad one is searched for, the verdict is the same; and only what
//! is unchanged is valid.
#![no_main]

use curve25519_lanes::cpu::BackendId;
use curve25519_lanes_fuzz::Input;
use curve25519_lanes_fuzz::cases::{Case, PLACE, Verdicts, all};
use libfuzzer_sys::fuzz_target;

fn change(case: &Case, input: &mut Input<'_>) -> Vec<u8> {
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

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let cases = all();
    let case = &cases[input.below(cases.len())];
    let available: Vec<BackendId> = BackendId::available().collect();
    let backends = [(); 3].map(|()| available[input.below(available.len())]);
    let bytes = change(case, &mut input);

    let unchanged = bytes == case.bytes;
    match (case.judge)(&bytes, backends) {
        None => assert!(!unchanged, "{}: a valid proof is not read", case.name),
        Some(verdicts) => {
            let blamed = if unchanged { vec![] } else { vec![PLACE] };
            let expected = Verdicts { single: unchanged, batch: unchanged, blamed };
            assert_eq!(verdicts, expected, "{} on {backends:?}", case.name);
        }
    }
});
