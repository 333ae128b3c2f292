/*
 * Purpose:       (P2, P3) = (2·P2, P2 + P3), roles exchanged before if swap is 1; P3 - P2 has u-coordinate x1
 * Prototype:     void amd64_64_ladder_step(uint64_t x2[4], uint64_t z2[4], uint64_t x3[4], uint64_t z3[4], const uint64_t x1[4], uint64_t swap);
 * Registers:     rdi = x2, rsi = z2, rdx = x3, rcx = z3, r8 = x1, r9 = swap
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        x2, z2, x3, z3 <= 2^255 + 1462, before and after; x1 < 2^256; swap 0 or 1
 * Features:      bmi2, adx
 * Constant-time: yes
 * Origin:        Montgomery 1987; 5M + 4S and one product by 121666
 */
#include "common.inc"
#include "amd64_64/field.inc"

#define A2 0
#define B2 32
#define A3 64
#define B3 96
#define DA 128
#define CB 160
#define X3 192
#define Z3 200
#define X1 208
#define FRAME 216

// Sum and difference of the tight values at base1 and base2 to the frame.
.macro sum_and_difference base1, base2, sum, difference
        load_a  \base1, 0
        add_tight \base2, 0
        store_a rsp, \sum
        load_a  \base1, 0
        sub_tight \base2, 0
        store_a rsp, \difference
.endm

// The word at `a`, or at `b` if the mask in rbp is all ones, to `a`.
.macro choose a, b
        mov     rax, [rsp+\a]
        mov     rcx, [rsp+\b]
        xor     rcx, rax
        and     rcx, rbp
        xor     rax, rcx
        mov     [rsp+\a], rax
.endm

.macro choose_four a, b
        choose  \a, \b
        choose  \a+8, \b+8
        choose  \a+16, \b+16
        choose  \a+24, \b+24
.endm

ROUTINE(amd64_64_ladder_step)
        enter   FRAME
        mov     [rsp+X3], rdx
        mov     [rsp+Z3], rcx
        mov     [rsp+X1], r8
        mov     rbp, r9
        neg     rbp
        sum_and_difference rdi, rsi, A2, B2
        sum_and_difference rdx, rcx, A3, B3
        // The products of sums and differences are the same whichever point is doubled.
        mul_mod rsp, A2, rsp, B3
        store_a rsp, DA
        mul_mod rsp, A3, rsp, B2
        store_a rsp, CB
        choose_four A2, A3
        choose_four B2, B3
        square_mod rsp, A2
        store_a rsp, A2                 // AA
        square_mod rsp, B2
        store_a rsp, B2                 // BB
        load_b  rsp, A2
        sub_b_a
        store_b rsp, A3                 // E = AA - BB
        // B3 = 121666·E + BB: BB is in A, E in B; the top word is below 2^18.
        mov     edx, 121666
        xor     ebx, ebx
        mulx    rcx, rax, r12
        adcx    r8, rax
        adox    r9, rcx
        mulx    rcx, rax, r13
        adcx    r9, rax
        adox    r10, rcx
        mulx    rcx, rax, r14
        adcx    r10, rax
        adox    r11, rcx
        mulx    r12, rax, r15
        adcx    r11, rax
        adox    r12, rbx
        adcx    r12, rbx
        fold_top                        // at most 2^255 - 1 + 19·2^19, full
        store_a rsp, B3
        mul_mod rsp, A2, rsp, B2
        store_a rdi, 0                  // X2 = AA·BB
        mul_mod rsp, A3, rsp, B3
        store_a rsi, 0                  // Z2 = E·(121666·E + BB)
        load_a  rsp, DA
        sub_tight rsp, CB
        store_a rsp, B3
        load_a  rsp, DA
        add_tight rsp, CB
        store_a rsp, A3
        square_mod rsp, A3
        mov     rdi, [rsp+X3]
        store_a rdi, 0                  // X3 = (DA + CB)²
        square_mod rsp, B3
        store_a rsp, B3
        mov     rdi, [rsp+Z3]
        mov     rsi, [rsp+X1]
        mul_mod rsi, 0, rsp, B3
        store_a rdi, 0                  // Z3 = x1·(DA - CB)²
        leave_routine FRAME
END(amd64_64_ladder_step)
