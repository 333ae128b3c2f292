//! Both assembly backends at the bounds of their values, against slow arithmetic on integers.

extern crate std;

use std::vec::Vec;

use super::lanes::{Arithmetic, FieldLanes};
use super::reference::{self, P};
use crate::cpu::Isa;
use crate::test_util::Random;
use subtle::Choice;

type Bytes = [u8; 32];

/// What the tests need to know of a backend beyond its contract.
pub(super) trait Raw: FieldLanes<Mask = Choice> {
    /// Limbs or words.
    type Limbs: Copy + Default + AsRef<[u64]> + PartialEq + core::fmt::Debug;
    /// Bits a limb weighs.
    const RADIX: usize;

    /// Values an operand may have, extreme ones first.
    fn full(random: &mut Random) -> Vec<Self::Limbs>;
    /// Values a product may have, extreme ones first.
    fn tight(random: &mut Random) -> Vec<Self::Limbs>;
    fn is_full(x: &Self::Limbs) -> bool;
    fn is_tight(x: &Self::Limbs) -> bool;
    fn operand(x: &Self::Limbs) -> Self;
    fn to_product(x: &Self::Limbs) -> Self::Product;
    fn limbs(&self) -> Self::Limbs;
    fn product_limbs(x: &Self::Product) -> Self::Limbs;
    fn sum_limbs(x: &Self::Sum) -> Self::Limbs;
    fn double_n(p: [&mut Self; 4], n: usize);
    fn add_mixed(p: [&mut Self; 4], q: [&Self; 3], negate: Choice);
    fn add_cached(p: [&mut Self; 4], q: [&Self; 4], negate: Choice);
    fn ladder(l: [&mut Self::Product; 4], x1: &Self, k: &Bytes, bits: usize) -> Choice;
}

/// The residue of limbs.
fn value<F: Raw>(x: &F::Limbs) -> Bytes {
    let mut bytes = std::vec![0; 48];
    for (i, limb) in x.as_ref().iter().enumerate() {
        let shifted = u128::from(*limb) << (F::RADIX * i % 8);
        let mut term = [0; 48];
        term[F::RADIX * i / 8..][..16].copy_from_slice(&shifted.to_le_bytes());
        bytes = reference::add_integers(&bytes, &term);
    }
    reference::reduce(&bytes, &P)
}

fn add(a: &Bytes, b: &Bytes) -> Bytes {
    reference::add(a, b, &P)
}
fn sub(a: &Bytes, b: &Bytes) -> Bytes {
    reference::sub(a, b, &P)
}
fn mul(a: &Bytes, b: &Bytes) -> Bytes {
    reference::mul(a, b, &P)
}

pub(super) fn run<F: Raw>() {
    let Some(isa) = F::Isa::detect() else {
        std::println!("skipped: this CPU lacks what {} needs", F::Isa::ID);
        return;
    };
    let mut random = Random::new(31);
    products::<F>(isa, &mut random);
    sums::<F>(isa, &mut random);
    points::<F>(&mut random);
    ladders::<F>(&mut random);
}

fn products<F: Raw>(isa: F::Isa, random: &mut Random) {
    let values = F::full(random);
    for a in &values {
        let (x, va) = (F::operand(a), value::<F>(a));
        for b in &values {
            let y = F::operand(b);
            let mut out = F::product(isa);
            F::mul(&mut out, &x, &y);
            let out = F::product_limbs(&out);
            assert!(F::is_tight(&out), "{a:x?} times {b:x?} gives {out:x?}");
            assert_eq!(value::<F>(&out), mul(&va, &value::<F>(b)), "{a:x?} times {b:x?}");
            let mut carried = x;
            F::mul_carry(&mut carried, &x, &y);
            assert_eq!(carried.limbs(), out);
        }
        let mut out = F::product(isa);
        F::square(&mut out, &x);
        let out = F::product_limbs(&out);
        assert!(F::is_tight(&out), "{a:x?} squared gives {out:x?}");
        let mut power = va;
        let mut chain = x;
        for n in 1..=5 {
            power = mul(&power, &power);
            let mut jump = x;
            F::square_n(&mut jump, n);
            F::square_n(&mut chain, 1);
            assert_eq!((value::<F>(&jump.limbs()), jump.limbs()), (power, chain.limbs()), "{a:x?}, {n} squarings");
            assert!(F::is_tight(&jump.limbs()));
        }
        let mut none = x;
        F::square_n(&mut none, 0);
        assert_eq!(none.limbs(), *a);
        assert_eq!(value::<F>(&x.squared().limbs()), mul(&va, &va));

        let mut stored = [super::FieldElement::ZERO];
        x.store(&mut stored);
        assert!(stored[0].0.iter().all(|limb| *limb <= 1 << 51), "{a:x?} stored as {:x?}", stored[0].0);
        assert_eq!(stored[0].to_bytes(), va);
        assert_eq!(value::<F>(&F::load(isa, |_| stored[0]).limbs()), va);
        assert_eq!(bool::from(x.is_zero()), va == [0; 32], "{a:x?}");
        assert_eq!(bool::from(x.is_odd()), va[0] & 1 == 1, "{a:x?}");
        let widened = F::product_limbs(&x.widen());
        assert!(F::is_tight(&widened));
        assert_eq!((value::<F>(&widened), value::<F>(&x.neg().limbs())), (va, sub(&[0; 32], &va)));
        assert!(F::is_full(&x.neg().limbs()));
    }
    // Every limb of 51 bits at its top, the one form that overlaps in words.
    let top = super::FieldElement([1 << 51; 5]);
    assert_eq!(value::<F>(&F::splat(isa, &top).limbs()), top.to_bytes());
}

