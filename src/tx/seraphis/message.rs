//! What the proofs sign, and the squashed enote. Hs(b) = Keccak-256(b) mod l.

use alloc::vec::Vec;

use super::{Enote, Kind};
use crate::field::scalar::Scalar;
use crate::group::{EdwardsPoint, compress_batch, try_decompress_batch_strict};
use crate::hash::keccak256;
use crate::msm;
use crate::proofs::varint;

/// What a membership proof signs: Hs("bitmonero" | the indices of its ring).
pub fn membership_message(indices: &[u64]) -> [u8; 32] {
    Scalar::from_bytes_mod_order(keccak256(&membership_bytes(indices))).to_bytes()
}

/// The bytes of which the [`membership_message`] is the hash.
pub(super) fn membership_bytes(indices: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(9 + 4 * indices.len());
    bytes.extend_from_slice(b"bitmonero");
    indices.iter().for_each(|index| varint::write(&mut bytes, *index));
    bytes
}

/// What composition proofs sign: Hs("bitmonero" | version | outputs | R). It binds no input, remainder or membership
/// proof, so inputs may be put together by several parties.
pub fn image_message(kind: Kind, outputs: &[Enote], pubkeys: &[[u8; 32]]) -> [u8; 32] {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(b"bitmonero");
    bytes.extend(kind.version());
    for enote in outputs {
        bytes.extend_from_slice(&enote.address);
        bytes.extend_from_slice(&enote.commitment);
        bytes.extend(enote.amount.to_be_bytes());
        bytes.push(enote.view_tag);
    }
    bytes.extend_from_slice(pubkeys.as_flattened());
    Scalar::from_bytes_mod_order(keccak256(&bytes)).to_bytes()
}

/// h = Hs("seraphis squashed enote" | address | commitment), by which the address of a squashed enote is multiplied.
pub fn squash(address: &[u8; 32], commitment: &[u8; 32]) -> Scalar {
    Scalar::from_bytes_mod_order(keccak256(&[&b"seraphis squashed enote"[..], address, commitment].concat()))
}

/// The squashed enote h·address + commitment, encoded; none if either is no point.
pub fn squashed(address: &[u8; 32], commitment: &[u8; 32]) -> Option<[u8; 32]> {
    squashed_batch(&[[*address, *commitment]]).swap_remove(0)
}

/// The [`squashed`] enote of each pair of address and commitment.
pub fn squashed_batch(outputs: &[[[u8; 32]; 2]]) -> Vec<Option<[u8; 32]>> {
    let decoded = try_decompress_batch_strict(outputs.as_flattened());
    let pairs: Vec<_> = decoded.chunks_exact(2).map(|pair| pair[0].zip(pair[1])).collect();
    let good = || outputs.iter().zip(&pairs).filter_map(|(bytes, points)| points.map(|points| (bytes, points)));
    let h: Vec<Scalar> = good().map(|([address, commitment], _)| squash(address, commitment)).collect();
    let addresses: Vec<EdwardsPoint> = good().map(|(_, (address, _))| address).collect();
    let mut sums = msm::mul_batch(&h, &addresses).expect("one an address");
    sums.iter_mut().zip(good()).for_each(|(sum, (_, (_, commitment)))| *sum += commitment);
    let mut encoded = compress_batch(&sums).into_iter();
    pairs.iter().map(|pair| pair.and_then(|_| encoded.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// Known answers of an independent implementation.
    #[test]
    fn known_answers() {
        let hex = |bytes: [u8; 32]| bytes.iter().map(|b| alloc::format!("{b:02x}")).collect::<String>();
        assert_eq!(
            hex(membership_message(&[0, 1, 2, 300])),
            "1614f802ae34695087e339bf1b6bda89d71c036b1c76c8378c9256cdb6a51202"
        );
    }
}
