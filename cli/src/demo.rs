//! `lanes demo`: proofs of Monero, Tari and the Seraphis study, on every backend, and one of each batch tampered with.
//!
//! The proofs are made when the program runs, always the same ones: files would have to be kept in step with the code, and
//! making them takes less than a second.

use std::fmt::Display;

use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::accumulator::{Accumulator, Blame, Limits, Verifier};
use curve25519_lanes::proofs::bulletproofs_plus::monero::Generators;
use curve25519_lanes::proofs::bulletproofs_plus::tari as bpplus;
use curve25519_lanes::proofs::clsag;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::triptych::tari::TriptychVerifier;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::{monero, seraphis, triptych};

use crate::bench::{Numbers, micros};
use crate::made::{LABEL, Linked, Ranged, Signed, Spent, TariRanged, fault};
use crate::output::{Output, Unusable};
use crate::progress::Progress;
use crate::{NO, OK, clock, info};

/// What is wrong with each of a batch: index and reason. Nothing for a valid batch, which takes one sum.
type Faults = Vec<(usize, String)>;

/// A protocol with a batch of valid proofs, and the same batch with one of them changed.
struct Show {
    name: &'static str,
    proofs: usize,
    /// What was changed in the proof at [`TAMPERED`].
    change: &'static str,
    valid: Box<dyn Fn() -> Faults>,
    tampered: Box<dyn Fn() -> Faults>,
}

/// Which of each batch is changed.
const TAMPERED: usize = 3;

impl Show {
    /// `proofs` has the length of the batch; `change` alters one of them.
    fn new<T: Clone + 'static>(
        name: &'static str,
        proofs: Vec<T>,
        change: &'static str,
        tamper: impl FnOnce(&mut T),
        faults: impl Fn(&[T]) -> Faults + Clone + 'static,
    ) -> Show {
        let mut changed = proofs.clone();
        tamper(&mut changed[TAMPERED]);
        let check = faults.clone();
        Show {
            name,
            proofs: proofs.len(),
            change,
            valid: Box::new(move || check(&proofs)),
            tampered: Box::new(move || faults(&changed)),
        }
    }
}

pub(crate) fn run(out: &mut Output) -> Result<u8, Unusable> {
    let backends: Vec<BackendId> = BackendId::forced()
        .map_or_else(|| BackendId::ALL.iter().rev().copied().filter(|id| id.is_available()).collect(), |id| vec![id]);
    out.line(format_args!(
        "{}. Proofs made here and now are verified in batches; CPU time of one thread.",
        info::cpu_name()
    ))?;
    let missing: Vec<&str> = BackendId::ALL.iter().filter(|id| !id.is_available()).map(|id| id.name()).collect();
    if !missing.is_empty() {
        out.line(format_args!("Not on this machine, or not in this build: {}", missing.join(", ")))?;
    }
    let shows = shows()?;
    let before = BackendId::forced();
    let done = report(&shows, &backends, out);
    cpu::force(before).map_err(|error| Unusable::new(error.to_string()))?;
    done
}