fn sums<F: Raw>(isa: F::Isa, random: &mut Random) {
    let values = F::tight(random);
    let check = |out: &F::Limbs, expected: Bytes| {
        assert!(F::is_full(out), "{out:x?}");
        assert_eq!(value::<F>(out), expected, "{out:x?}");
    };
    for a in &values {
        for b in &values {
            let (x, y) = (F::to_product(a), F::to_product(b));
            let (va, vb) = (value::<F>(a), value::<F>(b));
            check(&F::sum_limbs(&F::add(&x, &y)), add(&va, &vb));
            check(&F::sum_limbs(&F::sub(&x, &y)), sub(&va, &vb));
            for swap in [0, 1] {
                let (f, g) = F::sub_add(F::mask(isa, swap), &x, &y);
                let (f, g) = if swap == 1 { (g, f) } else { (f, g) };
                check(&F::sum_limbs(&f), sub(&va, &vb));
                check(&F::sum_limbs(&g), add(&va, &vb));
            }
            for c in &values[..3] {
                let (z, vc) = (F::to_product(c), value::<F>(c));
                check(&F::sum_limbs(&F::add_sub(&x, &y, &z)), sub(&add(&va, &vb), &vc));
                check(&F::sum_limbs(&F::double_add_sub(&z, &x, &y)), sub(&add(&add(&vc, &vc), &va), &vb));
            }
        }
        assert_eq!(
            F::carry(&F::add(&F::to_product(a), &F::to_product(a))).limbs(),
            F::sum_limbs(&F::add(&F::to_product(a), &F::to_product(a)))
        );
        assert_eq!(F::reduce(&F::to_product(a)).limbs(), *a);
    }
}

/// Some value of the list, extreme ones often.
fn pick<T: Copy>(values: &[T], random: &mut Random) -> T {
    values[random.below(values.len())]
}

/// The formulas of the banners, on integers. They are polynomials, so the values need not be points.
fn points<F: Raw>(random: &mut Random) {
    let values = F::full(random);
    for round in 0..100 {
        let p: [F::Limbs; 4] = core::array::from_fn(|_| if round == 0 { values[0] } else { pick(&values, random) });
        let q: [F::Limbs; 4] = core::array::from_fn(|_| if round == 0 { values[0] } else { pick(&values, random) });
        let [pm, pp, pz, pt] = p.map(|x| value::<F>(&x));
        let [qm, qp, qz, qt] = q.map(|x| value::<F>(&x));
        let check = |name, out: &[F; 4], [e, f, g, h]: [Bytes; 4]| {
            let (x, y) = (mul(&e, &f), mul(&g, &h));
            let expected = [sub(&y, &x), add(&y, &x), mul(&f, &g), mul(&e, &h)];
            for (out, expected) in out.iter().zip(expected) {
                assert!(F::is_full(&out.limbs()), "{name}: {:x?}", out.limbs());
                assert_eq!(value::<F>(&out.limbs()), expected, "{name} of {p:x?} and {q:x?}");
            }
        };
        for negate in [0, 1] {
            let (qm, qp) = if negate == 1 { (qp, qm) } else { (qm, qp) };
            let sum = |c: &Bytes, d: &Bytes| {
                let (a, b) = (mul(&pm, &qm), mul(&pp, &qp));
                let (f, g) = (sub(d, c), add(d, c));
                let (f, g) = if negate == 1 { (g, f) } else { (f, g) };
                [sub(&b, &a), f, g, add(&b, &a)]
            };
            let lanes = q.map(|x| F::operand(&x));
            let mut out = p.map(|x| F::operand(&x));
            F::add_cached(out.each_mut(), lanes.each_ref(), Choice::from(negate));
            check("add_cached", &out, sum(&mul(&pt, &qt), &mul(&pz, &qz)));
            let mut out = p.map(|x| F::operand(&x));
            F::add_mixed(out.each_mut(), [&lanes[0], &lanes[1], &lanes[2]], Choice::from(negate));
            // The third coordinate of an affine point is its t.
            check("add_mixed", &out, sum(&mul(&pt, &qz), &pz));
        }
        let mut none = p.map(|x| F::operand(&x));
        F::double_n(none.each_mut(), 0);
        assert_eq!(none.map(|x| x.limbs()), p, "no doubling");
        let twice = |x: &Bytes| add(x, x);
        let (mut x, mut y, mut z) = (sub(&pp, &pm), add(&pp, &pm), twice(&pz));
        for n in 1..=3 {
            let (xx, yy) = (mul(&x, &x), mul(&y, &y));
            let (s, h, g) = (add(&x, &y), add(&xx, &yy), sub(&xx, &yy));
            let e = sub(&h, &mul(&s, &s));
            let f = add(&g, &twice(&mul(&z, &z)));
            let mut out = p.map(|x| F::operand(&x));
            F::double_n(out.each_mut(), n);
            check("double_n", &out, [e, f, g, h]);
            (x, y, z) = (mul(&e, &f), mul(&g, &h), mul(&f, &g));
        }
    }
}

