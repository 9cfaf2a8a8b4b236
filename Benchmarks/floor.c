// The floor: what no auditor of receipts and tokens can do without, on one thread.
//
//     floor FOLDER          Every file below it is a proof. For each: open, read, close, verify.
//     floor CLAIMS.ndjson   Every line has a proof in "receipt_data". For each: base64, SHA-256 of the proof; verify,
//                           if no earlier line had the same.
//
// To verify is one digest of the signed bytes and one operation with a key that is already decoded: RSA for receipts,
// ES256 for tokens. The content, the signature and the signer's certificate are found by the shortest walk there is.
// No chain, no attributes, no rules, no report. A container that this walk cannot read (BER of indefinite length) is
// skipped and counted. It prints one line: claims=… distinct=… verified=… refused=… skipped=…
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { largest_proof = 8 << 20, most_keys = 16 };
enum { sha1, sha256, digests };
enum { verified, refused, skipped, outcomes };

static size_t claims, distinct, total[outcomes];

static void fail(const char *what) {
    perror(what);
    exit(2);
}

// MARK: Bytes

typedef struct {
    const unsigned char *start;
    size_t count;
} bytes;

static int same(bytes a, bytes b) { return a.count == b.count && memcmp(a.start, b.start, a.count) == 0; }

typedef struct {
    unsigned char tag;
    bytes whole;     // tag, length and contents
    bytes contents;
} element;

// Takes one element of definite length from the front of `input`. 0 if there is none.
static int next(bytes *input, element *out) {
    const unsigned char *p = input->start, *end = p + input->count;
    if (end - p < 2) return 0;
    out->tag = *p++;
    size_t count = *p++;
    if (count & 0x80) {
        size_t octets = count & 0x7f;
        if (octets == 0 || octets > 4 || (size_t)(end - p) < octets) return 0;
        for (count = 0; octets > 0; octets--) count = count << 8 | *p++;
    }
    if ((size_t)(end - p) < count) return 0;
    out->contents = (bytes){p, count};
    out->whole = (bytes){input->start, p + count - input->start};
    input->start = p + count;
    input->count = end - input->start;
    return 1;
}

// The same, if the element has this tag.
static int expect(bytes *input, unsigned char tag, element *out) { return next(input, out) && out->tag == tag; }

// MARK: Base64

static uint32_t digit[4][256];  // the bits of a character at each place of four; 1 << 31 for what is no character

static void prepare_base64(void) {
    static const char standard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    memset(digit, 0xff, sizeof digit);
    for (int place = 0; place < 4; place++) {
        for (int i = 0; i < 64; i++) digit[place][(unsigned char)standard[i]] = i << (18 - 6 * place);
        digit[place]['-'] = digit[place]['+'], digit[place]['_'] = digit[place]['/'];
    }
}

// Decodes either alphabet, padded or not, to `out`. The number of octets, or -1 if it is no base64.
static long decode(bytes text, unsigned char *out) {
    const unsigned char *p = text.start, *end = p + text.count;
    unsigned char *first = out;
    uint32_t seen = 0, bits;
    while (end > p && (end[-1] == '=' || end[-1] <= ' ')) end--;
    for (; end - p >= 4; p += 4, out += 3) {
        seen |= bits = digit[0][p[0]] | digit[1][p[1]] | digit[2][p[2]] | digit[3][p[3]];
        out[0] = bits >> 16, out[1] = bits >> 8, out[2] = bits;
    }
    if (end - p == 1) return -1;
    if (end - p >= 2) seen |= bits = digit[0][p[0]] | digit[1][p[1]] | (end - p == 3 ? digit[2][p[2]] : 0);
    if (end - p >= 2) *out++ = bits >> 16;
    if (end - p == 3) *out++ = bits >> 8;
    return seen >> 31 ? -1 : out - first;
}

// MARK: Digests and keys

static EVP_MD *digest_kind[digests];
static EVP_MD_CTX *hashing;
static unsigned char *decoded;  // the proof, or a part of it

static void digest(int kind, bytes content, unsigned char *out) {
    if (EVP_DigestInit_ex2(hashing, digest_kind[kind], NULL) != 1 ||
        EVP_DigestUpdate(hashing, content.start, content.count) != 1 || EVP_DigestFinal_ex(hashing, out, NULL) != 1)
        fail("digest");
}

