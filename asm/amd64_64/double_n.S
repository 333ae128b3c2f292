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

// E, F, G, H of a doubling, from X, Y, Z, S: H = X² + Y², G = X² - Y², E = H - S², F = G + 2Z². All full.
.macro double_efgh
        square_mod rsp, X
        store_a rsp, E
        square_mod rsp, Y
        load_b  rsp, E                  // X², tight
        sub_b_a
        store_b rsp, G
        add_tight rsp, E
        store_a rsp, H
        square_mod rsp, S
        load_b  rsp, H
        sub_b_a
        store_b rsp, E
        square_mod rsp, Z
        load_b  rsp, G
        add_b_a
        add_b_a
        store_b rsp, F
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
        mul_mod rsp, F, rsp, G
        store_a rsp, Z
        mul_mod rsp, E, rsp, F
        store_a rsp, X
        mul_mod rsp, G, rsp, H
        store_a rsp, Y
        add_tight rsp, X
        store_a rsp, S
        dec     rbp
        jnz     1b
2:      double_efgh
        mul_mod rsp, E, rsp, F
        store_a rsp, X
        mul_mod rsp, G, rsp, H
        load_b  rsp, X
        add_b_a_tight
        store_b rsi, 0
        sub_tight rsp, X
        store_a rdi, 0
        mul_mod rsp, F, rsp, G
        mov     rbp, [rsp+ZOUT]
        store_a rbp, 0
        mul_mod rsp, E, rsp, H
        mov     rbp, [rsp+TOUT]
        store_a rbp, 0
        leave_routine FRAME
END(amd64_64_double_n)
