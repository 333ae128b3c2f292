//! Repeatable data for tests and benches, also in the form that provers take; no source for real proofs.

// Each program uses its own part of this.
#![allow(dead_code)]

/// Repeatable pseudo-random data (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        let mut out = [0; 32];
        self.fill(&mut out);
        out
    }

    pub(crate) fn fill(&mut self, out: &mut [u8]) {
        out.chunks_mut(8).for_each(|w| w.copy_from_slice(&self.next().to_le_bytes()[..w.len()]));
    }
}

#[cfg(feature = "rand_core")]
impl rand_core::TryRng for Random {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.next() as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.next())
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        self.fill(out);
        Ok(())
    }
}

#[cfg(feature = "rand_core")]
impl rand_core::TryCryptoRng for Random {}

/// For peers.
impl rand_core_0_6::RngCore for Random {
    fn next_u32(&mut self) -> u32 {
        self.next() as u32
    }
    fn next_u64(&mut self) -> u64 {
        self.next()
    }
    fn fill_bytes(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core_0_6::Error> {
        self.fill(out);
        Ok(())
    }
}

impl rand_core_0_6::CryptoRng for Random {}
