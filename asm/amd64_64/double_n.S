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

#define X 0
#define Y 32
#define Z 64
#define S 96
#define E 128
#define F 160
#define G 192
#define H 224
#define ZOUT 256
#define TOUT 264
#define FRAME 280

// E, F, G, H of a doubling, from X, Y, Z, S: H = X² + Y², G = X² - Y², E = H - S², F = G + 2Z². All full. What the
// products before made last is used last, so that their latency is hidden.
.macro double_efgh
        square_mod rsp, Y
        store_a rsp, H
        square_mod rsp, Z
        store_a rsp, F
        square_mod rsp, X
        load_b  rsp, H                  // Y², tight
        add_b_a
        store_b rsp, E                  // H, until S² is there
        sub_tight rsp, H
        store_b rsp, H
        store_a rsp, G
        add_one_tight rsp, F
        add_one_tight rsp, F
        store_a rsp, F
        square_mod rsp, S
        load_b  rsp, E
        sub_b_a
        store_b rsp, E
.endm

ROUTINE(amd64_64_double_n)
        enter   FRAME
        mov     [rsp+ZOUT], rdx
        mov     [rsp+TOUT], rcx
        mov     rbp, r8
        // Every coordinate twice: 2X = p - m, 2Y = p + m, 2Z, and their sum 2X + 2Y = 2p.
        load_a  rdx, 0
        add_full rdx, 0
        store_a rsp, Z
        load_a  rsi, 0
        sub_full rdi, 0
        store_a rsp, X
        load_a  rsi, 0
        add_full rdi, 0
        store_a rsp, Y
        load_a  rsi, 0
        add_full rsi, 0
        store_a rsp, S
        dec     rbp
        jz      2f
        .p2align 4
1:      double_efgh
        mul_mod rsp, G, rsp, H
        store_a rsp, Y
        mul_mod rsp, F, rsp, G
        store_a rsp, Z
        mul_mod rsp, E, rsp, F
        store_a rsp, X
        add_one_tight rsp, Y
        store_a rsp, S
        dec     rbp
        jnz     1b
2:      double_efgh
        mul_mod rsp, G, rsp, H
        store_a rsp, Y
        mul_mod rsp, F, rsp, G
        mov     rbp, [rsp+ZOUT]
        store_a rbp, 0
        mul_mod rsp, E, rsp, F
        load_b  rsp, Y
        sub_b_a
        store_b rdi, 0                  // Y - X
        add_one_tight rsp, Y
        store_a rsi, 0                  // Y + X
        mul_mod rsp, E, rsp, H
        mov     rbp, [rsp+TOUT]
        store_a rbp, 0
        leave_routine FRAME
END(amd64_64_double_n)
