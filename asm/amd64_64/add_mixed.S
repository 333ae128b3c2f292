/*
 * Purpose:       P = P + Q, or P - Q if negate is 1; Q affine: ((y - x)/2, (y + x)/2, d·x·y)
 * Prototype:     void amd64_64_add_mixed(uint64_t m[4], uint64_t p[4], uint64_t z[4], uint64_t t[4], const uint64_t qm[4], const uint64_t qp[4], const uint64_t qt[4], uint64_t negate);
 * Registers:     rdi = m, rsi = p, rdx = z, rcx = t, r8 = qm, r9 = qp, [rsp+8] = qt, [rsp+16] = negate
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        all coordinates < 2^256, before and after; negate 0 or 1
 * Features:      bmi2, adx
 * Constant-time: yes
 * Origin:        Hisil, Wong, Carter, Dawson 2008, section 3.1 with Z2 = 1; 7M
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
#define QT 224
#define NEGATE 232

#include "amd64_64/add.inc"

ROUTINE(amd64_64_add_mixed)
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
        mul_mod rdi, 0, rsp, G          // A = (Y1 - X1)·(y2 -+ x2)/2
        store_a rsp, E
        mul_mod rsi, 0, rsp, H          // B = (Y1 + X1)·(y2 +- x2)/2
        sum_and_difference_eh
        mov     rdi, [rsp+TOUT]
        mov     rsi, [rsp+QT]
        mul_mod rdi, 0, rsi, 0          // C = T1·d·x2·y2
        store_a rsp, G
        mul_mod rsp, E, rsp, H
        store_a rdi, 0                  // T = E·H
        mov     rsi, [rsp+ZOUT]
        sum_and_difference_fg rsi, 0    // Z1 -+ C
        finish_xyz
        leave_routine FRAME
END(amd64_64_add_mixed)