fn ladders<F: Raw>(random: &mut Random) {
    let (full, tight) = (F::full(random), F::tight(random));
    let mut a24 = [0; 32];
    a24[..4].copy_from_slice(&121_666u32.to_le_bytes());
    for round in 0..12 {
        let start: [F::Limbs; 4] = core::array::from_fn(|_| if round == 0 { tight[0] } else { pick(&tight, random) });
        let x1 = if round == 0 { full[0] } else { pick(&full, random) };
        let k = if round % 2 == 0 { random.bytes() } else { [0xff; 32] };
        let v1 = value::<F>(&x1);
        for bits in [1, 2, 3, 65, 256] {
            if bits > 3 && round > 0 {
                break;
            }
            let [mut x2, mut z2, mut x3, mut z3] = start.map(|x| value::<F>(&x));
            let mut before = 0;
            for bit in (0..bits).rev() {
                let now = k[bit / 8] >> (bit % 8) & 1;
                if now != before {
                    (x2, z2, x3, z3) = (x3, z3, x2, z2);
                }
                before = now;
                let (a, b, c, d) = (add(&x2, &z2), sub(&x2, &z2), add(&x3, &z3), sub(&x3, &z3));
                let (da, cb, aa, bb) = (mul(&d, &a), mul(&c, &b), mul(&a, &a), mul(&b, &b));
                let e = sub(&aa, &bb);
                let (sum, difference) = (add(&da, &cb), sub(&da, &cb));
                (x2, z2) = (mul(&aa, &bb), mul(&e, &add(&bb, &mul(&a24, &e))));
                (x3, z3) = (mul(&sum, &sum), mul(&v1, &mul(&difference, &difference)));
            }
            let mut out = start.map(|x| F::to_product(&x));
            let last = F::ladder(out.each_mut(), &F::operand(&x1), &k, bits);
            assert_eq!(last.unwrap_u8(), before);
            for (out, expected) in out.iter().zip([x2, z2, x3, z3]) {
                let out = F::product_limbs(out);
                assert!(F::is_tight(&out), "{out:x?}");
                assert_eq!(value::<F>(&out), expected, "{bits} bits of {k:x?} from {start:x?} and {x1:x?}");
            }
        }
    }
}

