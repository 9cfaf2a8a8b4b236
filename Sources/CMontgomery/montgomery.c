#include "CMontgomery.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define IFMA __attribute__((target("avx512f,avx512ifma")))

enum { digits = AUDIT_MODULUS_DIGITS, octets = AUDIT_MODULUS_OCTETS, words = octets / 8, vectors = digits / 8 };

static const uint64_t mask = ((uint64_t)1 << 52) - 1;

bool audit_modulus_is_supported(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma");
}

static void read_digits(uint64_t *number, const uint8_t *bytes) {
    uint64_t word[words + 1] = {0};
    for (int i = 0; i < words; i++) {
        uint64_t swapped;
        memcpy(&swapped, bytes + octets - 8 * (i + 1), 8);
        word[i] = __builtin_bswap64(swapped);
    }
    for (int i = 0; i < digits; i++) {
        int place = 52 * i / 64, shift = 52 * i % 64;
        uint64_t digit = word[place] >> shift;
        // The mask takes away what the next word has too much of.
        if (shift > 12) digit |= word[place + 1] << (64 - shift);
        number[i] = digit & mask;
    }
}

// All digits above the 2,048th bit are zero.
static void write_octets(uint8_t *bytes, const uint64_t *number) {
    for (int i = 0; i < words; i++) {
        int place = 64 * i / 52, shift = 64 * i % 52;
        uint64_t word = number[place] >> shift | number[place + 1] << (52 - shift);
        // Where a word begins late in a digit, it reaches into a third one.
        if (shift > 40) word |= number[place + 2] << (104 - shift);
        word = __builtin_bswap64(word);
        memcpy(bytes + octets - 8 * (i + 1), &word, 8);
    }
}

static bool is_less(const uint64_t *a, const uint64_t *b) {
    for (int i = digits - 1; i >= 0; i--) {
        if (a[i] != b[i]) return a[i] < b[i];
    }
    return false;
}

static void subtract(uint64_t *a, const uint64_t *b) {
    uint64_t borrow = 0;
    for (int i = 0; i < digits; i++) {
        uint64_t difference = a[i] - b[i] - borrow;
        a[i] = difference & mask;
        borrow = difference >> 63;
    }
}

// Moves all lanes down by one; a zero comes in at the top.
IFMA static inline void shift(__m512i *sum) {
    for (int j = 0; j + 1 < vectors; j++) sum[j] = _mm512_alignr_epi64(sum[j + 1], sum[j], 1);
    sum[vectors - 1] = _mm512_alignr_epi64(_mm512_setzero_si512(), sum[vectors - 1], 1);
}

IFMA static inline uint64_t second_lane(__m512i sum) {
    return (uint64_t)_mm_extract_epi64(_mm512_castsi512_si128(sum), 1);
}

// product = a * b / 2^2080, modulo the modulus. If a and b are below twice the modulus, so is the product: 2^2080 is more than
// four times as much, so that nothing need be subtracted (Walter, "Montgomery exponentiation needs no final subtractions").
//
// Digit by digit of b, lanes gather a * b, and as many moduli as make the lowest digit zero; then all move down by one. No
// instruction waits for the one before it: `left` and `whole` are gathered apart, and the two lowest digits are computed
// without vectors, the lowest in `lowest` with all carries, so that the next multiple is known before the lanes are. What the
// first lanes hold is never looked at. Nothing overflows: a lane gathers at most 80 products of less than 2^52.
IFMA static void multiply(uint64_t *product, const uint64_t *a, const uint64_t *b, const audit_modulus *modulus) {
    __m512i left[vectors], whole[vectors], lefts[vectors], wholes[vectors];
    for (int j = 0; j < vectors; j++) {
        left[j] = _mm512_loadu_si512(a + 8 * j);
        whole[j] = _mm512_loadu_si512(modulus->digits + 8 * j);
        lefts[j] = wholes[j] = _mm512_setzero_si512();
    }
    const uint64_t a0 = a[0], a1 = a[1], n0 = modulus->digits[0], n1 = modulus->digits[1];
    uint64_t lowest = 0;
    for (int i = 0; i < digits; i++) {
        const uint64_t digit = b[i];
        uint64_t second = second_lane(lefts[0]) + second_lane(wholes[0]) + ((a1 * digit) & mask);
        unsigned __int128 first = (unsigned __int128)a0 * digit + lowest;
        const uint64_t multiple = ((uint64_t)first * modulus->inverse) & mask;
        first += (unsigned __int128)n0 * multiple;
        second += (n1 * multiple) & mask;
        lowest = (uint64_t)(first >> 52) + second;

        const __m512i times = _mm512_set1_epi64((long long)digit), multiples = _mm512_set1_epi64((long long)multiple);
        for (int j = 0; j < vectors; j++) lefts[j] = _mm512_madd52lo_epu64(lefts[j], left[j], times);
        for (int j = 0; j < vectors; j++) wholes[j] = _mm512_madd52lo_epu64(wholes[j], whole[j], multiples);
        shift(lefts);
        shift(wholes);
        for (int j = 0; j < vectors; j++) lefts[j] = _mm512_madd52hi_epu64(lefts[j], left[j], times);
        for (int j = 0; j < vectors; j++) wholes[j] = _mm512_madd52hi_epu64(wholes[j], whole[j], multiples);
    }
    uint64_t lane[digits], carry = 0;
    for (int j = 0; j < vectors; j++) _mm512_storeu_si512(lane + 8 * j, _mm512_add_epi64(lefts[j], wholes[j]));
    lane[0] = lowest;
    for (int i = 0; i < digits; i++) {
        lane[i] += carry;
        product[i] = lane[i] & mask;
        carry = lane[i] >> 52;
    }
}

void audit_modulus_set(audit_modulus *modulus, const uint8_t *number, const uint8_t *square) {
    read_digits(modulus->digits, number);
    read_digits(modulus->square, square);
    // Newton: each step doubles the number of correct bits. An odd number is its own inverse in the lowest three.
    uint64_t inverse = modulus->digits[0];
    for (int bits = 3; bits < 52; bits *= 2) inverse *= 2 - modulus->digits[0] * inverse;
    modulus->inverse = (0 - inverse) & mask;
}

bool audit_modulus_raise(const audit_modulus *modulus, const uint8_t *base, uint32_t exponent, uint8_t *power) {
    uint64_t plain[digits], form[digits], result[digits];
    read_digits(plain, base);
    if (!is_less(plain, modulus->digits)) return false;
    multiply(form, plain, modulus->square, modulus);
    memcpy(result, form, sizeof form);
    // Bit after bit of the exponent, from the second highest on.
    uint32_t bit = (uint32_t)1 << (31 - __builtin_clz(exponent));
    while (bit > 2) {
        bit >>= 1;
        multiply(result, result, result, modulus);
        if (exponent & bit) multiply(result, result, form, modulus);
    }
    // The last bit of an odd exponent is 1, and its factor, left as it is, takes the power out of Montgomery's form.
    multiply(result, result, result, modulus);
    multiply(result, result, plain, modulus);
    if (!is_less(result, modulus->digits)) subtract(result, modulus->digits);
    write_octets(power, result);
    return true;
}

#else

bool audit_modulus_is_supported(void) { return false; }

void audit_modulus_set(audit_modulus *modulus, const uint8_t *number, const uint8_t *square) {
    (void)modulus, (void)number, (void)square;
}

bool audit_modulus_raise(const audit_modulus *modulus, const uint8_t *base, uint32_t exponent, uint8_t *power) {
    (void)modulus, (void)base, (void)exponent, (void)power;
    return false;
}

#endif
