//! `lanes scan`: which outputs of some transactions belong to which wallets.

use std::fs;
use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::ValueEnum;
use curve25519_lanes::Scalar;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::wallet::scanner::{BadKey, Found, KeyRule, Options, Via};
use curve25519_lanes::wallet::subaddress::LOOKAHEAD;
use curve25519_lanes::wallet::{PaymentId, RawTransaction, Scanner, Transaction, ViewPair};
use serde::{Deserialize, Serialize};

use crate::cases::Hex;
use crate::output::{Output, Unusable, shown};
use crate::progress::Progress;
use crate::{NO, OK};

/// Larger files are refused unread.
const MAX_BYTES: u64 = 1 << 30;
/// Transactions that a thread takes at once.
const PIECE: usize = 64;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// JSON file with `cases[]` of `view_secret`, `spend_secret` or `spend_public`, and `subaddress_range`
    #[arg(long, value_name = "KEYS.json")]
    keys: String,
    /// JSON file with `cases[]` of `tx_hex`, or a text file with a transaction in hex on each line
    #[arg(long, value_name = "TXS.json")]
    txs: String,
    /// Threads to use; all that there are, unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Compare what is found with `owned` of the transactions' cases
    #[arg(long)]
    expect: bool,
    /// Whose rule says which keys of a transaction are tried
    #[arg(long, value_enum, default_value_t = Rule::Reference)]
    rule: Rule,
    /// Pass over transaction keys that are no points, instead of taking the neutral element for their derivation
    #[arg(long)]
    skip_bad_keys: bool,
    /// One JSON object a line: outputs, then the summary
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Rule {
    /// The reference wallet: all transaction keys, additional keys beside the first
    Reference,
    /// The light wallet server: the first transaction key, additional keys if there is one for each output
    Lws,
    /// All keys there are
    All,
}

#[derive(Deserialize)]
struct Keys {
    cases: Vec<Wallet>,
}

#[derive(Deserialize)]
struct Wallet {
    view_secret: Hex,
    spend_secret: Option<Hex>,
    spend_public: Option<Hex>,
    subaddress_range: Option<Range>,
}

/// Indexes of accounts and addresses.
#[derive(Deserialize)]
struct Range {
    major: Vec<u32>,
    minor: Vec<u32>,
}

#[derive(Deserialize)]
struct Transactions {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    #[serde(alias = "hex")]
    tx_hex: String,
    owned: Option<Vec<Owned>>,
}

#[derive(Clone, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Owned {
    output: usize,
    subaddress: (u32, u32),
    amount: Option<u64>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Output {
        transaction: usize,
        output: usize,
        wallet: usize,
        subaddress: (u32, u32),
        amount: Option<u64>,
        fault: Option<String>,
        via: String,
        payment_id: Option<String>,
    },
    Disagreement {
        transaction: usize,
        message: String,
    },
    Summary {
        transactions: usize,
        wallets: usize,
        outputs: usize,
        disagreements: Option<usize>,
        pairs: u64,
        seconds: f64,
        setup_seconds: f64,
        pairs_per_second: f64,
        threads: usize,
        backend: &'static str,
    },
    Error {
        message: String,
    },
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let result = scan(args, out);
    if let (true, Err(unusable)) = (args.json, &result) {
        out.json(&Line::Error { message: unusable.to_string() })?;
    }
    result
}

