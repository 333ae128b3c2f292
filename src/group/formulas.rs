//! The point formulas of the twisted Edwards curve `-x² + y² = 1 + d·x²·y²`, once, over any lanes.
//!
//! Source: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (2008), section 3.1 and 3.3: the
//! unified addition is complete on this curve (`-1` is a square, `d` is not), so identity, equal and opposite
//! points need no special case. Negations are arranged so that every sum fits the three lane states.
//!
//! | operation | cost |
//! |---|---|
//! | [`add_mixed`] | 7M |
//! | [`add_cached`] | 8M |
//! | [`double_n`] | n·(3M + 4S) + 1M |
//! | [`Cached::new`] | 1M (by 2d) |
//! | [`AffineNiels::new`] | 4M |
//! | [`ladder_step`] | 5M + 4S + 1M (by 121666) |

use super::edwards::EdwardsPoint;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::{FieldElement, constants};

/// A running point: `(Y - X, Y + X, Z, T)` with `x = X/Z`, `y = Y/Z`, `xy = T/Z`.
#[derive(Clone, Copy)]
pub(crate) struct Extended<F> {
    pub(crate) m: F,
    pub(crate) p: F,
    pub(crate) z: F,
    pub(crate) t: F,
}

/// A point with `Z = 1` as the second operand of [`add_mixed`]: `((y - x)/2, (y + x)/2, d·x·y)`. The halves make
/// the formula's `2·Z1·Z2` plain `Z1`.
#[derive(Clone, Copy)]
pub(crate) struct AffineNiels<F> {
    pub(crate) m: F,
    pub(crate) p: F,
    pub(crate) t: F,
}

/// A point as the second operand of [`add_cached`]: `(Y - X, Y + X, 2Z, 2d·T)`.
#[derive(Clone, Copy)]
pub(crate) struct Cached<F> {
    pub(crate) m: F,
    pub(crate) p: F,
    pub(crate) z: F,
    pub(crate) t: F,
}

impl<F: FieldLanes> Extended<F> {
    /// The identity in every lane.
    #[inline(always)]
    pub(crate) fn identity(isa: F::Isa) -> Self {
        let one = F::splat(isa, &constants::ONE);
        Extended { m: one, p: one, z: one, t: F::splat(isa, &FieldElement::ZERO) }
    }

    /// Point `points(i)` in lane `i`.
    #[inline(always)]
    pub(crate) fn load<'a>(isa: F::Isa, points: impl Fn(usize) -> &'a EdwardsPoint) -> Self {
        let x = F::load(
            isa,
            #[inline(always)]
            |i| points(i).x,
        )
        .widen();
        let y = F::load(
            isa,
            #[inline(always)]
            |i| points(i).y,
        )
        .widen();
        Extended {
            m: F::carry(&F::sub(&y, &x)),
            p: F::carry(&F::add(&y, &x)),
            z: F::load(
                isa,
                #[inline(always)]
                |i| points(i).z,
            ),
            t: F::load(
                isa,
                #[inline(always)]
                |i| points(i).t,
            ),
        }
    }

    /// The first `out.len()` lanes as points.
    #[inline(always)]
    pub(crate) fn store(&self, out: &mut [EdwardsPoint]) {
        let mut rows = [[FieldElement::ZERO; MAX_LANES]; 4];
        let [x, y, z, t] = self.coordinates();
        x.store(&mut rows[0][..F::LANES]);
        y.store(&mut rows[1][..F::LANES]);
        z.store(&mut rows[2][..F::LANES]);
        t.store(&mut rows[3][..F::LANES]);
        for (i, point) in out.iter_mut().enumerate().take(F::LANES) {
            *point = EdwardsPoint { x: rows[0][i], y: rows[1][i], z: rows[2][i], t: rows[3][i] };
        }
    }

    /// `(X, Y, Z, T)` of the same points, each twice the coordinate that `self` stands for.
    #[inline(always)]
    pub(crate) fn coordinates(&self) -> [F; 4] {
        let (m, p, z, t) = (self.m.widen(), self.p.widen(), self.z.widen(), self.t.widen());
        [F::carry(&F::sub(&p, &m)), F::carry(&F::add(&p, &m)), F::carry(&F::add(&z, &z)), F::carry(&F::add(&t, &t))]
    }

    /// `±q`, minus in the lanes of `negate`: the first of a chain of mixed additions, for 1M instead of 7M.
    ///
    /// The halved coordinates of `q` stand for `(x/2 : y/2 : 1/2 : xy/2)`.
    #[inline(always)]
    pub(crate) fn from_niels(q: &AffineNiels<F>, negate: F::Mask) -> Self {
        let isa = q.t.isa();
        let inverse = F::splat(isa, &constants::INV_2D);
        let minus = F::splat(isa, &constants::MINUS_INV_2D);
        let mut t = q.t;
        F::mul_carry(&mut t, &q.t, &F::select(negate, &inverse, &minus));
        Extended {
            m: F::select(negate, &q.m, &q.p),
            p: F::select(negate, &q.p, &q.m),
            z: F::splat(isa, &constants::HALF),
            t,
        }
    }
}

