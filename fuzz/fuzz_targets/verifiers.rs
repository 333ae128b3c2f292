//! A valid proof, changed: alone, in a batch, and when the bad one is searched for, the verdict is the same; and only what
//! is unchanged is valid.
#![no_main]

use curve25519_lanes::cpu::BackendId;
use curve25519_lanes_fuzz::Input;
use curve25519_lanes_fuzz::cases::{all, change, expected};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let cases = all();
    let case = &cases[input.below(cases.len())];
    let available: Vec<BackendId> = BackendId::available().collect();
    let backends = [(); 3].map(|()| available[input.below(available.len())]);
    let bytes = change(case, &mut input);

    match ((case.judge)(&bytes, backends), expected(case, &bytes)) {
        (None, expected) => assert!(!expected.single, "{}: a valid proof is not read", case.name),
        (Some(verdicts), expected) => assert_eq!(verdicts, expected, "{} on {backends:?}", case.name),
    }
});