static struct {
    bytes name;  // a copy of the certificate, or of a token's header
    EVP_PKEY_CTX *contexts[digests];
} keys[most_keys];
static size_t key_count;

// The contexts of the key that was kept under this name; NULL if there is none.
static EVP_PKEY_CTX **known(bytes name) {
    for (size_t i = 0; i < key_count; i++)
        if (same(keys[i].name, name)) return keys[i].contexts;
    return NULL;
}

static EVP_PKEY_CTX **keep(bytes name, const unsigned char *certificate, long count) {
    X509 *x509 = key_count < most_keys ? d2i_X509(NULL, &certificate, count) : NULL;
    EVP_PKEY *key = x509 ? X509_get_pubkey(x509) : NULL;
    X509_free(x509);
    if (!key) return NULL;
    int is_rsa = EVP_PKEY_is_a(key, "RSA");
    EVP_PKEY_CTX **contexts = keys[key_count].contexts;
    for (int d = is_rsa ? sha1 : sha256; d < digests; d++) {
        EVP_PKEY_CTX *c = contexts[d] = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
        if (!c || EVP_PKEY_verify_init(c) != 1) return NULL;
        if (is_rsa && (EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PADDING) != 1 ||
                       EVP_PKEY_CTX_set_signature_md(c, digest_kind[d]) != 1))
            return NULL;
    }
    keys[key_count++].name = (bytes){memcpy(malloc(name.count), name.start, name.count), name.count};
    return contexts;
}

// MARK: Receipts

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

// What base64 says, in lines or not.
static bytes decoded_receipt(bytes text) {
    long count = decode(text, decoded);
    if (count < 0) {
        unsigned char *packed = (unsigned char *)text.start, *end = packed;
        for (size_t i = 0; i < text.count; i++)
            if (text.start[i] > ' ') *end++ = text.start[i];
        count = decode((bytes){packed, end - packed}, decoded);
    }
    return (bytes){decoded, count < 0 ? 0 : count};
}

static int verify_receipt(bytes receipt) {
    slices s;
    if (!find_slices(receipt, &s)) return skipped;
    EVP_PKEY_CTX **key = known(s.certificate);
    if (!key) key = keep(s.certificate, s.certificate.start, s.certificate.count);
    if (!key || !key[s.digest]) return skipped;
    unsigned char hash[EVP_MAX_MD_SIZE];
    digest(s.digest, s.content, hash);
    int valid = EVP_PKEY_verify(key[s.digest], s.signature.start, s.signature.count, hash, s.digest == sha1 ? 20 : 32);
    return valid == 1 ? verified : refused;
}

// MARK: Tokens

