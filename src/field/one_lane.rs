//! What the backends of one lane have in common: everything that isn't arithmetic.

/// Items of `impl FieldLanes for Self`, a tuple of one array of words with `from_element` and `to_element`.
macro_rules! one_lane_items {
    ($token:ty, $product:ident) => {
        type Isa = $token;
        type Product = $product;
        type Sum = Self;
        type Mask = Choice;
        type Index = u16;

        const LANES: usize = 1;

        #[inline(always)]
        fn splat(_: $token, x: &FieldElement) -> Self {
            Self::from_element(x)
        }
        #[inline(always)]
        fn load(_: $token, x: impl Fn(usize) -> FieldElement) -> Self {
            Self::from_element(&x(0))
        }
        #[inline(always)]
        fn store(&self, out: &mut [FieldElement]) {
            out[0] = self.to_element();
        }

        #[inline(always)]
        fn product(_: $token) -> $product {
            $product([0; _])
        }
        #[inline(always)]
        fn reduce(a: &$product) -> Self {
            Self(a.0)
        }
        #[inline(always)]
        fn carry(a: &Self) -> Self {
            *a
        }
        #[inline(always)]
        fn sub_add(swap: Choice, d: &$product, c: &$product) -> (Self, Self) {
            let (f, g) = (Self::sub(d, c), Self::add(d, c));
            (Self::select(swap, &f, &g), Self::select(swap, &g, &f))
        }

        #[inline(always)]
        fn multiply_only(_: $token, n: usize) {
            let factor = core::hint::black_box(0x9e37_79b9_7f4a_7c15_u64);
            let mut x = core::hint::black_box([u64::MAX; 8]);
            for _ in 0..n {
                x = x.map(|x| ((u128::from(x) * u128::from(factor)) >> 64) as u64);
            }
            core::hint::black_box(x);
        }

        #[inline(always)]
        fn select(mask: Choice, a: &Self, b: &Self) -> Self {
            Self(core::array::from_fn(|i| ConditionallySelectable::conditional_select(&a.0[i], &b.0[i], mask)))
        }
        #[inline(always)]
        fn mask(_: $token, bits: u32) -> Choice {
            Choice::from((bits & 1) as u8)
        }
        #[inline(always)]
        fn bits(mask: Choice) -> u32 {
            u32::from(mask.unwrap_u8())
        }
        #[inline(always)]
        fn index(_: $token, digits: &[i16]) -> (u16, Choice) {
            (digits[0].unsigned_abs(), Choice::from((digits[0] as u16 >> 15) as u8))
        }
        #[inline(always)]
        fn index_is(index: u16, value: u16) -> Choice {
            index.ct_eq(&value)
        }

        #[inline(always)]
        fn load3(rows: &Rows<Self>, row: &[u32], out: [&mut Self; 3]) {
            Self::splat3(rows, row[0], out);
        }
        #[inline(always)]
        fn splat3(rows: &Rows<Self>, row: u32, [a, b, c]: [&mut Self; 3]) {
            [a.0, b.0, c.0] = rows.read(row);
        }
        #[inline(always)]
        fn store3(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 3]) {
            rows.write(row[0], &x.map(|x| x.0));
        }
        #[inline(always)]
        fn load4(rows: &Rows<Self>, row: &[u32], [a, b, c, d]: [&mut Self; 4]) {
            [a.0, b.0, c.0, d.0] = rows.read(row[0]);
        }
        #[inline(always)]
        fn store4(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 4]) {
            rows.write(row[0], &x.map(|x| x.0));
        }
    };
}
pub(super) use one_lane_items;
