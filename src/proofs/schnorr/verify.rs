//! Verification of many proofs side by side.

use alloc::vec;
use alloc::vec::Vec;

use super::error::{BatchError, Field, VerifyError};
use super::{CompositionProof, MAX_KEYS, Statement, u_base, x_base};
use crate::field::scalar::Scalar;
use crate::group::threads::map_parts;
use crate::group::{CompressedEdwardsY, EdwardsPoint, compress_batch, try_decompress_batch_strict};
use crate::hash::keccak256;
use crate::msm::{self, short_sums::ShortSums};
use crate::proofs::one_of_many::{canonical, hash_to_scalars};

/// Verifies one proof.
///
/// # Errors
/// The first thing found wrong, cheap checks first.
pub fn verify(statement: &Statement<'_>) -> Result<(), VerifyError> {
    verify_each(core::slice::from_ref(statement)).swap_remove(0)
}

/// Verifies many proofs.
///
/// # Errors
/// An empty batch, or the first invalid item.
pub fn verify_batch(items: &[Statement<'_>]) -> Result<(), BatchError> {
    if items.is_empty() {
        return Err(BatchError::Empty);
    }
    let failed = |(index, verdict): (usize, Result<(), VerifyError>)| verdict.err().map(|error| (index, error));
    match verify_each(items).into_iter().enumerate().find_map(failed) {
        Some((index, error)) => Err(BatchError::Item { index, error }),
        None => Ok(()),
    }
}

/// The verdict on each of many proofs: 2·q + 1 sums of two terms, or a few more if q is even, and a test of order a tag.
pub fn verify_each(items: &[Statement<'_>]) -> Vec<Result<(), VerifyError>> {
    verdicts(items, Rules::SOUND)
}

/// The reference's verdict: r_b may be any 256-bit integer, and the order of tags is not looked at.
///
/// # Errors
/// The first thing found wrong.
#[cfg(feature = "reference_unsound")]
pub fn verify_reference_unsound(statement: &Statement<'_>) -> Result<(), VerifyError> {
    verdicts(core::slice::from_ref(statement), Rules { response_range: false, tag_order: false }).swap_remove(0)
}

/// What is refused, and not by the reference's verifier.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rules {
    /// An r_b that is zero or not below l, and proofs of more than [`MAX_KEYS`] keys.
    pub(crate) response_range: bool,
    /// A tag outside the subgroup of prime order.
    pub(crate) tag_order: bool,
}

impl Rules {
    pub(crate) const SOUND: Rules = Rules { response_range: true, tag_order: true };
}

/// The responses.
struct Scalars {
    c: Scalar,
    r_a: Scalar,
    r_b: Scalar,
    r: Vec<Scalar>,
}

/// The challenges of a transcript, but for the last.
pub(super) struct Challenges {
    pub(super) mu_a: Scalar,
    pub(super) mu_b: Scalar,
    pub(super) message: Scalar,
}

impl Challenges {
    /// Whether one is zero.
    pub(super) fn has_zero(&self) -> bool {
        [self.mu_a, self.mu_b, self.message].contains(&Scalar::ZERO)
    }
}

/// What a proof's transcript is about: the message, and T/8, KI, K.
type Transcript<'a> = (&'a [u8; 32], [&'a [[u8; 32]]; 3]);

/// The challenges of each proof.
pub(super) fn challenges(proofs: &[Transcript<'_>]) -> Vec<Challenges> {
    let seed = Scalar::from_bytes_mod_order(keccak256(b"seraphis composition proof transcript")).to_bytes();
    let messages: Vec<_> = proofs
        .iter()
        .map(|(message, [t, tags, _])| [&seed[..], *message, t.as_flattened(), tags.as_flattened()].concat())
        .collect();
    let mu_a = hash_to_scalars(&messages);
    let mu_b = hash_to_scalars(&mu_a.iter().map(|mu| mu.to_bytes().to_vec()).collect::<Vec<_>>());
    let messages: Vec<_> =
        proofs.iter().zip(&mu_b).map(|((_, [.., keys]), mu)| [mu.as_bytes(), keys.as_flattened()].concat()).collect();
    let inner = hash_to_scalars(&messages);
    let all = mu_a.into_iter().zip(mu_b).zip(inner);
    all.map(|((mu_a, mu_b), message)| Challenges { mu_a, mu_b, message }).collect()
}

/// c of each proof, from h and the encodings of V_a, V_b and all V_i.
pub(super) fn last_challenges(proofs: &[(Scalar, &[[u8; 32]])]) -> Vec<Scalar> {
    hash_to_scalars(&proofs.iter().map(|(h, v)| [h.as_bytes(), v.as_flattened()].concat()).collect::<Vec<_>>())
}

pub(crate) fn verdicts(items: &[Statement<'_>], rules: Rules) -> Vec<Result<(), VerifyError>> {
    map_parts(items.to_vec(), 8, |items| verdicts_of(&items, rules))
}

fn verdicts_of(items: &[Statement<'_>], rules: Rules) -> Vec<Result<(), VerifyError>> {
    let mut verdicts: Vec<Result<(), VerifyError>> = vec![Ok(()); items.len()];
    // Each stage looks at the items that passed the ones before.
    let mut kept: Vec<(usize, Scalars)> = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        match check_form(item, rules) {
            Ok(scalars) => kept.push((i, scalars)),
            Err(error) => verdicts[i] = Err(error),
        }
    }
    let (points, kept) = decode(items, kept, rules, &mut verdicts);

    let transcripts: Vec<_> = kept
        .iter()
        .map(|(i, _)| (&items[*i].message, [&items[*i].proof.t[..], items[*i].tags, items[*i].keys]))
        .collect();
    let challenges = challenges(&transcripts);

    // Sums of two terms, all side by side: r_a·G + …, r_b·U + …, whose further terms follow in pairs, and the V_i.
    let x_base = x_base();
    let mut table = Vec::from([EdwardsPoint::BASEPOINT, u_base()]);
    let nothing = (Scalar::ZERO, 0);
    let mut pairs = Vec::new();
    for (((_, responses), points), challenges) in kept.iter().zip(&points).zip(&challenges) {
        let q = responses.r.len();
        let (keys, rest) = points.split_at(q);
        let (tags, t) = rest.split_at(q);
        let (mut v_a, mut v_b) = (Vec::from([(responses.r_a, 0)]), Vec::from([(responses.r_b, 1)]));
        let (mut weight_a, mut weight_b) = (responses.c, responses.c);
        for i in 0..q {
            let place = table.len();
            table.extend([t[i] - x_base - tags[i], tags[i], keys[i], t[i]]);
            v_a.push((weight_a, place));
            v_b.push((weight_b, place + 1));
            pairs.push([(responses.r[i], place + 2), (responses.c, place + 3)]);
            weight_a *= challenges.mu_a;
            weight_b *= challenges.mu_b;
        }
        for terms in [v_a, v_b] {
            pairs.extend(terms.chunks(2).map(|pair| [pair[0], pair.get(1).copied().unwrap_or(nothing)]));
        }
    }
    let mut short_sums = ShortSums::new(table.len(), pairs.len());
    short_sums.set(0, &table);
    let mut values = short_sums.sums_vartime(&pairs).into_iter();
    let mut sums = Vec::new();
    for (_, responses) in &kept {
        let q = responses.r.len();
        let own: Vec<EdwardsPoint> = values.by_ref().take(q + 2 * (q + 1).div_ceil(2)).collect();
        let (v, rest) = own.split_at(q);
        sums.extend(rest.chunks((q + 1).div_ceil(2)).map(|terms| terms.iter().sum::<EdwardsPoint>()));
        sums.extend_from_slice(v);
    }
    let encoded = compress_batch(&sums);
    let mut rest = &encoded[..];
    let mut transcripts = Vec::with_capacity(kept.len());
    for ((_, responses), challenges) in kept.iter().zip(&challenges) {
        let (own, others) = rest.split_at(2 + responses.r.len());
        rest = others;
        transcripts.push((challenges.message, own));
    }
    for (((i, responses), challenges), c) in kept.iter().zip(&challenges).zip(last_challenges(&transcripts)) {
        verdicts[*i] = if challenges.has_zero() || c == Scalar::ZERO {
            Err(VerifyError::ZeroChallenge)
        } else if c == responses.c {
            Ok(())
        } else {
            Err(VerifyError::Challenge)
        };
    }
    verdicts
}

/// The checks that need no arithmetic; the scalars.
fn check_form(statement: &Statement<'_>, rules: Rules) -> Result<Scalars, VerifyError> {
    let Statement { keys, tags, proof, .. } = statement;
    let CompositionProof { c, r_a, r_b, r, t } = proof;
    let q = keys.len();
    if q == 0 || rules.response_range && q > MAX_KEYS || [tags.len(), r.len(), t.len()] != [q; 3] {
        return Err(VerifyError::Lengths { keys: q, tags: tags.len(), r: r.len(), t: t.len() });
    }
    let one = |bytes: &[u8; 32], field| canonical(&[*bytes]).map(|s| s[0]).map_err(|_| VerifyError::Scalar(field));
    let scalars = Scalars {
        c: one(c, Field::C)?,
        r_a: one(r_a, Field::RA)?,
        r_b: if rules.response_range { one(r_b, Field::RB)? } else { Scalar::from_bytes_mod_order(*r_b) },
        r: canonical(r).map_err(|i| VerifyError::Scalar(Field::R(i)))?,
    };
    if scalars.r_a == Scalar::ZERO {
        return Err(VerifyError::Zero(Field::RA));
    }
    if rules.response_range && scalars.r_b == Scalar::ZERO {
        return Err(VerifyError::Zero(Field::RB));
    }
    if let Some(i) = scalars.r.iter().position(|r| *r == Scalar::ZERO) {
        return Err(VerifyError::Zero(Field::R(i)));
    }
    if let Some(i) = tags.iter().position(|tag| *tag == CompressedEdwardsY::IDENTITY.0) {
        return Err(VerifyError::Identity(Field::Tag(i)));
    }
    Ok(scalars)
}

/// Decodes K, KI and T of each item, T multiplied by 8, and tests the tags; drops the items with a bad one.
fn decode(
    items: &[Statement<'_>],
    kept: Vec<(usize, Scalars)>,
    rules: Rules,
    verdicts: &mut [Result<(), VerifyError>],
) -> (Vec<Vec<EdwardsPoint>>, Vec<(usize, Scalars)>) {
    let lists = kept.iter().flat_map(|(i, _)| [items[*i].keys, items[*i].tags, &items[*i].proof.t]);
    let encodings: Vec<[u8; 32]> = lists.flatten().copied().collect();
    let decoded = try_decompress_batch_strict(&encodings);
    let mut rest = &decoded[..];
    let (mut points, mut good) = (Vec::with_capacity(kept.len()), Vec::with_capacity(kept.len()));
    for (i, scalars) in kept {
        let q = scalars.r.len();
        let (own, others) = rest.split_at(3 * q);
        rest = others;
        let field = |at: usize| match at / q {
            0 => Field::Key(at),
            1 => Field::Tag(at - q),
            _ => Field::T(at - 2 * q),
        };
        if let Some(at) = own.iter().position(Option::is_none) {
            verdicts[i] = Err(VerifyError::Point(field(at)));
            continue;
        }
        let mut own: Vec<EdwardsPoint> = own.iter().flatten().copied().collect();
        own[2 * q..].iter_mut().for_each(|t| *t = t.mul_by_cofactor());
        if let Some(at) = (2 * q..3 * q).find(|at| own[*at].is_identity().into()) {
            verdicts[i] = Err(VerifyError::Identity(field(at)));
            continue;
        }
        points.push(own);
        good.push((i, scalars));
    }
    if rules.tag_order {
        let tags: Vec<EdwardsPoint> =
            points.iter().flat_map(|own| &own[own.len() / 3..2 * own.len() / 3]).copied().collect();
        // The integer l, which is no scalar: as a residue it would be zero.
        let mut multiples = msm::same_scalar_vartime(&Scalar::ORDER, &tags).into_iter();
        let mut in_subgroup = Vec::with_capacity(good.len());
        for (i, scalars) in &good {
            let own: Vec<EdwardsPoint> = multiples.by_ref().take(scalars.r.len()).collect();
            let bad = own.iter().position(|multiple| !bool::from(multiple.is_identity()));
            if let Some(tag) = bad {
                verdicts[*i] = Err(VerifyError::TagOrder(tag));
            }
            in_subgroup.push(bad.is_none());
        }
        let mut keep = in_subgroup.iter();
        points.retain(|_| *keep.next().expect("one each"));
        let mut keep = in_subgroup.iter();
        good.retain(|_| *keep.next().expect("one each"));
    }
    (points, good)
}
