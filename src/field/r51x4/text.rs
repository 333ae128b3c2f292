//! The words that the assembly of `product` is written in: symbols, registers, exact products, column sums.

/// The name of a routine as Rust declares it.
macro_rules! symbol {
    ($name:literal) => {
        concat!(
            "curve25519_lanes_",
            env!("CARGO_PKG_VERSION_MAJOR"),
            "_",
            env!("CARGO_PKG_VERSION_MINOR"),
            "_",
            env!("CARGO_PKG_VERSION_PATCH"),
            "_r51x4_",
            $name
        )
    };
}

/// The same in the object file.
#[cfg(target_vendor = "apple")]
macro_rules! label {
    ($name:literal) => {
        concat!("_", symbol!($name))
    };
}
#[cfg(not(target_vendor = "apple"))]
macro_rules! label {
    ($name:literal) => {
        symbol!($name)
    };
}

/// What precedes the instructions: visibility, type and the start of the unwind table differ between Mach-O, COFF and
/// ELF. A Windows function that touches no stack needs no table.
#[cfg(target_vendor = "apple")]
macro_rules! begin {
    ($name:literal) => {
        concat!(".private_extern ", label!($name), "\n", label!($name), ":\n.cfi_startproc")
    };
}
#[cfg(windows)]
macro_rules! begin {
    ($name:literal) => {
        concat!(label!($name), ":")
    };
}
#[cfg(not(any(target_vendor = "apple", windows)))]
macro_rules! begin {
    ($name:literal) => {
        concat!(
            ".hidden ",
            label!($name),
            "\n.type ",
            label!($name),
            ", @function\n",
            label!($name),
            ":\n.cfi_startproc"
        )
    };
}

/// What follows them.
#[cfg(target_vendor = "apple")]
macro_rules! end {
    ($name:literal) => {
        ".cfi_endproc"
    };
}
#[cfg(windows)]
macro_rules! end {
    ($name:literal) => {
        ""
    };
}
#[cfg(not(any(target_vendor = "apple", windows)))]
macro_rules! end {
    ($name:literal) => {
        concat!(".cfi_endproc\n.size ", label!($name), ", . - ", label!($name))
    };
}

/// Where a value lives.
#[rustfmt::skip]
macro_rules! at {
    // Limbs of the first factor. The carry leaves the new limbs in the same registers.
    (a0) => {"ymm0"}; (a1) => {"ymm1"}; (a2) => {"ymm2"}; (a3) => {"ymm3"}; (a4) => {"ymm4"};
    // Limbs of the second factor.
    (b0) => {"[rdx]"}; (b1) => {"[rdx + 32]"}; (b2) => {"[rdx + 64]"}; (b3) => {"[rdx + 96]"}; (b4) => {"[rdx + 128]"};
    // Doubled limbs of a square, parked where the result will go.
    (d0) => {"[rdi]"}; (d1) => {"[rdi + 32]"}; (d2) => {"[rdi + 64]"}; (d3) => {"[rdi + 96]"};
    // Scratch: s inside `two`; rest and quotient on their way to a column.
    (s) => {"ymm5"}; (r) => {"ymm6"}; (q) => {"ymm7"};
    // Columns. 9 to 6 have been folded into 4 to 1 when 3 to 0 begin in their registers.
    (z9) => {"ymm8"}; (z8) => {"ymm9"}; (z7) => {"ymm10"}; (z6) => {"ymm11"}; (z5) => {"ymm12"}; (z4) => {"ymm13"};
    (z3) => {"ymm8"}; (z2) => {"ymm9"}; (z1) => {"ymm10"}; (z0) => {"ymm11"};
    (c1) => {"ymm14"}; (c2) => {"ymm15"};
}

/// One instruction of three operands.
macro_rules! op {
    ($op:literal $to:ident, $x:ident, $y:ident) => {
        concat!($op, " ", at!($to), ", ", at!($x), ", ", at!($y), "\n")
    };
}

/// Exact product `x·y = 2^51·q + r`: the bit patterns of `C1 + 2^51·q` to `$q` and of `C3 + r` to `$r`.
macro_rules! one {
    ($q:ident, $r:ident = $x:ident $y:ident) => {
        concat!(
            "vmovapd ",
            at!($q),
            ", ",
            at!(c1),
            "\n",
            op!("vfmadd231pd" $q, $x, $y),
            op!("vsubpd" $r, c2, $q),
            op!("vfmadd231pd" $r, $x, $y)
        )
    };
}

/// Exact sum of two products in the same form, one quotient and one rest for both.
macro_rules! two {
    ($q:ident, $r:ident = $x:ident $y:ident + $v:ident $w:ident) => {
        concat!(
            one!(s, $r = $x $y),
            "vmovapd ",
            at!($q),
            ", ",
            at!(s),
            "\n",
            op!("vfmadd231pd" $q, $v, $w),
            op!("vsubpd" s, s, $q),
            op!("vfmadd231pd" s, $v, $w),
            op!("vaddpd" $r, $r, s)
        )
    };
}

/// A bit pattern into a column.
macro_rules! add {
    ($z:ident += $x:ident) => {
        op!("vpaddq" $z, $z, $x)
    };
}

/// `z + 19·u` as `(z + u) + (2u + 16u)`; `u` is used up.
macro_rules! fold {
    ($z:ident += 19 $u:ident) => {
        concat!(
            op!("vpaddq" $z, $z, $u),
            op!("vpaddq" q, $u, $u),
            "vpsllq ",
            at!($u),
            ", ",
            at!($u),
            ", 4\n",
            op!("vpaddq" q, q, $u),
            op!("vpaddq" $z, $z, q)
        )
    };
}
