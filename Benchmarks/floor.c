// The floor: what no auditor of receipts can do without. For each file: open, read, close, one digest of the
// signed content, one RSA verification with a key that is already decoded. No chain, no attributes, no report.
//
// It finds the content, the signature and the signer's certificate by the shortest walk there is, and keeps
// decoded keys by the certificate's bytes. A file that does not begin like DER is taken for base64. What it
// cannot walk even so (BER of indefinite length, anything else) it skips and counts.
//
// A file with two dots is taken for a token (JWS): base64url, SHA-256 of header and payload, ES256 with a key that is
// decoded once for each header.
#include "harness.h"
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

enum { sha1, sha256, digests, most_keys = 16 };

typedef struct {
    bytes certificate;  // a copy
    EVP_PKEY *key;
    EVP_PKEY_CTX *contexts[digests];
} known_key;

typedef struct {
    OSSL_LIB_CTX *library;  // of this thread's own: the default one takes locks
    EVP_MD *digest[digests];
    EVP_MD_CTX *hashing;
    known_key keys[most_keys];
    size_t key_count;
    unsigned char *decoded;  // what was base64
    unsigned char digit[256];  // the six bits of a character of base64url, 64 for any other
} floor_worker;

static void *start_worker(void) {
    floor_worker *w = calloc(1, sizeof *w);
    w->library = OSSL_LIB_CTX_new();
    w->digest[sha1] = EVP_MD_fetch(w->library, "SHA1", NULL);
    w->digest[sha256] = EVP_MD_fetch(w->library, "SHA256", NULL);
    w->hashing = EVP_MD_CTX_new();
    w->decoded = malloc(largest_receipt);
    memset(w->digit, 64, sizeof w->digit);
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int i = 0; i < 64; i++) w->digit[(unsigned char)digits[i]] = i;
    if (!w->digest[sha1] || !w->digest[sha256] || !w->hashing || !w->decoded) fail("OpenSSL");
    return w;
}

static void end_worker(void *worker) {
    floor_worker *w = worker;
    for (size_t i = 0; i < w->key_count; i++) {
        for (int d = 0; d < digests; d++) EVP_PKEY_CTX_free(w->keys[i].contexts[d]);
        EVP_PKEY_free(w->keys[i].key);
        free((void *)w->keys[i].certificate.start);
    }
    free(w->decoded);
    EVP_MD_CTX_free(w->hashing);
    for (int d = 0; d < digests; d++) EVP_MD_free(w->digest[d]);
    OSSL_LIB_CTX_free(w->library);
    free(w);
}

typedef struct {
    bytes content, certificate, signature;
    int digest;
} slices;

// The certificate in `bag` with this issuer and serial number, both whole elements.
static int find_signer(bytes bag, bytes issuer, bytes serial, bytes *found) {
    element certificate, body, field, its_serial, its_issuer;
    while (expect(&bag, 0x30, &certificate)) {
        bytes in = certificate.contents;
        if (!expect(&in, 0x30, &body)) return 0;
        in = body.contents;
        if (!next(&in, &field)) return 0;
        if (field.tag == 0xa0 && !next(&in, &field)) return 0;  // the version comes before the serial number
        its_serial = field;
        if (!expect(&in, 0x30, &field) || !expect(&in, 0x30, &its_issuer)) return 0;
        if (same(its_serial.whole, serial) && same(its_issuer.whole, issuer)) {
            *found = certificate.whole;
            return 1;
        }
    }
    return 0;
}

static int digest_of(bytes algorithm) {
    static const unsigned char oid1[] = {6, 5, 0x2b, 0x0e, 3, 2, 0x1a};
    static const unsigned char oid256[] = {6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1};
    if (algorithm.count >= sizeof oid1 && !memcmp(algorithm.start, oid1, sizeof oid1)) return sha1;
    if (algorithm.count >= sizeof oid256 && !memcmp(algorithm.start, oid256, sizeof oid256)) return sha256;
    return -1;
}

