// OpenSSL's libcrypto, as Debian installs it. Function-like macros do not reach
// Swift; each wrapper below replaces one of them.
#pragma once
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// Expressions, which Swift does not import.
static const int EVP_PKEY_PUBLIC_KEY_value = EVP_PKEY_PUBLIC_KEY;
static const unsigned long XN_FLAG_RFC2253_value = XN_FLAG_RFC2253;

// The names of parameters. An OSSL_PARAM points at its name, and Swift would pass a copy that lives only for the call.
static const char *const OSSL_PKEY_PARAM_GROUP_NAME_key = OSSL_PKEY_PARAM_GROUP_NAME;
static const char *const OSSL_PKEY_PARAM_PUB_KEY_key = OSSL_PKEY_PARAM_PUB_KEY;
static const char *const OSSL_MAC_PARAM_DIGEST_key = OSSL_MAC_PARAM_DIGEST;
