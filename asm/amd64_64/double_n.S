/*
 * Purpose:       P = 2^n·P on the Edwards curve, P = (Y - X, Y + X, Z, T)
 * Prototype:     void amd64_64_double_n(uint64_t m[4], uint64_t p[4], uint64_t z[4], uint64_t t[4], uint64_t n);
 * Registers:     rdi = m, rsi = p, rdx = z, rcx = t, r8 = n
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        all coordinates < 2^256, before and after; n >= 1; T is only written
 * Features:      bmi2, adx
 * Constant-time: yes in P; the time tells n
 * Origin:        Hisil, Wong, Carter, Dawson 2008, section 3.3; (X, Y, Z, X + Y) between doublings
 */
#include "common.inc"
#include "amd64_64/field.inc"

ROUTINE(amd64_64_double_n)
#include "point/double_n.inc"
END(amd64_64_double_n)