static int find_slices(bytes in, slices *out) {
    element e, issuer, serial, bag, signer;
    if (!expect(&in, 0x30, &e)) return 0;               // ContentInfo
    in = e.contents;
    if (!expect(&in, 6, &e) || !expect(&in, 0xa0, &e)) return 0;
    in = e.contents;
    if (!expect(&in, 0x30, &e)) return 0;               // SignedData
    in = e.contents;
    if (!expect(&in, 2, &e) || !expect(&in, 0x31, &e) || !expect(&in, 0x30, &e)) return 0;
    bytes content = e.contents;                         // data
    if (!expect(&content, 6, &e) || !expect(&content, 0xa0, &e)) return 0;
    content = e.contents;
    if (!expect(&content, 4, &e)) return 0;
    out->content = e.contents;
    if (!expect(&in, 0xa0, &bag) || !expect(&in, 0x31, &e)) return 0;
    in = e.contents;
    if (!expect(&in, 0x30, &signer)) return 0;          // SignerInfo
    in = signer.contents;
    if (!expect(&in, 2, &e) || !expect(&in, 0x30, &e)) return 0;
    bytes name = e.contents;
    if (!expect(&name, 0x30, &issuer) || !expect(&name, 2, &serial)) return 0;
    if (!expect(&in, 0x30, &e) || (out->digest = digest_of(e.contents)) < 0) return 0;
    if (!expect(&in, 0x30, &e) || !expect(&in, 4, &e)) return 0;
    out->signature = e.contents;
    return find_signer(bag.contents, issuer.whole, serial.whole, &out->certificate);
}

static known_key *key_of(floor_worker *w, bytes certificate) {
    for (size_t i = 0; i < w->key_count; i++)
        if (same(w->keys[i].certificate, certificate)) return &w->keys[i];
    if (w->key_count == most_keys) return NULL;

    X509 *decoded = X509_new_ex(w->library, NULL);
    const unsigned char *p = certificate.start;
    if (!d2i_X509(&decoded, &p, certificate.count)) return NULL;
    known_key *k = &w->keys[w->key_count];
    k->key = X509_get_pubkey(decoded);
    X509_free(decoded);
    if (!k->key) return NULL;
    for (int d = 0; d < digests; d++) {
        EVP_PKEY_CTX *c = k->contexts[d] = EVP_PKEY_CTX_new_from_pkey(w->library, k->key, NULL);
        if (!c || EVP_PKEY_verify_init(c) != 1 || EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PADDING) != 1 ||
            EVP_PKEY_CTX_set_signature_md(c, w->digest[d]) != 1)
            return NULL;
    }
    unsigned char *copy = malloc(certificate.count);
    k->certificate = (bytes){memcpy(copy, certificate.start, certificate.count), certificate.count};
    w->key_count++;
    return k;
}

// Base64 of the standard alphabet, line breaks allowed. The zero octets that stand for padding stay at the end.
static bytes decoded(floor_worker *w, bytes text) {
    unsigned char *packed = (unsigned char *)text.start, *end = packed;
    for (size_t i = 0; i < text.count; i++)
        if (text.start[i] > ' ') *end++ = text.start[i];
    int count = EVP_DecodeBlock(w->decoded, packed, end - packed);
    return (bytes){w->decoded, count < 0 ? 0 : (size_t)count};
}

// MARK: Tokens

// Decodes base64url without padding to the front of `out`; -1 if it is none.
static long decode_url(floor_worker *w, bytes text, unsigned char *out) {
    unsigned char *end = out;
    unsigned bits = 0, seen = 0;
    for (size_t i = 0; i < text.count; i++) {
        unsigned char value = w->digit[text.start[i]];
        seen |= value;
        bits = bits << 6 | value;
        if (i % 4 == 3) *end++ = bits >> 16, *end++ = bits >> 8, *end++ = bits;
    }
    if (text.count % 4 == 2) *end++ = bits >> 4;
    if (text.count % 4 == 3) *end++ = bits >> 10, *end++ = bits >> 2;
    return seen & 64 ? -1 : end - out;
}

