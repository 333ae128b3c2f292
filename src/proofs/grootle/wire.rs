//! The bytes of a proof.

use alloc::vec::Vec;

use super::{Form, ParseError, System};

/// The transmitted parts of a proof, as bytes. Nothing about them is checked before verification.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Proof {
    /// A, a point divided by 8, as are `b` and `x`.
    pub a: [u8; 32],
    /// B
    pub b: [u8; 32],
    /// Columns 1 to n − 1 of the m rows of f, row by row: scalars.
    pub f: Vec<[u8; 32]>,
    /// X: m points; in plain proofs m for each key, key by key.
    pub x: Vec<[u8; 32]>,
    /// z_A, a scalar.
    pub z_a: [u8; 32],
    /// z: a scalar; in plain proofs one for each key.
    pub z: Vec<[u8; 32]>,
}

impl System {
    /// Bytes of a proof: 32·(n·m + 4) if concise, 32·(q·m + m·(n − 1) + 3 + q) if plain.
    pub fn proof_size(&self) -> usize {
        let (cells, lists) = (self.shape.sent_cells(), self.lists());
        32 * (3 + cells + lists * (self.shape.m() + 1))
    }
}

impl Proof {
    /// A, B, f, X, z_A, z, without any counts: the parameters say how many there are. (The research code, which names this
    /// order, never writes a proof.)
    ///
    /// ```
    /// use curve25519_lanes::proofs::grootle::{Form, Proof, System};
    /// let system = System::new(Form::Plain, 2, 7, 2)?;
    /// assert_eq!(system.proof_size(), 32 * 26);
    /// let proof = Proof::from_bytes(&system, &[0; 32 * 26])?; // of this form, and not valid
    /// assert_eq!(proof.to_bytes(), [0; 32 * 26]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The number of bytes is not [`System::proof_size`].
    pub fn from_bytes(system: &System, bytes: &[u8]) -> Result<Proof, ParseError> {
        let (parts, rest) = bytes.as_chunks::<32>();
        let expected = system.proof_size();
        if !rest.is_empty() || bytes.len() != expected {
            return Err(ParseError { found: bytes.len(), expected });
        }
        let mut parts = parts.iter().copied();
        let mut next = || parts.next().expect("counted");
        let (a, b) = (next(), next());
        let f = (0..system.shape.sent_cells()).map(|_| next()).collect();
        let x = (0..system.lists() * system.shape.m()).map(|_| next()).collect();
        let z_a = next();
        let z = (0..system.lists()).map(|_| next()).collect();
        Ok(Proof { a, b, f, x, z_a, z })
    }

    /// The bytes that [`from_bytes`](Proof::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = [self.a, self.b];
        [head.as_flattened(), self.f.as_flattened(), self.x.as_flattened(), &self.z_a, self.z.as_flattened()].concat()
    }
}

impl Form {
    /// The name, as in the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Form::Concise => "concise",
            Form::Plain => "plain",
        }
    }
}
