/*
 * Purpose:       r = a·b mod p
 * Prototype:     void amd64_51_mul(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]);
 * Registers:     rdi = r, rsi = a, rdx = b
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        a, b limbs < 2^54; r limbs < 2^51 + 2^15; r may be a or b
 * Features:      none beyond x86-64
 * Constant-time: yes
 * Origin:        schoolbook product by columns, the upper half folded in by 19
 */
#include "common.inc"
#include "amd64_51/field.inc"

ROUTINE(amd64_51_mul)
        mov     rcx, rdx
        enter   BASE+8
        mov     [rsp+BASE], rdi
        mov     rdi, rcx
        mul_mod rsi, 0, rdi, 0
        mov     rdi, [rsp+BASE]
        store_a rdi, 0
        leave_routine BASE+8
END(amd64_51_mul)
