//! `lanes info`: what this machine has, and what was chosen.

use std::env;

use curve25519_lanes::cpu::BackendId;
use serde::Serialize;

use crate::OK;
use crate::output::{Output, Unusable};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    cpu: String,
    target: String,
    /// Vector and big-integer features the whole program was compiled for, beyond the choice at run time.
    compiled_for: Vec<&'static str>,
    backends: Vec<Backend>,
    /// The backend of wide work: sums, batches.
    chosen: &'static str,
    why: String,
    /// The backend of single operations that lanes can't speed up.
    chosen_for_single: &'static str,
    /// Which backend serves which kind of work.
    work: Vec<Work>,
}

#[derive(Serialize)]
struct Work {
    kind: &'static str,
    backend: &'static str,
    why: String,
}

#[derive(Serialize)]
struct Backend {
    name: &'static str,
    compiled: bool,
    available: bool,
    chosen: bool,
    needs: Vec<Feature>,
}

#[derive(Serialize)]
struct Feature {
    name: &'static str,
    /// Whether CPU and operating system offer it; null where this program can't tell.
    present: Option<bool>,
}

pub(crate) fn run(args: &Args, by_option: bool, out: &mut Output) -> Result<u8, Unusable> {
    let report = Report::new(by_option);
    if args.json {
        out.json(&report)?;
    } else {
        report.print(out)?;
    }
    Ok(OK)
}

impl Report {
    fn new(by_option: bool) -> Report {
        let current = BackendId::current();
        let backend = |&id: &BackendId| Backend {
            name: id.name(),
            compiled: id.is_compiled(),
            available: id.is_available(),
            chosen: id == current,
            needs: id.needs().iter().map(|&name| Feature { name, present: has_feature(name) }).collect(),
        };
        Report {
            version: env!("CARGO_PKG_VERSION"),
            cpu: cpu_name(),
            target: format!("{}-{}", env::consts::ARCH, env::consts::OS),
            compiled_for: compiled_for(),
            backends: BackendId::ALL.iter().map(backend).collect(),
            chosen: current.name(),
            why: why(current, by_option),
            chosen_for_single: BackendId::for_single().name(),
            work: work(by_option),
        }
    }

    fn print(&self, out: &mut Output) -> Result<(), Unusable> {
        out.line(format_args!("lanes {} on {}", self.version, self.target))?;
        out.line(format_args!("CPU           {}", self.cpu))?;
        out.line(format_args!("compiled for  {}", self.compiled_for.join(" ")))?;
        out.line("")?;
        out.line("backend       compiled  available  needs")?;
        for backend in &self.backends {
            let yes = |b: bool| if b { "yes" } else { "no" };
            let needs: Vec<String> = backend.needs.iter().map(Feature::describe).collect();
            let needs = if needs.is_empty() { "nothing".to_string() } else { needs.join(" ") };
            let row = (backend.name, yes(backend.compiled), yes(backend.available));
            out.line(format_args!("{:<12}  {:<8}  {:<9}  {needs}", row.0, row.1, row.2))?;
        }
        out.line("")?;
        out.line(format_args!("chosen        {} ({})", self.chosen, self.why))?;
        out.line("")?;
        out.line("work                                            backend    why")?;
        for Work { kind, backend, why } in &self.work {
            out.line(format_args!("{kind:<46}  {backend:<9}  {why}"))?;
        }
        Ok(())
    }
}

impl Feature {
    fn describe(&self) -> String {
        match self.present {
            Some(true) => self.name.to_string(),
            Some(false) => format!("{} (missing)", self.name),
            None => format!("{} (unknown)", self.name),
        }
    }
}