fn report(shows: &[Show], backends: &[BackendId], out: &mut Output) -> Result<u8, Unusable> {
    let heads: String = backends.iter().map(|id| format!(" {:>9}", id.name())).collect();
    let over = if backends.contains(&BackendId::Portable) { "  × portable" } else { "" };
    out.line(format_args!("\n{:<36} {:>6}  verdict    µs each:{heads}{over}", "", "proofs"))?;
    let mut progress = Progress::of(shows.len() * backends.len(), "batches");
    let mut good = true;
    let mut caught = Vec::new();
    for show in shows {
        let mut times = Vec::new();
        let (mut valid, mut found) = (true, true);
        let mut reason = String::new();
        for &id in backends {
            cpu::force(Some(id)).map_err(|error| Unusable::new(error.to_string()))?;
            valid &= (show.valid)().is_empty();
            times.push(clock::few(|| (show.valid)()) / show.proofs as f64);
            let faults = (show.tampered)();
            found &= faults.len() == 1 && faults[0].0 == TAMPERED;
            reason = faults.into_iter().next().map_or_else(|| "nothing found".to_string(), |(_, reason)| reason);
            progress.step();
        }
        good &= valid && found;
        let verdict = if valid { "all valid" } else { "REFUSED" };
        let cells: String = times.iter().map(|time| format!(" {:>9}", micros(*time))).collect();
        let portable = backends.iter().position(|id| *id == BackendId::Portable).map(|at| times[at]);
        let best = times.iter().copied().fold(f64::INFINITY, f64::min);
        let gain = portable.map_or(String::new(), |time| format!("  {:>10.1}", time / best));
        progress.suspend(|| -> Result<(), Unusable> {
            out.line(format_args!("{:<36} {:>6}  {verdict:<9}          {cells}{gain}", show.name, show.proofs))?;
            out.finish()
        })?;
        caught.push((show, found, reason));
    }
    drop(progress);
    out.line(format_args!("\nThen one of each batch was changed, number {TAMPERED}:"))?;
    for (show, found, reason) in caught {
        let verdict =
            if found { format!("caught: {reason}") } else { format!("NOT CAUGHT on every backend ({reason})") };
        out.line(format_args!("{:<36} {:<28} {verdict}", show.name, show.change))?;
    }
    let proofs: usize = shows.iter().map(|show| show.proofs).sum();
    out.line(match good {
        true => format!(
            "\n{proofs} proofs of {} kinds valid and {} forgeries named, alike on {} backend{}.",
            shows.len(),
            shows.len(),
            backends.len(),
            if backends.len() == 1 { "" } else { "s" }
        ),
        false => "\nThis must not be. Please report it, with the lines above.".to_string(),
    })?;
    Ok(if good { OK } else { NO })
}

fn text(error: impl Display) -> String {
    error.to_string().lines().next().unwrap_or_default().to_string()
}

/// Verdicts of those who give one on each.
fn each<E: Display>(verdicts: Vec<Result<(), E>>) -> Faults {
    verdicts.into_iter().enumerate().filter_map(|(i, verdict)| Some((i, text(verdict.err()?)))).collect()
}

/// The verdict of an accumulator.
fn accumulated<'a, V: Verifier>(verifier: &V, statements: impl Iterator<Item = V::Statement<'a>>) -> Faults {
    let mut batch = Accumulator::new(verifier, Limits::NONE);
    let mut faults = Faults::new();
    let mut pushed = Vec::new();
    for (i, statement) in statements.enumerate() {
        match batch.push(statement) {
            Ok(_) => pushed.push(i),
            Err(error) => faults.push((i, text(error))),
        }
    }
    match batch.close_and_blame() {
        Ok(()) => {}
        Err(Blame::Items(items)) => faults.extend(items.into_iter().map(|(i, error)| (pushed[i], text(error)))),
        Err(_) => faults.extend(pushed.into_iter().map(|i| (i, "the batch could not be searched".to_string()))),
    }
    faults.sort_unstable();
    faults
}

fn shows() -> Result<Vec<Show>, Unusable> {
    let mut shows = monero_shows()?;
    shows.extend(tari_shows()?);
    shows.extend(study_shows()?);
    Ok(shows)
}

fn monero_shows() -> Result<Vec<Show>, Unusable> {
    let generators = Generators::shared();
    let ranged: Vec<Ranged> = (0..32).map(|seed| Ranged::new(generators, 2, seed)).collect::<Result<_, _>>()?;
    let signed: Vec<Signed> = (0..16).map(|seed| Signed::new(generators, 16, seed)).collect::<Result<_, _>>()?;
    let spent: Vec<Spent> = (0..8).map(|seed| Spent::new(generators, 2, 2, 16, seed)).collect::<Result<_, _>>()?;
    Ok(vec![
        Show::new(
            "Monero range proofs, Bulletproofs+",
            ranged,
            "one bit of r1",
            |ranged| ranged.proof.r1[0] ^= 1,
            |all| {
                let items: Vec<_> = all.iter().map(Ranged::statement).collect();
                if generators.verify_batch(&items).is_ok() {
                    return Faults::new();
                }
                let bad = generators.find_invalid(&items).into_iter();
                let reason = |i: usize| generators.verify(&all[i].commitments, &all[i].proof).err().map(text);
                bad.map(|i| (i, reason(i).unwrap_or_default())).collect()
            },
        ),
        Show::new(
            "Monero ring signatures, CLSAG of 16",
            signed,
            "one bit of the message",
            |signed| signed.message[0] ^= 1,
            |all| each(clsag::verify_each(&all.iter().map(Signed::statement).collect::<Vec<_>>())),
        ),
        Show::new(
            "Monero transactions, 2 in, 2 out",
            spent,
            "the fee",
            |spent| spent.transaction.fee += 1,
            |all| each(monero::verify_each(generators, &all.iter().map(Spent::statement).collect::<Vec<_>>())),
        ),
    ])
}