fn scan(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let setup = Instant::now();
    let scanner = wallets(args)?;
    let (transactions, owned) = transactions(&args.txs)?;
    if args.expect && owned.iter().all(Option::is_none) {
        return Err(Unusable::new(format!("{}: no case says what is owned", shown(&args.txs))));
    }
    let views: Vec<Transaction<'_>> = transactions.iter().map(RawTransaction::as_transaction).collect();
    let setup_seconds = setup.elapsed().as_secs_f64();
    let threads = match args.threads {
        Some(n) => usize::from(n),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let start = Instant::now();
    let (found, pairs) = on_threads(&scanner, &views, threads);
    let seconds = start.elapsed().as_secs_f64();

    if !args.json {
        out.line(format_args!(
            "{:>6} {:>6} {:>6}  {:<12} {:>20}  {:<10} payment id",
            "tx", "output", "wallet", "subaddress", "amount", "key"
        ))?;
    }
    for f in &found {
        line(f, args.json, out)?;
    }
    let disagreements = match args.expect {
        true => Some(compare(&found, &owned, args.json, out)?),
        false => None,
    };
    let pairs_per_second = pairs as f64 / seconds.max(1e-9);
    let backend = BackendId::current().name();
    if args.json {
        out.json(&Line::Summary {
            transactions: views.len(),
            wallets: scanner.len(),
            outputs: found.len(),
            disagreements,
            pairs,
            seconds,
            setup_seconds,
            pairs_per_second,
            threads,
            backend,
        })?;
    } else {
        out.line(format_args!(
            "{} outputs of {} transactions belong to {} wallets; {pairs} (key, output) pairs in {seconds:.3} s, \
             {pairs_per_second:.0} a second ({threads} threads, {backend}; set up in {setup_seconds:.3} s)",
            found.len(),
            views.len(),
            scanner.len()
        ))?;
        match disagreements {
            Some(0) => out.line("as expected")?,
            Some(n) => out.line(format_args!("{n} transactions not as expected"))?,
            None => {}
        }
    }
    Ok(if disagreements.unwrap_or(0) == 0 { OK } else { NO })
}

fn wallets(args: &Args) -> Result<Scanner, Unusable> {
    let keys: Keys = json(&args.keys, &read(&args.keys)?)?;
    let unusable = |i: usize, message: &str| Unusable::new(format!("{}: cases[{i}]: {message}", shown(&args.keys)));
    let rule = match args.rule {
        Rule::Reference => KeyRule::ReferenceWallet,
        Rule::Lws => KeyRule::LightWalletServer,
        Rule::All => KeyRule::All,
    };
    let bad_key = if args.skip_bad_keys { BadKey::Skip } else { BadKey::Identity };
    let mut scanner = Scanner::new(Options { bad_key, keys: rule, ..Options::default() });
    for (i, wallet) in keys.cases.iter().enumerate() {
        let scalar = |hex: &Hex, what| {
            Option::<Scalar>::from(Scalar::from_canonical_bytes(hex.0))
                .ok_or_else(|| unusable(i, &format!("{what}: not below the group order")))
        };
        let view = scalar(&wallet.view_secret, "view_secret")?;
        let pair = match (&wallet.spend_secret, &wallet.spend_public) {
            (Some(secret), public) => {
                let pair = ViewPair::from_secrets(&view, &scalar(secret, "spend_secret")?);
                if public.as_ref().is_some_and(|public| public.0 != *pair.spend_public()) {
                    return Err(unusable(i, "spend_public is not the key of spend_secret"));
                }
                pair
            }
            (None, Some(public)) => {
                ViewPair::new(&view, &public.0).map_err(|error| unusable(i, &format!("spend_public: {error}")))?
            }
            (None, None) => return Err(unusable(i, "neither spend_secret nor spend_public")),
        };
        let size = |indexes: &[u32]| {
            let last = indexes.iter().max().ok_or_else(|| unusable(i, "subaddress_range: empty"))?;
            last.checked_add(1).ok_or_else(|| unusable(i, "subaddress_range: too large"))
        };
        let (majors, minors) = match &wallet.subaddress_range {
            Some(range) => (size(&range.major)?, size(&range.minor)?),
            None => LOOKAHEAD,
        };
        if u64::from(majors) * u64::from(minors) > 10_000_000 {
            return Err(unusable(i, "subaddress_range: more than ten million"));
        }
        scanner.add_wallet(&pair, majors, minors).map_err(|error| unusable(i, &error.to_string()))?;
    }
    if scanner.is_empty() {
        return Err(Unusable::new(format!("{}: no keys", shown(&args.keys))));
    }
    Ok(scanner)
}

/// The transactions, and what their cases say is owned.
type Parsed = (Vec<RawTransaction>, Vec<Option<Vec<Owned>>>);

fn transactions(file: &str) -> Result<Parsed, Unusable> {
    let text = read(file)?;
    let cases: Vec<(String, Case)> = if text.trim_start().starts_with('{') {
        let document: Transactions = json(file, &text)?;
        document.cases.into_iter().enumerate().map(|(i, case)| (format!("cases[{i}]"), case)).collect()
    } else {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(i, line)| (format!("line {}", i + 1), Case { tx_hex: line.trim().into(), owned: None })).collect()
    };
    if cases.is_empty() {
        return Err(Unusable::new(format!("{}: no transactions", shown(file))));
    }
    let (mut transactions, mut owned) = (Vec::new(), Vec::new());
    for (place, case) in cases {
        let unusable = |message: String| Unusable::new(format!("{}: {place}: {message}", shown(file)));
        let bytes = bytes(&case.tx_hex).ok_or_else(|| unusable("not hex digits".into()))?;
        transactions.push(RawTransaction::parse(&bytes).map_err(|error| unusable(error.to_string()))?);
        owned.push(case.owned);
    }
    Ok((transactions, owned))
}

