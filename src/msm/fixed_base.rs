//! One point that many secret scalars will be multiplied by.

use alloc::sync::Arc;
use core::any::Any;
use core::fmt;

use super::batch::BaseProducts;
use crate::cpu::BackendId;
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch};
use crate::group::tables::BaseTable;

/// A table of multiples of one point, for constant-time products: 65 mixed additions, no doubling.
///
/// About 66 KiB, shared by clones. Building it takes 780 point operations and one inversion, as much as some fifteen
/// products without a table. The table belongs to the backend of single operations when it was built.
///
/// ```
/// use curve25519_lanes::{msm::FixedBase, EdwardsPoint, Scalar};
/// let point = EdwardsPoint::BASEPOINT.double();
/// let table = FixedBase::new(&point);
/// let k = Scalar::from(77u64);
/// assert_eq!(table.mul(&k), k * point);
/// ```
#[derive(Clone)]
pub struct FixedBase {
    backend: BackendId,
    point: EdwardsPoint,
    /// A `BaseTable` of the backend's lanes.
    table: Arc<dyn Any + Send + Sync>,
}

impl FixedBase {
    /// The table of this point.
    pub fn new(point: &EdwardsPoint) -> FixedBase {
        Self::on(BackendId::for_single(), point)
    }

    pub(crate) fn on(backend: BackendId, point: &EdwardsPoint) -> FixedBase {
        FixedBase { backend, point: *point, table: dispatch(backend, Build { point }) }
    }

    /// The point.
    pub const fn point(&self) -> EdwardsPoint {
        self.point
    }

    /// `k·P`. Constant-time; the scalar is used as the 256-bit integer it is.
    pub fn mul(&self, k: &Scalar) -> EdwardsPoint {
        let mut out = [EdwardsPoint::IDENTITY];
        let scalars = core::slice::from_ref(k);
        dispatch(self.backend, BaseProducts { scalars, table: Some(&*self.table), out: &mut out });
        out[0]
    }
}

impl fmt::Debug for FixedBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FixedBase({:?}, {})", self.point, self.backend)
    }
}

struct Build<'a> {
    point: &'a EdwardsPoint,
}

impl Kernel for Build<'_> {
    type Out = Arc<dyn Any + Send + Sync>;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> Self::Out {
        Arc::new(BaseTable::<B::F>::new(isa, self.point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::{Random, each_backend};

    #[test]
    fn every_backend_agrees_with_the_plain_product() {
        let mut random = Random::new(31);
        let points = super::super::tests::points(&mut random, 5, true);
        let scalars = super::super::tests::scalars(&mut random, 12, false);
        each_backend(|id| {
            for point in &points {
                let table = FixedBase::on(id, point);
                assert_eq!(table.point(), *point);
                for k in &scalars {
                    assert_eq!(table.clone().mul(k), k * point, "{id}");
                }
            }
        });
    }
}