// The key of the first certificate in a header's `x5c`.
static EVP_PKEY_CTX **key_of_header(bytes header) {
    EVP_PKEY_CTX **key = known(header);
    if (key) return key;
    long count = decode(header, decoded);
    if (count < 0) return NULL;
    decoded[count] = 0;
    char *list = strstr((char *)decoded, "\"x5c\":[\"");
    char *end = list ? strchr(list + 8, '"') : NULL;
    if (!end) return NULL;
    unsigned char der[1 << 14];
    bytes text = {(unsigned char *)list + 8, end - list - 8};
    return text.count > sizeof der || (count = decode(text, der)) < 0 ? NULL : keep(header, der, count);
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

static int verify_token(bytes signed_text, bytes header, const unsigned char *rs) {
    EVP_PKEY_CTX **key = key_of_header(header);
    if (!key) return skipped;
    unsigned char hash[EVP_MAX_MD_SIZE], der[80], *end = integer(integer(der + 2, rs), rs + 32);
    der[0] = 0x30, der[1] = end - der - 2;
    digest(sha256, signed_text, hash);
    return EVP_PKEY_verify(key[sha256], der, end - der, hash, 32) == 1 ? verified : refused;
}

// MARK: Claims

static unsigned char (*seen)[32];  // SHA-256 of proofs, at a place that their first octets say
static size_t room;

// Whether a digest is new; it is kept.
static int is_new(const unsigned char *hash) {
    static const unsigned char none[32];
    if (distinct * 2 >= room) {
        unsigned char(*old)[32] = seen;
        size_t count = room;
        room = room ? room * 2 : 1 << 16, distinct = 0;
        if (!(seen = calloc(room, 32))) fail("calloc");
        for (size_t i = 0; i < count; i++)
            if (memcmp(old[i], none, 32)) is_new(old[i]);
        free(old);
    }
    uint64_t place;
    memcpy(&place, hash, sizeof place);
    for (place &= room - 1; memcmp(seen[place], none, 32); place = (place + 1) & (room - 1))
        if (memcmp(seen[place], hash, 32) == 0) return 0;
    memcpy(seen[place], hash, 32);
    return ++distinct;
}

// Verifies a proof. With `once`, only if it differs from all earlier ones.
static void audit(bytes proof, int once) {
    unsigned char hash[EVP_MAX_MD_SIZE];
    claims++;
    int is_der = proof.count > 0 && *proof.start == 0x30;
    while (!is_der && proof.count > 0 && proof.start[proof.count - 1] <= ' ') proof.count--;
    const unsigned char *end = proof.start + proof.count;
    const unsigned char *first = proof.count && *proof.start == 'e' ? memchr(proof.start, '.', proof.count) : NULL;
    const unsigned char *second = first ? memchr(first + 1, '.', end - first - 1) : NULL;
    if (second) {
        unsigned char rs[72];
        int is_whole = decode((bytes){first + 1, second - first - 1}, decoded) >= 0 && end - second == 87 &&
                       decode((bytes){second + 1, 86}, rs) == 64;
        if (once) digest(sha256, proof, hash);
        if (once && !is_new(hash)) return;
        bytes signed_text = {proof.start, second - proof.start}, header = {proof.start, first - proof.start};
        total[is_whole ? verify_token(signed_text, header, rs) : refused]++;
        return;
    }
    if (!is_der) proof = decoded_receipt(proof);
    if (once) digest(sha256, proof, hash);
    if (once && !is_new(hash)) return;
    total[verify_receipt(proof)]++;
}

// Every regular file below `folder`; devices.csv is no receipt.
static void audit_folder(int folder) {
    static unsigned char *buffer;
    if (!buffer) buffer = malloc(largest_proof + 1);
    DIR *entries = fdopendir(folder);
    if (!entries) fail("fdopendir");
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "devices.csv") == 0) continue;
        int below = openat(folder, entry->d_name, O_RDONLY | O_CLOEXEC);
        if (below < 0) fail(entry->d_name);
        if (entry->d_type == DT_DIR) {
            audit_folder(below);
            continue;
        }
        ssize_t count = read(below, buffer, largest_proof + 1);
        close(below);
        audit((bytes){buffer, count < 0 || count > largest_proof ? 0 : count}, 0);
    }
    closedir(entries);
}

static void audit_lines(const char *path) {
    static const char member[] = "\"receipt_data\":\"";
    FILE *in = fopen(path, "rb");
    if (!in || setvbuf(in, NULL, _IOFBF, 1 << 20)) fail(path);
    char *line = NULL;
    size_t size = 0;
    for (ssize_t count; (count = getline(&line, &size, in)) > 0;) {
        char *start = count > largest_proof ? NULL : memmem(line, count, member, sizeof member - 1);
        char *end = start ? memchr(start + sizeof member - 1, '"', line + count - start - sizeof member + 1) : NULL;
        start = end ? start + sizeof member - 1 : line;
        audit((bytes){(unsigned char *)start, end ? end - start : 0}, 1);
    }
    fclose(in);
    free(line);
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "-v") == 0) return puts(OpenSSL_version(OPENSSL_VERSION)) < 0;
    if (count != 2) return 64;
    digest_kind[sha1] = EVP_MD_fetch(NULL, "SHA1", NULL), digest_kind[sha256] = EVP_MD_fetch(NULL, "SHA256", NULL);
    hashing = EVP_MD_CTX_new();
    decoded = malloc(largest_proof);
    if (!digest_kind[sha1] || !digest_kind[sha256] || !hashing || !decoded) fail("OpenSSL");
    prepare_base64();
    int given = open(arguments[1], O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (given < 0 || fstat(given, &status)) fail(arguments[1]);
    S_ISDIR(status.st_mode) ? audit_folder(given) : audit_lines(arguments[1]);
    printf("claims=%zu distinct=%zu verified=%zu refused=%zu skipped=%zu\n", claims, distinct ? distinct : claims,
           total[verified], total[refused], total[skipped]);
    return 0;
}