fn read(file: &str) -> Result<String, Unusable> {
    let unusable = |error: &dyn std::fmt::Display| Unusable::new(format!("{}: {error}", shown(file)));
    let mut text = String::new();
    let opened = fs::File::open(file).map_err(|error| unusable(&error))?;
    opened.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(|error| unusable(&error))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(unusable(&"larger than 1 GiB; split it"));
    }
    Ok(text)
}

fn json<'a, T: Deserialize<'a>>(file: &str, text: &'a str) -> Result<T, Unusable> {
    let mut json = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut json)
        .map_err(|error| Unusable::new(format!("{}: {}", shown(file), shown(&error.to_string()))))
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| char::from(c).to_digit(16).map(|d| d as u8);
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[a, b]| Some(digit(*a)? << 4 | digit(*b)?)).collect();
    if rest.is_empty() { bytes } else { None }
}

/// What is found, in order, and how many pairs were looked at.
fn on_threads(scanner: &Scanner, transactions: &[Transaction<'_>], threads: usize) -> (Vec<Found>, u64) {
    let pieces: Vec<&[Transaction<'_>]> = transactions.chunks(PIECE).collect();
    let progress = Mutex::new(Progress::of(transactions.len(), "transactions"));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut all = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(i) else { return all };
            let mut pairs = 0;
            let (mut found, _) = scanner.scan_with(piece, |done| {
                pairs = done;
                true
            });
            found.iter_mut().for_each(|found| found.transaction += i * PIECE);
            all.push((i, found, pairs));
            if let Ok(mut progress) = progress.lock() {
                progress.steps(piece.len());
            }
        }
    };
    let mut all: Vec<(usize, Vec<Found>, u64)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(pieces.len())).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            match other.join() {
                Ok(more) => all.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|(i, ..)| *i);
    let pairs = all.iter().map(|(.., pairs)| pairs).sum();
    (all.into_iter().flat_map(|(_, found, _)| found).collect(), pairs)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn line(found: &Found, json: bool, out: &mut Output) -> Result<(), Unusable> {
    let via = match found.via {
        Via::Main(i) => format!("main {i}"),
        Via::Additional => "additional".to_string(),
    };
    let payment_id = match &found.payment_id {
        Some(PaymentId::Plain(id)) => Some(hex(id)),
        Some(PaymentId::Encrypted(id)) => Some(hex(id)),
        None => None,
    };
    let Found { transaction, output, wallet, subaddress, .. } = *found;
    let (amount, fault) = match &found.opening {
        Ok(opening) => (Some(opening.amount), None),
        Err(error) => (None, Some(error.to_string())),
    };
    if json {
        return out.json(&Line::Output { transaction, output, wallet, subaddress, amount, fault, via, payment_id });
    }
    let amount = amount.map_or_else(|| fault.unwrap_or_default(), |amount| amount.to_string());
    let subaddress = format!("{}/{}", subaddress.0, subaddress.1);
    let payment_id = payment_id.unwrap_or_default();
    let text =
        format!("{transaction:>6} {output:>6} {wallet:>6}  {subaddress:<12} {amount:>20}  {via:<10} {payment_id}");
    out.line(text.trim_end())
}

/// The number of transactions for which something else is found than their cases say.
fn compare(found: &[Found], owned: &[Option<Vec<Owned>>], json: bool, out: &mut Output) -> Result<usize, Unusable> {
    let mut disagreements = 0;
    for (transaction, owned) in owned.iter().enumerate() {
        let Some(owned) = owned else { continue };
        let mut expected = owned.clone();
        expected.sort();
        let mut seen: Vec<Owned> = (found.iter().filter(|f| f.transaction == transaction))
            .map(|f| Owned {
                output: f.output,
                subaddress: f.subaddress,
                amount: f.opening.as_ref().ok().map(|opening| opening.amount),
            })
            .collect();
        seen.sort();
        if seen != expected {
            disagreements += 1;
            let message = format!("found {seen:?}, expected {expected:?}");
            match json {
                true => out.json(&Line::Disagreement { transaction, message })?,
                false => out.line(format_args!("transaction {transaction}: {message}"))?,
            }
        }
    }
    Ok(disagreements)
}
