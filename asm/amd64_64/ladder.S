/*
 * Purpose:       (P2, P3) after `bits` steps of a Montgomery ladder over the bits of k, the highest of them first; returns the lowest bit, 1 if the points are to be exchanged at the end
 * Prototype:     uint64_t amd64_64_ladder(uint64_t x2[4], uint64_t z2[4], uint64_t x3[4], uint64_t z3[4], const uint64_t x1[4], const uint64_t k[4], uint64_t bits);
 * Registers:     rdi = x2, rsi = z2, rdx = x3, rcx = z3, r8 = x1, r9 = k, [rsp+8] = bits
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        x2, z2, x3, z3 < 2^255 + 2^199, before and after; x1 < 2^256; 1 <= bits <= 256
 * Features:      bmi2, adx
 * Constant-time: yes in k and the points; the time tells bits
 * Origin:        Montgomery 1987, RFC 7748; a step is 5M + 4S and one product by 121666
 */
#include "common.inc"
#include "amd64_64/field.inc"

ROUTINE(amd64_64_ladder)
#include "point/ladder.inc"
END(amd64_64_ladder)
