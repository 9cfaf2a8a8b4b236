#ifndef CMONTGOMERY_H
#define CMONTGOMERY_H

#include <stdbool.h>
#include <stdint.h>

// Powers modulo a number of 2,048 bits, by Montgomery multiplication with the multiply-add instructions of AVX-512 (IFMA).
// Three times as fast as OpenSSL 3.0, which uses these instructions for private keys only. Nothing here is constant in
// time: it is for public numbers.

#define AUDIT_MODULUS_OCTETS 256
// 2,080 bits in digits of 52, the least significant first: five vectors of eight.
#define AUDIT_MODULUS_DIGITS 40

typedef struct {
    uint64_t digits[AUDIT_MODULUS_DIGITS];
    // (2^2080)^2 modulo the number: a factor that takes another into Montgomery's form.
    uint64_t square[AUDIT_MODULUS_DIGITS];
    // -1 / modulus, modulo 2^52.
    uint64_t inverse;
} audit_modulus;

// Whether this processor has the instructions, and the kernel keeps their registers. Nothing else may be called if not.
bool audit_modulus_is_supported(void);

// Prepares an odd modulus. Both numbers have 256 bytes, the most significant first. `square` is 2^4160 modulo
// `number`.
void audit_modulus_set(audit_modulus *modulus, const uint8_t *number, const uint8_t *square);

// Raises a base of 256 bytes to an odd exponent of at least 3; false if the base is not below the modulus.
bool audit_modulus_raise(const audit_modulus *modulus, const uint8_t *base, uint32_t exponent, uint8_t *power);

#endif
