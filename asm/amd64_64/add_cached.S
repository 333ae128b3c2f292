/*
 * Purpose:       P = P + Q, or P - Q if negate is 1; Q = (Y - X, Y + X, 2Z, 2d·T)
 * Prototype:     void amd64_64_add_cached(uint64_t m[4], uint64_t p[4], uint64_t z[4], uint64_t t[4], const uint64_t qm[4], const uint64_t qp[4], const uint64_t qz[4], const uint64_t qt[4], uint64_t negate);
 * Registers:     rdi = m, rsi = p, rdx = z, rcx = t, r8 = qm, r9 = qp, [rsp+8] = qz, [rsp+16] = qt, [rsp+24] = negate
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        all coordinates < 2^256, before and after; negate 0 or 1
 * Features:      bmi2, adx
 * Constant-time: yes
 * Origin:        Hisil, Wong, Carter, Dawson 2008, section 3.1; 8M
 */
#include "common.inc"
#include "amd64_64/field.inc"

#define E 0
#define F 32
#define G 64
#define H 96
#define MOUT 128
#define POUT 136
#define ZOUT 144
#define TOUT 152
#define FRAME 168
// Beyond the frame, six saved registers and the return address.
#define QZ 224
#define QT 232
#define NEGATE 240

#include "amd64_64/add.inc"

ROUTINE(amd64_64_add_cached)
        enter   FRAME
        mov     [rsp+MOUT], rdi
        mov     [rsp+POUT], rsi
        mov     [rsp+ZOUT], rdx
        mov     [rsp+TOUT], rcx
        mov     rbp, [rsp+NEGATE]
        neg     rbp
        load_b  r9, 0
        mov     rbx, r8
        load_a  rbx, 0
        exchange_a_b
        store_a rsp, G
        store_b rsp, H
        // The order lets each result rest while something else is multiplied.
        mul_mod rdi, 0, rsp, G          // A = (Y1 - X1)·(Y2 -+ X2)
        store_a rsp, E
        mul_mod rsi, 0, rsp, H          // B = (Y1 + X1)·(Y2 +- X2)
        sum_and_difference_eh
        mov     rdi, [rsp+ZOUT]
        mov     rsi, [rsp+QZ]
        mul_mod rdi, 0, rsi, 0          // D = 2·Z1·Z2
        store_a rsp, F
        mov     rdi, [rsp+TOUT]
        mov     rsi, [rsp+QT]
        mul_mod rdi, 0, rsi, 0          // C = 2d·T1·T2
        store_a rsp, G
        mul_mod rsp, E, rsp, H
        store_a rdi, 0                  // T = E·H
        sum_and_difference_fg rsp, F    // D -+ C
        finish_xyz
        leave_routine FRAME
END(amd64_64_add_cached)
