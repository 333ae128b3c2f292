//! `lanes tx-hash`: the Mantle transaction hash of raw bytes.

use std::fs::File;
use std::io::{self, Read};
use std::str::FromStr;

use curve25519_lanes::tx::mantle::{TxHasher, Variant};
use serde::Serialize;

use crate::OK;
use crate::output::{Output, Unusable, shown};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rule to hash by: C is today's rule on the chain, B the one the RFC proposed, A and A2 the ones it replaced, R
    /// the one it measured
    #[arg(long, value_parser = parse)]
    variant: Variant,
    /// Print a JSON object instead of bare hex
    #[arg(long)]
    json: bool,
    /// Encoded transaction, raw bytes; - is standard input
    file: String,
}

#[derive(Serialize)]
struct Report<'a> {
    variant: &'a str,
    bytes: u64,
    hash: String,
}

fn parse(name: &str) -> Result<Variant, String> {
    Variant::from_str(name).map_err(|_| "variants are A, A2, R, B and C".to_string())
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let unusable = |error: io::Error| Unusable::new(format!("{}: {error}", shown(&args.file)));
    let mut reader: Box<dyn Read> = match args.file.as_str() {
        "-" => Box::new(io::stdin().lock()),
        path => Box::new(File::open(path).map_err(unusable)?),
    };
    // In pieces, so that the size of the input doesn't matter.
    let mut hasher = TxHasher::new(args.variant);
    let mut piece = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        match reader.read(&mut piece) {
            Ok(0) => break,
            Ok(n) => {
                hasher.update(&piece[..n]);
                bytes += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unusable(error)),
        }
    }
    let hash: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if args.json {
        out.json(&Report { variant: &args.variant.to_string(), bytes, hash })?;
    } else {
        out.line(hash)?;
    }
    Ok(OK)
}
