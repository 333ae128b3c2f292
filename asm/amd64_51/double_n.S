/*
 * Purpose:       P = 2^n·P on the Edwards curve, P = (Y - X, Y + X, Z, T)
 * Prototype:     void amd64_51_double_n(uint64_t m[5], uint64_t p[5], uint64_t z[5], uint64_t t[5], uint64_t n);
 * Registers:     rdi = m, rsi = p, rdx = z, rcx = t, r8 = n
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        all limbs < 3·2^52, before and after; n >= 1; T is only written
 * Features:      none beyond x86-64
 * Constant-time: yes in P; the time tells n
 * Origin:        Hisil, Wong, Carter, Dawson 2008, section 3.3; (X, Y, Z, X + Y) between doublings
 */
#include "common.inc"
#include "amd64_51/field.inc"

ROUTINE(amd64_51_double_n)
#include "point/double_n.inc"
END(amd64_51_double_n)
