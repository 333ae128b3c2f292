//! Static tables that are built when they are first needed.

use alloc::boxed::Box;

use once_cell::race::OnceBox;

use super::StaticPoints;
use crate::cpu::BackendId;
use crate::group::EdwardsPoint;

/// Backends are numbered from 1; the last of them has the largest number.
const BACKENDS: usize = BackendId::ALL.len() + 1;

/// The table of a list of points on each backend that was ever current: a sum runs where its table was built.
pub(crate) struct LazyTables([OnceBox<StaticPoints>; BACKENDS]);

impl LazyTables {
    /// No table yet.
    pub(crate) const fn new() -> LazyTables {
        LazyTables([const { OnceBox::new() }; BACKENDS])
    }

    /// The table of `points` on the current backend; they are the same in every call.
    pub(crate) fn current(&self, points: &[EdwardsPoint]) -> &StaticPoints {
        self.0[BackendId::current() as usize].get_or_init(|| Box::new(StaticPoints::new(points)))
    }
}
