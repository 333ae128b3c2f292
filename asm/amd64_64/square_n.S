/*
 * Purpose:       r = a^(2^n) mod p, n squarings in a row
 * Prototype:     void amd64_64_square_n(uint64_t r[4], const uint64_t a[4], uint64_t n);
 * Registers:     rdi = r, rsi = a, rdx = n
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        a < 2^256; n >= 1; r < 2^255 + 2^199; r may be a
 * Features:      bmi2, adx
 * Constant-time: yes in a; the time tells n
 * Origin:        mixed products once, doubled in one carry chain while the other adds the squares
 */
#include "common.inc"
#include "amd64_64/field.inc"

#define COUNT 0
#define OUT 8
#define FRAME 24

ROUTINE(amd64_64_square_n)
        enter   FRAME
        mov     [rsp+OUT], rdi
        mov     [rsp+COUNT], rdx
        // The running value stays in rdx, rdi, rbp, rsi.
        mov     rdx, [rsi]
        mov     rdi, [rsi+8]
        mov     rbp, [rsi+16]
        mov     rsi, [rsi+24]
        .p2align 4
1:      square_wide rdi, rbp, rsi
        fold_wide
        mov     rdx, r8
        mov     rdi, r9
        mov     rbp, r10
        mov     rsi, r11
        dec     qword ptr [rsp+COUNT]
        jnz     1b
        mov     rdi, [rsp+OUT]
        store_a rdi, 0
        leave_routine FRAME
END(amd64_64_square_n)
