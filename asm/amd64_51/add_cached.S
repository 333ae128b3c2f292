/*
 * Purpose:       P = P + Q, or P - Q if negate is 1; Q = (Y - X, Y + X, 2Z, 2d·T)
 * Prototype:     void amd64_51_add_cached(uint64_t m[5], uint64_t p[5], uint64_t z[5], uint64_t t[5], const uint64_t qm[5], const uint64_t qp[5], const uint64_t qz[5], const uint64_t qt[5], uint64_t negate);
 * Registers:     rdi = m, rsi = p, rdx = z, rcx = t, r8 = qm, r9 = qp, [rsp+8] = qz, [rsp+16] = qt, [rsp+24] = negate
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        all limbs < 3·2^52, before and after; negate 0 or 1
 * Features:      none beyond x86-64
 * Constant-time: yes
 * Origin:        Hisil, Wong, Carter, Dawson 2008, section 3.1; 8M
 */
#include "common.inc"
#include "amd64_51/field.inc"

ROUTINE(amd64_51_add_cached)
#include "point/add_cached.inc"
END(amd64_51_add_cached)
