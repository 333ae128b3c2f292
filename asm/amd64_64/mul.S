/*
 * Purpose:       r = a·b mod p
 * Prototype:     void amd64_64_mul(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]);
 * Registers:     rdi = r, rsi = a, rdx = b
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        a, b < 2^256; r < 2^255 + 2^199; r may be a or b
 * Features:      bmi2, adx
 * Constant-time: yes
 * Origin:        schoolbook product by rows, two carry chains
 */
#include "common.inc"
#include "amd64_64/field.inc"

ROUTINE(amd64_64_mul)
        enter   0
        mov     rbp, rdx
        mul_mod rsi, 0, rbp, 0
        store_a rdi, 0
        leave_routine 0
END(amd64_64_mul)
