//! `lanes tune`: what the backends' operations cost on this CPU, and whether other plans would be faster.

use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::msm::{self, Costs};
use curve25519_lanes::{EdwardsPoint, Scalar};
use serde::Serialize;

use crate::clock::{least, nanoseconds};
use crate::output::{Output, Unusable};
use crate::{OK, clock};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

/// Sizes at which built-in and measured costs are compared.
const SIZES: [usize; 6] = [16, 64, 128, 256, 1024, 4096];

#[derive(Serialize)]
struct Report {
    backend: &'static str,
    /// Thousandths of a mixed addition of a vector, built in and measured here.
    built_in: Table,
    measured: Table,
    /// Points, nanoseconds by the built-in plan, nanoseconds by the measured one.
    msm: Vec<(usize, u64, u64)>,
}

#[derive(Serialize)]
struct Table {
    straus_add: u32,
    straus_entry: u32,
    double: u32,
    single_double: u32,
    sort: u32,
    bucket: u32,
    reduce: u32,
    row: u32,
}

impl From<Costs> for Table {
    fn from(c: Costs) -> Table {
        Table {
            straus_add: c.straus_add,
            straus_entry: c.straus_entry,
            double: c.double,
            single_double: c.single_double,
            sort: c.sort,
            bucket: c.bucket,
            reduce: c.reduce,
            row: c.row,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let scalars = scalars();
    let points = msm::mul_base_batch(&scalars);
    let encodings = curve25519_lanes::compress_batch(&points);
    let points = curve25519_lanes::decompress_batch_strict(&encodings).map_err(|e| Unusable::new(e.to_string()))?;
    if !args.json {
        out.line("Costs in thousandths of one mixed addition of a vector, built in > measured here.")?;
    }
    let only = BackendId::forced();
    for id in BackendId::available().filter(|id| only.is_none_or(|only| only == *id)) {
        let report = tune(id, &scalars, &points)?;
        if args.json {
            out.json(&report)?;
        } else {
            show(&report, out)?;
        }
    }
    curve25519_lanes::cpu::force(only).map_err(|error| Unusable::new(error.to_string()))?;
    Ok(OK)
}

fn scalars() -> Vec<Scalar> {
    let mut out = vec![-Scalar::ONE];
    while out.len() < SIZES[SIZES.len() - 1] {
        let last = out[out.len() - 1];
        out.push(last * last + Scalar::from(out.len() as u64));
    }
    out
}

fn tune(id: BackendId, scalars: &[Scalar], points: &[EdwardsPoint]) -> Result<Report, Unusable> {
    let unusable = |error: curve25519_lanes::cpu::BackendError| Unusable::new(error.to_string());
    curve25519_lanes::cpu::force(Some(id)).map_err(unusable)?;
    let measured = Costs::measure(id, &nanoseconds).map_err(unusable)?;
    let mut rows = Vec::new();
    for n in SIZES {
        let time = || {
            let (scalars, points) = (&scalars[..n], &points[..n]);
            least(|| msm::vartime(scalars, points).is_ok())
        };
        Costs::uninstall(id);
        let built_in = time();
        measured.install(id);
        rows.push((n, built_in, time()));
        Costs::uninstall(id);
    }
    Ok(Report { backend: id.name(), built_in: Costs::built_in(id).into(), measured: measured.into(), msm: rows })
}

fn show(report: &Report, out: &mut Output) -> Result<(), Unusable> {
    let (a, b) = (&report.built_in, &report.measured);
    out.line(format_args!("\n{}", report.backend))?;
    for (name, a, b) in [
        ("straus_add", a.straus_add, b.straus_add),
        ("straus_entry", a.straus_entry, b.straus_entry),
        ("double", a.double, b.double),
        ("single_double", a.single_double, b.single_double),
        ("sort", a.sort, b.sort),
        ("bucket", a.bucket, b.bucket),
        ("reduce", a.reduce, b.reduce),
        ("row", a.row, b.row),
    ] {
        out.line(format_args!("  {name:<14} {a:>6} > {b:>6}"))?;
    }
    out.line("  MSM: points, µs by the built-in costs, by the measured ones")?;
    for &(n, built_in, measured) in &report.msm {
        let gain = 100.0 * (built_in as f64 / measured as f64 - 1.0);
        let (built_in, measured) = (clock::micros(built_in), clock::micros(measured));
        out.line(format_args!("  {n:>8} {built_in:>10.1} {measured:>10.1}  {gain:+.0} %"))?;
    }
    Ok(())
}