impl<F: FieldLanes> AffineNiels<F> {
    /// The identity in every lane.
    #[inline(always)]
    pub(crate) fn identity(isa: F::Isa) -> Self {
        let half = F::splat(isa, &constants::HALF);
        AffineNiels { m: half, p: half, t: F::splat(isa, &FieldElement::ZERO) }
    }

    /// From affine coordinates.
    #[inline(always)]
    pub(crate) fn new(x: &F, y: &F) -> Self {
        let isa = x.isa();
        let (mut hx, mut hy) = (F::product(isa), F::product(isa));
        let half = F::splat(isa, &constants::HALF);
        F::mul(&mut hx, x, &half);
        F::mul(&mut hy, y, &half);
        let (m, p) = (F::carry(&F::sub(&hy, &hx)), F::carry(&F::add(&hy, &hx)));
        let mut t = *x;
        F::mul_carry(&mut t, x, &F::splat(isa, &constants::D));
        let dx = t;
        F::mul_carry(&mut t, &dx, y);
        AffineNiels { m, p, t }
    }

    /// Nothing in any lane: what a look-up by [`AffineNiels::merge`] begins with.
    #[inline(always)]
    pub(crate) fn blank(isa: F::Isa) -> Self {
        let blank = F::blank(isa);
        AffineNiels { m: blank, p: blank, t: blank }
    }

    /// `q` in the lanes of `mask`, which must still be blank.
    #[inline(always)]
    pub(crate) fn merge(&mut self, mask: F::Mask, q: &Self) {
        self.m.merge(mask, &q.m);
        self.p.merge(mask, &q.p);
        self.t.merge(mask, &q.t);
    }
}

impl<F: FieldLanes> Cached<F> {
    /// The identity in every lane.
    #[inline(always)]
    pub(crate) fn identity(isa: F::Isa) -> Self {
        let one = F::splat(isa, &constants::ONE);
        let z = F::carry(&F::add(&one.widen(), &one.widen()));
        Cached { m: one, p: one, z, t: F::splat(isa, &FieldElement::ZERO) }
    }

    /// From a running point.
    #[inline(always)]
    pub(crate) fn new(p: &Extended<F>) -> Self {
        let z = p.z.widen();
        let mut t = p.t;
        F::mul_carry(&mut t, &p.t, &F::splat(p.t.isa(), &constants::D2));
        Cached { m: p.m, p: p.p, z: F::carry(&F::add(&z, &z)), t }
    }

    /// Nothing in any lane: what a look-up by [`Cached::merge`] begins with.
    #[inline(always)]
    pub(crate) fn blank(isa: F::Isa) -> Self {
        let blank = F::blank(isa);
        Cached { m: blank, p: blank, z: blank, t: blank }
    }

    /// `q` in the lanes of `mask`, which must still be blank.
    #[inline(always)]
    pub(crate) fn merge(&mut self, mask: F::Mask, q: &Self) {
        self.m.merge(mask, &q.m);
        self.p.merge(mask, &q.p);
        self.z.merge(mask, &q.z);
        self.t.merge(mask, &q.t);
    }
}

/// `(EF, GH, FG, EH)` as a running point: the end of every formula.
#[inline(always)]
fn finish<F: FieldLanes>(out: &mut Extended<F>, e: &F, f: &F, g: &F, h: &F) {
    let isa = e.isa();
    let (mut x, mut y) = (F::product(isa), F::product(isa));
    F::mul(&mut x, e, f);
    F::mul(&mut y, g, h);
    F::mul_carry(&mut out.z, f, g);
    F::mul_carry(&mut out.t, e, h);
    out.m = F::carry(&F::sub(&y, &x));
    out.p = F::carry(&F::add(&y, &x));
}

/// `p ± q`, minus in the lanes of `negate`, to `p`. 7M; HWCD 2008 section 3.1 with `Z2 = 1`.
#[inline(always)]
pub(crate) fn add_mixed<F: FieldLanes>(p: &mut Extended<F>, q: &AffineNiels<F>, negate: F::Mask) {
    let isa = p.z.isa();
    // Negation exchanges y-x and y+x, and changes the sign of t, which exchanges f and g.
    let (qm, qp) = (F::select(negate, &q.m, &q.p), F::select(negate, &q.p, &q.m));
    let (mut a, mut b, mut c) = (F::product(isa), F::product(isa), F::product(isa));
    F::mul(&mut a, &p.m, &qm);
    F::mul(&mut b, &p.p, &qp);
    F::mul(&mut c, &p.t, &q.t);
    let e = F::carry(&F::sub(&b, &a));
    let h = F::carry(&F::add(&b, &a));
    let (f, g) = F::sub_add(negate, &p.z.widen(), &c);
    finish(p, &e, &F::carry(&f), &F::carry(&g), &h);
}

