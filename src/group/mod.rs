//! L2: points. Edwards, Ristretto and Montgomery forms, their encodings and the maps between them.

pub(crate) mod backend;
pub(crate) mod codec;
pub(crate) mod edwards;
pub(crate) mod formulas;

pub use codec::{
    CompressedEdwardsY, DecodeError, compress_batch, decompress_batch_dalek, decompress_batch_strict,
    try_decompress_batch_dalek, try_decompress_batch_strict,
};
pub use edwards::EdwardsPoint;