fn tari_shows() -> Result<Vec<Show>, Unusable> {
    let made = TariRanged::new(1, 1, 32, false)?;
    let ranged: Vec<_> = made.statements.into_iter().zip(made.proofs).collect();
    let (other, _) = ranged[0].clone();
    let show = Show::new(
        "Tari range proofs, Bulletproofs+",
        ranged,
        "the commitment",
        |(statement, _)| *statement = other,
        |all| {
            let transcript = Transcript::new(LABEL);
            let entries =
                all.iter().map(|(statement, proof)| bpplus::Entry { transcript: &transcript, statement, proof });
            accumulated(&bpplus::RangeVerifier, entries)
        },
    );
    let linked = Linked::many(7, 16)?;
    let other = linked[0].statement.clone();
    let triptych = Show::new(
        "Tari Triptych, rings of 128",
        linked,
        "the linking tag",
        |linked| linked.statement = other,
        |all| {
            let transcript = Transcript::new(LABEL);
            accumulated(&TriptychVerifier, all.iter().map(|linked| linked.entry(&transcript)))
        },
    );
    Ok(vec![show, triptych])
}

/// The mock transactions of the Seraphis study hold Grootle, Triptych, composition and range proofs.
fn study_shows() -> Result<Vec<Show>, Unusable> {
    let shape = Shape::new(2, 7).map_err(fault)?;
    let mut shows = Vec::new();
    let (mut ledger, mut numbers) = (MemoryLedger::new(), Numbers::new(1));
    let mock = triptych::Mock { shape, inputs: 2, outputs: 2, splits: 0 };
    let txs = (0..8).map(|_| mock.build(&mut ledger, &mut numbers)).collect::<Result<Vec<_>, _>>().map_err(fault)?;
    shows.push(Show::new(
        "Triptych transactions, rings of 128",
        txs,
        "a linking tag",
        |tx| tx.inputs[0].tag_eighth[0] ^= 2,
        move |all| match triptych::verify_batch(all, &ledger) {
            Ok(()) => Faults::new(),
            Err(triptych::BatchError::Invalid(failures)) => {
                failures.into_iter().map(|failure| (failure.transaction, text(failure.check))).collect()
            }
            Err(error) => vec![(usize::MAX, text(error))],
        },
    ));
    for (kind, name) in [
        (seraphis::Kind::Plain, "Sp-Plain transactions, Grootle"),
        (seraphis::Kind::Merge, "Sp-Merge transactions, Grootle"),
        (seraphis::Kind::Concise, "Sp-Concise transactions, Grootle"),
        (seraphis::Kind::Squashed, "Sp-Squashed transactions, Grootle"),
    ] {
        let mut ledger = MemoryLedger::new();
        let mock = seraphis::Mock { kind, shape, inputs: 2, outputs: 2, splits: 0 };
        let txs =
            (0..8).map(|_| mock.build(&mut ledger, &mut numbers)).collect::<Result<Vec<_>, _>>().map_err(fault)?;
        shows.push(Show::new(
            name,
            txs,
            "a linking tag",
            |tx| tx.images[0].tag[0] ^= 2,
            move |all| match seraphis::verify_batch(all, &ledger) {
                Ok(()) => Faults::new(),
                Err(seraphis::BatchError::Invalid(failures)) => {
                    failures.into_iter().map(|failure| (failure.transaction, text(failure.check))).collect()
                }
                Err(error) => vec![(usize::MAX, text(error))],
            },
        ));
    }
    Ok(shows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forgery_that_nobody_finds_is_told() {
        let found = |faults: Faults| {
            let show = Show {
                name: "numbers",
                proofs: 8,
                change: "nothing",
                valid: Box::new(Faults::new),
                tampered: Box::new(move || faults.clone()),
            };
            report(&[show], &[BackendId::current()], &mut Output::stdout()).unwrap()
        };
        assert_eq!(found(vec![(TAMPERED, "wrong".into())]), OK);
        assert_eq!(found(Faults::new()), NO);
        assert_eq!(found(vec![(TAMPERED + 1, "wrong".into())]), NO);
        assert_eq!(found(vec![(0, "wrong".into()), (TAMPERED, "wrong".into())]), NO);
    }
}