/// Each kind of work that is dispatched for itself, with the reason for its backend.
fn work(by_option: bool) -> Vec<Work> {
    let current = BackendId::current();
    let forced = BackendId::forced().is_some();
    let entry = |kind, id: BackendId, chosen: String| {
        let why = if forced { why(id, by_option) } else { chosen };
        Work { kind, backend: id.name(), why }
    };
    let (secrets, single, product) =
        (BackendId::for_secrets(), BackendId::for_single(), BackendId::for_single_product());
    let of_secrets = match secrets == current {
        true => "the same as for public data",
        false => "secrets are kept off floating point",
    };
    let of_product = match product == single {
        true => "the best one with one lane",
        false => "one point's four coordinates side by side in the lanes",
    };
    vec![
        entry("sums and batches of public data", current, why(current, by_option)),
        entry("batches of secret scalars", secrets, of_secrets.to_string()),
        entry("one scalar times one point, one X25519", product, of_product.to_string()),
        entry(
            "one encoding, decoding or multiple of the base",
            single,
            "one chain of operations: the best one with one lane".to_string(),
        ),
    ]
}

/// Why the current backend is the current one.
fn why(current: BackendId, by_option: bool) -> String {
    let set = |name| env::var(name).is_ok_and(|value| !value.trim().is_empty());
    if by_option {
        return "asked for by --backend".to_string();
    }
    if set("LANES_BACKEND") {
        return "asked for by LANES_BACKEND".to_string();
    }
    if BackendId::forced().is_some() {
        return "fixed when this program was compiled".to_string();
    }
    let better = BackendId::ALL.iter().skip_while(|&&id| id != current).skip(1);
    let mut why = "the best one available".to_string();
    for id in better {
        let reason = match id {
            id if !id.is_compiled() => "not compiled in",
            id if !id.is_detected() => "needs features this machine lacks",
            _ => "disabled",
        };
        why.push_str(&format!("; {id}: {reason}"));
    }
    why
}

/// Family, model and stepping.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn cpu_signature() -> Option<[u64; 3]> {
    let info = raw_cpuid::CpuId::new().get_feature_info()?;
    Some([info.family_id(), info.model_id(), info.stepping_id()].map(u64::from))
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) fn cpu_signature() -> Option<[u64; 3]> {
    None
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn cpu_name() -> String {
    let brand = raw_cpuid::CpuId::new().get_processor_brand_string();
    brand.map_or_else(|| "unknown".to_string(), |brand| crate::output::shown(brand.as_str().trim()))
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) fn cpu_name() -> String {
    "unknown".to_string()
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! features {
    ($($name:tt)*) => {
        /// Whether CPU and operating system offer a feature, by its name.
        fn has_feature(name: &str) -> Option<bool> {
            match name {
                $($name => Some(std::is_x86_feature_detected!($name)),)*
                _ => None,
            }
        }

        /// The known features that CPU and operating system offer.
        pub(crate) fn present_features() -> Vec<&'static str> {
            [$($name),*].into_iter().filter(|name| has_feature(name) == Some(true)).collect()
        }

        pub(crate) fn compiled_for() -> Vec<&'static str> {
            [$(($name, cfg!(target_feature = $name)),)*].iter().filter(|f| f.1).map(|f| f.0).collect()
        }
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
features!("sse2" "ssse3" "avx" "avx2" "fma" "bmi1" "bmi2" "adx" "avx512f" "avx512dq" "avx512bw" "avx512vl" "avx512ifma");

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn has_feature(_name: &str) -> Option<bool> {
    None
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) fn present_features() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) fn compiled_for() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(all(test, any(target_arch = "x86", target_arch = "x86_64")))]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_work_has_an_available_backend() {
        for work in work(false) {
            let id = BackendId::from_name(work.backend).expect("an available backend");
            assert!(!work.why.is_empty(), "{id} for {}", work.kind);
        }
    }

    #[test]
    fn every_needed_feature_is_known_and_agrees_with_detection() {
        for id in BackendId::ALL {
            let needs: Vec<_> = id.needs().iter().map(|name| has_feature(name)).collect();
            assert!(needs.iter().all(Option::is_some), "{id}: a name this program can't look up");
            if id.is_compiled() {
                assert_eq!(id.is_detected(), needs.iter().all(|&f| f == Some(true)), "{id}");
            }
        }
    }
}
