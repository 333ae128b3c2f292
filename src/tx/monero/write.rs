//! The bytes of a transaction, and the two hashes made of them.

use alloc::vec::Vec;

use super::{Input, Output, Transaction};
use crate::hash::keccak256;
use crate::proofs::varint;

pub(super) const VERSION: u64 = 2;
/// RingCT type: CLSAG signatures, Bulletproofs+ range proofs.
pub(super) const CLSAG_BULLETPROOF_PLUS: u8 = 6;
pub(super) const INPUT_TO_KEY: u8 = 2;
pub(super) const OUTPUT_KEY: u8 = 2;
pub(super) const OUTPUT_TAGGED_KEY: u8 = 3;

fn count(out: &mut Vec<u8>, n: usize) {
    varint::write(out, n as u64);
}

impl Transaction {
    /// The bytes that [`from_bytes`](Transaction::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.prefix(), self.base(), self.prunable()].concat()
    }

    /// The transaction's name on the network, 32 bytes in the order that it is written in.
    pub fn id(&self) -> [u8; 32] {
        self.hash(&self.prunable())
    }

    /// What the ring signatures sign: like the [id](Transaction::id), over the range proof only instead of all proofs, and
    /// without its counts.
    pub fn signing_hash(&self) -> [u8; 32] {
        self.hash(&self.range_proof.signature_bytes())
    }

    fn hash(&self, proofs: &[u8]) -> [u8; 32] {
        keccak256([keccak256(&self.prefix()), keccak256(&self.base()), keccak256(proofs)].as_flattened())
    }

    fn prefix(&self) -> Vec<u8> {
        let mut out = Vec::new();
        varint::write(&mut out, VERSION);
        varint::write(&mut out, self.unlock_time);
        count(&mut out, self.inputs.len());
        for Input { amount, offsets, key_image, .. } in &self.inputs {
            out.push(INPUT_TO_KEY);
            varint::write(&mut out, *amount);
            count(&mut out, offsets.len());
            offsets.iter().for_each(|offset| varint::write(&mut out, *offset));
            out.extend(key_image);
        }
        count(&mut out, self.outputs.len());
        for Output { key, view_tag, .. } in &self.outputs {
            varint::write(&mut out, 0);
            out.push(if view_tag.is_some() { OUTPUT_TAGGED_KEY } else { OUTPUT_KEY });
            out.extend(key);
            out.extend(view_tag);
        }
        count(&mut out, self.extra.len());
        out.extend(&self.extra);
        out
    }

    fn base(&self) -> Vec<u8> {
        let mut out = alloc::vec![CLSAG_BULLETPROOF_PLUS];
        varint::write(&mut out, self.fee);
        self.outputs.iter().for_each(|output| out.extend(output.encrypted_amount));
        self.outputs.iter().for_each(|output| out.extend(output.commitment));
        out
    }

    fn prunable(&self) -> Vec<u8> {
        let mut out = alloc::vec![1];
        out.extend(self.range_proof.to_bytes());
        self.inputs.iter().for_each(|input| out.extend(input.signature.to_bytes()));
        self.inputs.iter().for_each(|input| out.extend(input.pseudo_out));
        out
    }
}
