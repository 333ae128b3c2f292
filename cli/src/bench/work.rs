//! One piece of work, and everybody who does it.

use std::collections::BTreeMap;

use curve25519_lanes::cpu::{self, BackendId};

use super::record::Kind;

/// What is measured.
#[derive(Clone)]
pub(crate) struct Spec {
    pub(crate) group: &'static str,
    pub(crate) op: String,
    pub(crate) params: BTreeMap<String, u64>,
    /// Units of work in one call.
    pub(crate) size: u64,
    /// One of them: `point`, `proof`, `byte`.
    pub(crate) unit: &'static str,
}

impl Spec {
    pub(crate) fn new(group: &'static str, op: impl Into<String>, size: usize, unit: &'static str) -> Spec {
        Spec { group, op: op.into(), params: BTreeMap::new(), size: size as u64, unit }
    }

    /// Adds a choice that the operation's name leaves open.
    pub(crate) fn with(mut self, name: &str, value: u64) -> Spec {
        self.params.insert(name.to_string(), value);
        self
    }

    /// For messages.
    pub(crate) fn name(&self) -> String {
        let params: Vec<String> = self.params.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("{}/{}/{}{}", self.group, self.op, self.size, params.concat())
    }
}

/// Does the work once. Asked for it, gives the result as bytes, for comparison; that is not timed.
pub(crate) type Run<'a> = Box<dyn FnMut(bool) -> Option<Vec<u8>> + 'a>;

/// The timed part and the reading of its result.
fn run<'a, R>(mut work: impl FnMut() -> R + 'a, bytes: impl Fn(&R) -> Vec<u8> + 'a) -> Run<'a> {
    Box::new(move |asked| {
        let result = std::hint::black_box(work());
        asked.then(|| bytes(&result))
    })
}

/// Who does the work.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The backend that must be current meanwhile.
    backend: Option<BackendId>,
    /// Which of the runs.
    run: usize,
}

/// The work, ready to run.
pub(crate) struct Work<'a> {
    runs: Vec<Run<'a>>,
    pub(crate) contenders: Vec<Contender>,
    /// Names and nanoseconds of a call, from elsewhere.
    pub(crate) references: Vec<(String, f64)>,
    /// The result, where it is known beforehand.
    expected: Option<Vec<u8>>,
}

impl<'a> Work<'a> {
    /// Work of this library, on each of these backends.
    pub(crate) fn on<R: 'a>(
        backends: &[BackendId],
        work: impl FnMut() -> R + 'a,
        bytes: impl Fn(&R) -> Vec<u8> + 'a,
    ) -> Work<'a> {
        let contender =
            |&id: &BackendId| Contender { name: id.name().into(), kind: Kind::Backend, backend: Some(id), run: 0 };
        Work { runs: vec![run(work, bytes)], contenders: backends.iter().map(contender).collect(), ..Work::none() }
    }

    /// A verification by this library on each of these backends, which must succeed.
    pub(crate) fn verification<R: 'a, E: 'a>(
        backends: &[BackendId],
        work: impl FnMut() -> Result<R, E> + 'a,
    ) -> Work<'a> {
        Work::on(backends, work, |verdict| vec![u8::from(verdict.is_ok())]).expecting(vec![1])
    }

    /// Work of this library that looks the same on every backend.
    pub(crate) fn on_any<R: 'a>(work: impl FnMut() -> R + 'a, bytes: impl Fn(&R) -> Vec<u8> + 'a) -> Work<'a> {
        let contender = Contender { name: "any".into(), kind: Kind::Backend, backend: None, run: 0 };
        Work { runs: vec![run(work, bytes)], contenders: vec![contender], ..Work::none() }
    }

    /// The same work done by somebody else; the result must be the same.
    pub(crate) fn peer<R: 'a>(
        self,
        name: &str,
        work: impl FnMut() -> R + 'a,
        bytes: impl Fn(&R) -> Vec<u8> + 'a,
    ) -> Work<'a> {
        self.contender(name, Kind::Peer, None, run(work, bytes))
    }

    /// Anybody.
    pub(crate) fn contender(mut self, name: &str, kind: Kind, backend: Option<BackendId>, run: Run<'a>) -> Work<'a> {
        self.contenders.push(Contender { name: name.into(), kind, backend, run: self.runs.len() });
        self.runs.push(run);
        self
    }

    /// Nobody yet.
    pub(crate) fn none() -> Work<'a> {
        Work { runs: Vec::new(), contenders: Vec::new(), references: Vec::new(), expected: None }
    }

    /// States the result.
    pub(crate) fn expecting(mut self, bytes: Vec<u8>) -> Work<'a> {
        self.expected = Some(bytes);
        self
    }

    /// What the same work took another program elsewhere, carried over to this machine.
    pub(crate) fn reference(mut self, name: &str, ns: f64) -> Work<'a> {
        self.references.push((name.into(), ns));
        self
    }

    /// Makes the contender's backend current. Not part of what is timed.
    pub(crate) fn prepare(&self, contender: usize) {
        if let Some(id) = self.contenders[contender].backend {
            // Only available ones are among the contenders.
            let _ = cpu::force(Some(id));
        }
    }

    pub(crate) fn call(&mut self, contender: usize, asked: bool) -> Option<Vec<u8>> {
        self.runs[self.contenders[contender].run](asked)
    }

    /// Whose result differs from what was expected, or from that of the first, if anybody's does.
    pub(crate) fn odd_one(&mut self) -> Option<String> {
        let mut expected = self.expected.take();
        for contender in 0..self.contenders.len() {
            self.prepare(contender);
            let result = self.call(contender, true).unwrap_or_default();
            if *expected.get_or_insert_with(|| result.clone()) != result {
                return Some(self.contenders[contender].name.clone());
            }
        }
        None
    }
}
