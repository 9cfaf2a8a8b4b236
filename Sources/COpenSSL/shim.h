// OpenSSL's libcrypto, as Debian installs it. Function-like macros do not reach
// Swift; each wrapper below stands for one of them.
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

// XN_FLAG_RFC2253 is an expression of casts, which Swift does not import.
static const unsigned long XN_FLAG_RFC2253_value = XN_FLAG_RFC2253;
