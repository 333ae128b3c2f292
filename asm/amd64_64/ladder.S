/*
 * Purpose:       (P2, P3) after `bits` steps of a Montgomery ladder over the bits of k, the highest of them first; returns the lowest bit, 1 if the points are to be exchanged at the end
 * Prototype:     uint64_t amd64_64_ladder(uint64_t x2[4], uint64_t z2[4], uint64_t x3[4], uint64_t z3[4], const uint64_t x1[4], const uint64_t k[4], uint64_t bits);
 * Registers:     rdi = x2, rsi = z2, rdx = x3, rcx = z3, r8 = x1, r9 = k, [rsp+8] = bits
 * Clobbers:      rax, rcx, rdx, rdi, rsi, r8, r9, r10, r11, flags
 * Bounds:        x2, z2, x3, z3 < 2^255 + 2^198, before and after; x1 < 2^256; 1 <= bits <= 256
 * Features:      bmi2, adx
 * Constant-time: yes in k and the points; the time tells bits
 * Origin:        Montgomery 1987, RFC 7748; a step is 5M + 4S and one product by 121666
 */
#include "common.inc"
#include "amd64_64/field.inc"

#define X2 0
#define Z2 32
#define X3 64
#define Z3 96
#define A2 128
#define B2 160
#define A3 192
#define B3 224
#define DA 256
#define CB 288
#define X2OUT 320
#define Z2OUT 328
#define X3OUT 336
#define Z3OUT 344
#define LAST 352
#define FRAME 360
// Beyond the frame, six saved registers and the return address.
#define BITS 416

.macro copy from, slot
        load_a  \from, 0
        store_a rsp, \slot
.endm

.macro copy_back slot, pointer
        load_a  rsp, \slot
        mov     rax, [rsp+\pointer]
        store_a rax, 0
.endm

// Where ZF is clear, the word of the register instead, in the frame.
.macro choose_word slot, register
        mov     rax, [rsp+\slot]
        cmovnz  rax, \register
        mov     [rsp+\slot], rax
.endm

ROUTINE(amd64_64_ladder)
        enter   FRAME
        mov     [rsp+X2OUT], rdi
        mov     [rsp+Z2OUT], rsi
        mov     [rsp+X3OUT], rdx
        mov     [rsp+Z3OUT], rcx
        mov     rsi, r8
        mov     rbp, r9
        copy    rdi, X2
        mov     rax, [rsp+Z2OUT]
        copy    rax, Z2
        copy    rdx, X3
        copy    rcx, Z3
        mov     qword ptr [rsp+LAST], 0
        mov     rdi, [rsp+BITS]
        // rdi counts the bits left, rsi = x1, rbp = k.
        .p2align 4
1:      load_a  rsp, X2
        load_b  rsp, X2
        add_one_tight rsp, Z2
        sub_b_memory rsp, Z2
        store_a rsp, A2
        store_b rsp, B2
        load_a  rsp, X3
        load_b  rsp, X3
        add_one_tight rsp, Z3
        sub_b_memory rsp, Z3
        store_a rsp, A3
        store_b rsp, B3
        // The products of sums and differences are the same whichever point is doubled. The order of what follows
        // lets each result rest while something else is multiplied.
        mul_mod rsp, A2, rsp, B3
        store_a rsp, DA
        mul_mod rsp, B2, rsp, A3
        store_a rsp, CB
        // The point to be doubled: the second if this bit differs from the last.
        lea     rcx, [rdi-1]
        mov     rax, rcx
        shr     rax, 6
        mov     rax, [rbp+rax*8]
        shr     rax, cl
        and     eax, 1
        mov     rcx, [rsp+LAST]
        mov     [rsp+LAST], rax
        load_a  rsp, A3
        load_b  rsp, B3
        xor     rcx, rax
        choose_word A2, r8
        choose_word A2+8, r9
        choose_word A2+16, r10
        choose_word A2+24, r11
        choose_word B2, r12
        choose_word B2+8, r13
        choose_word B2+16, r14
        choose_word B2+24, r15
        load_a  rsp, DA
        load_b  rsp, DA
        add_one_tight rsp, CB
        sub_b_memory rsp, CB
        store_a rsp, A3                 // DA + CB
        store_b rsp, B3                 // DA - CB
        square_mod rsp, A2
        store_a rsp, A2                 // AA
        square_mod rsp, B2
        store_a rsp, B2                 // BB
        // CB = E = AA - BB and DA = 121666·E + BB, where the top word is below 2^18.
        load_a  rsp, B2
        load_b  rsp, A2
        sub_b_a
        store_b rsp, CB
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
        shld    r12, r11, 1             // the quotient by 2^255, below 2^19
        btr     r11, 63
        imul    r12, r12, 19
        add     r8, r12
        adc     r9, rbx
        adc     r10, rbx
        adc     r11, rbx
        store_a rsp, DA
        square_mod rsp, A3
        store_a rsp, X3                 // (DA + CB)²
        square_mod rsp, B3
        store_a rsp, B3
        mul_mod rsp, A2, rsp, B2
        store_a rsp, X2                 // AA·BB
        mul_mod rsp, CB, rsp, DA
        store_a rsp, Z2                 // E·(121666·E + BB)
        mul_mod rsi, 0, rsp, B3
        store_a rsp, Z3                 // x1·(DA - CB)²
        dec     rdi
        jnz     1b
        copy_back X2, X2OUT
        copy_back Z2, Z2OUT
        copy_back X3, X3OUT
        copy_back Z3, Z3OUT
        mov     rax, [rsp+LAST]
        leave_routine FRAME
END(amd64_64_ladder)