// The key of the first certificate in `x5c`, by the header's characters.
static known_key *key_of_header(floor_worker *w, bytes header) {
    for (size_t i = 0; i < w->key_count; i++)
        if (same(w->keys[i].certificate, header)) return &w->keys[i];
    if (w->key_count == most_keys) return NULL;
    long count = decode_url(w, header, w->decoded);
    if (count < 0) return NULL;
    w->decoded[count] = 0;
    char *list = strstr((char *)w->decoded, "\"x5c\":[\"");
    char *end = list ? strchr(list + 8, '"') : NULL;
    if (!end) return NULL;
    unsigned char *der = malloc(end - list);
    int size = EVP_DecodeBlock(der, (unsigned char *)list + 8, end - list - 8);
    X509 *decoded = X509_new_ex(w->library, NULL);
    const unsigned char *p = der;
    if (size < 0 || !d2i_X509(&decoded, &p, size)) return NULL;
    known_key *k = &w->keys[w->key_count];
    k->key = X509_get_pubkey(decoded);
    X509_free(decoded);
    free(der);
    EVP_PKEY_CTX *c = k->contexts[sha256] = k->key ? EVP_PKEY_CTX_new_from_pkey(w->library, k->key, NULL) : NULL;
    if (!c || EVP_PKEY_verify_init(c) != 1) return NULL;
    unsigned char *copy = malloc(header.count);
    k->certificate = (bytes){memcpy(copy, header.start, header.count), header.count};
    w->key_count++;
    return k;
}

// Writes an INTEGER of 32 octets in DER.
static unsigned char *integer(unsigned char *out, const unsigned char *number) {
    int skip = 0;
    while (skip < 31 && number[skip] == 0) skip++;
    int high = number[skip] >> 7;
    *out++ = 2, *out++ = 32 - skip + high;
    if (high) *out++ = 0;
    memcpy(out, number + skip, 32 - skip);
    return out + 32 - skip;
}

static outcome judge_token(floor_worker *w, bytes token, const unsigned char *first, const unsigned char *second) {
    while (token.count > 0 && token.start[token.count - 1] <= ' ') token.count--;
    known_key *key = key_of_header(w, (bytes){token.start, first - token.start});
    if (!key) return skipped;
    unsigned char digest[EVP_MAX_MD_SIZE], rs[72], der[80], *end = der + 2;
    unsigned count;
    size_t rest = token.start + token.count - second - 1;
    if (decode_url(w, (bytes){first + 1, second - first - 1}, w->decoded) < 0 || rest != 86 ||
        decode_url(w, (bytes){second + 1, rest}, rs) != 64)
        return refused;
    end = integer(integer(end, rs), rs + 32);
    der[0] = 0x30, der[1] = end - der - 2;
    if (EVP_DigestInit_ex2(w->hashing, w->digest[sha256], NULL) != 1 ||
        EVP_DigestUpdate(w->hashing, token.start, second - token.start) != 1 ||
        EVP_DigestFinal_ex(w->hashing, digest, &count) != 1)
        return refused;
    return EVP_PKEY_verify(key->contexts[sha256], der, end - der, digest, count) == 1 ? verified : refused;
}

static outcome judge(void *worker, bytes receipt) {
    floor_worker *w = worker;
    slices s;
    if (receipt.count > 0 && *receipt.start == 'e') {
        const unsigned char *first = memchr(receipt.start, '.', receipt.count);
        const unsigned char *second =
            first ? memchr(first + 1, '.', receipt.start + receipt.count - first - 1) : NULL;
        if (second) return judge_token(w, receipt, first, second);
    }
    if (receipt.count > 0 && *receipt.start != 0x30) receipt = decoded(w, receipt);
    if (!find_slices(receipt, &s)) return skipped;
    known_key *key = key_of(w, s.certificate);
    if (!key) return skipped;
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned count;
    if (EVP_DigestInit_ex2(w->hashing, w->digest[s.digest], NULL) != 1 ||
        EVP_DigestUpdate(w->hashing, s.content.start, s.content.count) != 1 ||
        EVP_DigestFinal_ex(w->hashing, digest, &count) != 1)
        return refused;
    return EVP_PKEY_verify(key->contexts[s.digest], s.signature.start, s.signature.count, digest, count) == 1
        ? verified : refused;
}
