/*
 * Purpose:       r = a^(2^n) mod p, n squarings in a row
 * Prototype:     void amd64_51_square_n(uint64_t r[5], const uint64_t a[5], uint64_t n);
 * Registers:     rdi = r, rsi = a, rdx = n
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        a limbs < 2^54; n >= 1; r limbs < 2^51 + 2^15; r may be a
 * Features:      none beyond x86-64
 * Constant-time: yes in a; the time tells n
 * Origin:        schoolbook square, mixed products once
 */
#include "common.inc"
#include "amd64_51/field.inc"

#define COUNT BASE
#define FRAME BASE+8

ROUTINE(amd64_51_square_n)
        enter   FRAME
        mov     [rsp+COUNT], rdx
        square_mod rsi, 0
        store_a rdi, 0
        dec     qword ptr [rsp+COUNT]
        jz      2f
        .p2align 4
1:      square_mod rdi, 0
        store_a rdi, 0
        dec     qword ptr [rsp+COUNT]
        jnz     1b
2:      leave_routine FRAME
END(amd64_51_square_n)