/// `p ± q`, minus in the lanes of `negate`, to `p`. 8M; HWCD 2008 section 3.1.
#[inline(always)]
pub(crate) fn add_cached<F: FieldLanes>(p: &mut Extended<F>, q: &Cached<F>, negate: F::Mask) {
    let isa = p.z.isa();
    let (qm, qp) = (F::select(negate, &q.m, &q.p), F::select(negate, &q.p, &q.m));
    let (mut a, mut b, mut c, mut d) = (F::product(isa), F::product(isa), F::product(isa), F::product(isa));
    F::mul(&mut a, &p.m, &qm);
    F::mul(&mut b, &p.p, &qp);
    F::mul(&mut c, &p.t, &q.t);
    F::mul(&mut d, &p.z, &q.z);
    let e = F::carry(&F::sub(&b, &a));
    let h = F::carry(&F::add(&b, &a));
    let (f, g) = F::sub_add(negate, &d, &c);
    finish(p, &e, &F::carry(&f), &F::carry(&g), &h);
}

/// A point between two doublings: `(X, Y, Z, X + Y)`.
struct Projective<F> {
    x: F,
    y: F,
    z: F,
    s: F,
}

/// `p = 2^n·p`. HWCD 2008 section 3.3 with E, F, G, H negated; T is made only at the end.
#[inline(always)]
pub(crate) fn double_n<F: FieldLanes>(point: &mut Extended<F>, n: usize) {
    if n == 0 {
        return;
    }
    let isa = point.z.isa();
    let (m, p, z) = (point.m.widen(), point.p.widen(), point.z.widen());
    // All coordinates doubled: 2X, 2Y, 2Z, 2X + 2Y.
    let mut v = Projective {
        x: F::carry(&F::sub(&p, &m)),
        y: F::carry(&F::add(&p, &m)),
        z: F::carry(&F::add(&z, &z)),
        s: F::carry(&F::add(&p, &p)),
    };
    for _ in 1..n {
        let [e, f, g, h] = double_efgh(&v);
        let (mut x, mut y) = (F::product(isa), F::product(isa));
        F::mul(&mut x, &e, &f);
        F::mul(&mut y, &g, &h);
        F::mul_carry(&mut v.z, &f, &g);
        v.s = F::carry(&F::add(&x, &y));
        v.x = F::reduce(&x);
        v.y = F::reduce(&y);
    }
    let [e, f, g, h] = double_efgh(&v);
    finish(point, &e, &f, &g, &h);
}

#[inline(always)]
fn double_efgh<F: FieldLanes>(v: &Projective<F>) -> [F; 4] {
    let isa = v.z.isa();
    let (mut xx, mut yy, mut zz, mut ss) = (F::product(isa), F::product(isa), F::product(isa), F::product(isa));
    F::square(&mut xx, &v.x);
    F::square(&mut yy, &v.y);
    F::square(&mut zz, &v.z);
    F::square(&mut ss, &v.s);
    [
        F::carry(&F::add_sub(&xx, &yy, &ss)),
        F::carry(&F::double_add_sub(&zz, &xx, &yy)),
        F::carry(&F::sub(&xx, &yy)),
        F::carry(&F::add(&xx, &yy)),
    ]
}

/// Two points of a Montgomery ladder whose difference has `u`-coordinate `X1/1`: `(X2 : Z2)` and `(X3 : Z3)`.
pub(crate) struct Ladder<F: FieldLanes> {
    pub(crate) x2: F::Product,
    pub(crate) z2: F::Product,
    pub(crate) x3: F::Product,
    pub(crate) z3: F::Product,
}

/// `(P2, P3) → (2·P2, P2 + P3)`, the roles exchanged before in the lanes of `swap` (Montgomery 1987; RFC 7748).
/// Exchanging the sums of the first point with those of the second is exchanging the points.
#[inline(always)]
pub(crate) fn ladder_step<F: FieldLanes>(l: &mut Ladder<F>, x1: &F, swap: F::Mask) {
    let isa = x1.isa();
    let (a2, b2) = (F::carry(&F::add(&l.x2, &l.z2)), F::carry(&F::sub(&l.x2, &l.z2)));
    let (a3, b3) = (F::carry(&F::add(&l.x3, &l.z3)), F::carry(&F::sub(&l.x3, &l.z3)));
    let (mut da, mut cb) = (F::product(isa), F::product(isa));
    // The products of sums and differences are the same set whichever point is doubled.
    F::mul(&mut da, &a2, &b3);
    F::mul(&mut cb, &a3, &b2);
    let a = F::select(swap, &a2, &a3);
    let b = F::select(swap, &b2, &b3);
    let (mut aa, mut bb) = (F::product(isa), F::product(isa));
    F::square(&mut aa, &a);
    F::square(&mut bb, &b);
    let e = F::carry(&F::sub(&aa, &bb));
    let mut ke = F::product(isa);
    F::mul(&mut ke, &e, &F::splat(isa, &constants::A24));
    let w = F::carry(&F::add(&ke, &bb));
    F::mul(&mut l.x2, &F::reduce(&aa), &F::reduce(&bb));
    F::mul(&mut l.z2, &e, &w);
    F::square(&mut l.x3, &F::carry(&F::add(&da, &cb)));
    let mut difference = a;
    F::square_carry(&mut difference, &F::carry(&F::sub(&da, &cb)));
    F::mul(&mut l.z3, &difference, x1);
}
