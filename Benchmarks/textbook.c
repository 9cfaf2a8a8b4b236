// The textbook: the way of the classic guides to receipt validation, once per file. Decode the container,
// decode the root certificate into a new store, PKCS7_verify. The one thing the guides leave out is added,
// or nearly every old receipt would be refused: the chain is judged at the receipt's creation date.
#include "harness.h"
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/x509.h>

// The root certificate in DER: of a PEM file the first one, which is that of receipts.
static const unsigned char *anchor_der;
static size_t anchor_count;

static void read_anchor(void) {
    anchor_der = root;
    anchor_count = root_count;
    if (root_count > 0 && root[0] == 0x30) return;
    BIO *in = BIO_new_mem_buf(root, (int)root_count);
    X509 *first = PEM_read_bio_X509(in, NULL, NULL, NULL);
    unsigned char *der = NULL;
    int count = first ? i2d_X509(first, &der) : -1;
    if (count < 0) {
        fputs("the root is no certificate in DER or PEM\n", stderr);
        exit(64);
    }
    anchor_der = der;
    anchor_count = (size_t)count;
    X509_free(first);
    BIO_free(in);
}

static pthread_once_t anchor_once = PTHREAD_ONCE_INIT;

static void *start_worker(void) {
    if (!root) {
        fputs("-r ROOT is needed: the root certificate, in DER or PEM\n", stderr);
        exit(64);
    }
    pthread_once(&anchor_once, read_anchor);
    return NULL;
}

static void end_worker(void *worker) { (void)worker; }

// Attribute 12 of a receipt: an IA5String, 2026-06-30T00:00:00Z. -1 if it is not there.
static time_t creation_date(bytes in) {
    element e, type, version, value, text;
    if (!expect(&in, 0x31, &e)) return -1;
    in = e.contents;
    while (expect(&in, 0x30, &e)) {
        bytes fields = e.contents;
        if (!expect(&fields, 2, &type) || !expect(&fields, 2, &version) || !expect(&fields, 4, &value)) return -1;
        if (type.contents.count != 1 || *type.contents.start != 12) continue;
        if (!expect(&value.contents, 0x16, &text) || text.contents.count < 20) return -1;
        struct tm t = {0};
        char copy[21] = {0};
        memcpy(copy, text.contents.start, 20);
        return strptime(copy, "%Y-%m-%dT%H:%M:%SZ", &t) ? timegm(&t) : -1;
    }
    return -1;
}

static outcome judge(void *worker, bytes receipt) {
    (void)worker;
    const unsigned char *p = receipt.start;
    PKCS7 *container = d2i_PKCS7(NULL, &p, receipt.count);
    if (!container) return skipped;
    if (!PKCS7_type_is_signed(container) || !PKCS7_type_is_data(container->d.sign->contents)) {
        PKCS7_free(container);
        return skipped;
    }
    ASN1_OCTET_STRING *content = container->d.sign->contents->d.data;
    time_t created = content ? creation_date((bytes){content->data, content->length}) : -1;

    X509_STORE *store = X509_STORE_new();
    p = anchor_der;
    X509 *anchor = d2i_X509(NULL, &p, (long)anchor_count);
    if (anchor) X509_STORE_add_cert(store, anchor);
    X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), created);
    BIO *payload = BIO_new(BIO_s_mem());
    int holds = created >= 0 && PKCS7_verify(container, NULL, store, NULL, payload, 0) == 1;
    BIO_free(payload);
    X509_free(anchor);
    X509_STORE_free(store);
    PKCS7_free(container);
    return holds ? verified : refused;
}