/// Calls `f` with these ten arguments and known values in all registers that belong to the caller. To `out`: the
/// result; a bit for each register not given back (rbx, rbp, r12 .. r15, rsp), and bit 7 if the direction flag is set.
///
/// # Safety
/// `f` must be a routine for these arguments.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn call_poisoned(f: *const (), arguments: *const [u64; 10], out: *mut [u64; 2]) {
    core::arch::naked_asm!(
        "push rbx",
        "push rbp",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "push rdx",
        "push qword ptr [rip + {rsp}]",
        "push qword ptr [rsi + 72]",
        "push qword ptr [rsi + 64]",
        "push qword ptr [rsi + 56]",
        "push qword ptr [rsi + 48]",
        "mov [rip + {rsp}], rsp",
        "mov r11, rdi",
        "mov r10, rsi",
        "mov rdi, [r10]",
        "mov rsi, [r10 + 8]",
        "mov rdx, [r10 + 16]",
        "mov rcx, [r10 + 24]",
        "mov r8, [r10 + 32]",
        "mov r9, [r10 + 40]",
        "mov rbx, 0x1111",
        "mov rbp, 0x2222",
        "mov r12, 0x3333",
        "mov r13, 0x4444",
        "mov r14, 0x5555",
        "mov r15, 0x6666",
        "mov rax, -1",
        "mov r10, -1",
        "stc",
        "call r11",
        "xor ecx, ecx",
        "pushfq",
        "pop rdx",
        "shr edx, 10",
        "and edx, 1",
        "shl edx, 7",
        "or ecx, edx",
        "cld",
        "xor edx, edx",
        "cmp rbx, 0x1111",
        "setne dl",
        "or ecx, edx",
        "cmp rbp, 0x2222",
        "setne dl",
        "shl edx, 1",
        "or ecx, edx",
        "xor edx, edx",
        "cmp r12, 0x3333",
        "setne dl",
        "shl edx, 2",
        "or ecx, edx",
        "xor edx, edx",
        "cmp r13, 0x4444",
        "setne dl",
        "shl edx, 3",
        "or ecx, edx",
        "xor edx, edx",
        "cmp r14, 0x5555",
        "setne dl",
        "shl edx, 4",
        "or ecx, edx",
        "xor edx, edx",
        "cmp r15, 0x6666",
        "setne dl",
        "shl edx, 5",
        "or ecx, edx",
        "xor edx, edx",
        "cmp rsp, [rip + {rsp}]",
        "setne dl",
        "shl edx, 6",
        "or ecx, edx",
        "mov rsp, [rip + {rsp}]",
        "add rsp, 32",
        "pop qword ptr [rip + {rsp}]",
        "pop rdx",
        "mov [rdx], rax",
        "mov [rdx + 8], rcx",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbp",
        "pop rbx",
        "ret",
        rsp = sym STACK_POINTER,
    )
}

/// Where [`call_poisoned`] keeps the stack pointer. Its tests take turns.
static mut STACK_POINTER: u64 = 0;
static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Calls `f` on `inputs` arrays it reads and, before them, `outputs` arrays it writes (each `size` words), then the
/// numbers: all registers must come back, nothing around the arrays and no input be written.
///
/// # Safety
/// `f` must be a routine for these arguments.
pub(super) unsafe fn keeps_the_abi(f: *const (), size: usize, outputs: usize, inputs: usize, numbers: &[u64]) {
    const GUARD: u64 = 0x1234_5678;
    let _turn = TURN.lock().unwrap();
    let mut memory: Vec<Vec<u64>> = (0..outputs + inputs).map(|_| std::vec![GUARD; size + 8]).collect();
    for array in &mut memory {
        array[4..4 + size].iter_mut().enumerate().for_each(|(i, x)| *x = 1 + i as u64);
    }
    let before = memory.clone();
    let mut arguments = [0; 10];
    for (argument, array) in arguments.iter_mut().zip(&mut memory) {
        *argument = array[4..].as_mut_ptr() as u64;
    }
    arguments[outputs + inputs..][..numbers.len()].copy_from_slice(numbers);
    let mut out = [0; 2];
    // SAFETY: the caller answers for `f`; the arrays have `size` words.
    unsafe { call_poisoned(f, &arguments, &mut out) };
    assert_eq!(out[1], 0, "registers lost: {:#b}", out[1]);
    for (i, (array, before)) in memory.iter().zip(&before).enumerate() {
        assert_eq!((&array[..4], &array[4 + size..]), (&[GUARD; 4][..], &[GUARD; 4][..]), "array {i} overrun");
        assert_eq!(array == before, i >= outputs, "array {i}");
    }
}

/// Runs a routine of one output and up to two inputs with separate arrays, and with the output in the place of either
/// input and of both: the results must be the same.
pub(super) fn may_write_its_inputs<const N: usize>(routine: &dyn Fn(*mut u64, [*const u64; 2])) {
    let mut random = Random::new(3);
    for _ in 0..20 {
        // Below 2^51, so that any radix takes it.
        let [a, b]: [[u64; N]; 2] = core::array::from_fn(|_| core::array::from_fn(|_| random.next() >> 13));
        let call = |x: &[u64; N], y: &[u64; N]| {
            let mut out = [0; N];
            routine(out.as_mut_ptr(), [x.as_ptr(), y.as_ptr()]);
            out
        };
        let mut x = a;
        let at = x.as_mut_ptr();
        routine(at, [at, b.as_ptr()]);
        assert_eq!(x, call(&a, &b));
        let mut y = b;
        let at = y.as_mut_ptr();
        routine(at, [a.as_ptr(), at]);
        assert_eq!(y, call(&a, &b));
        let mut both = a;
        let at = both.as_mut_ptr();
        routine(at, [at, at]);
        assert_eq!(both, call(&a, &a));
    }
}
