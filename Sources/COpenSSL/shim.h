// What Swift needs of OpenSSL 3: the curve P-256, HKDF-SHA-256 and AES-GCM. Its own interface is made of macros and of functions
// with any number of arguments, which Swift cannot import. All return 1 on success.
#ifndef INTERSESSION_COPENSSL_SHIM_H
#define INTERSESSION_COPENSSL_SHIM_H

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rand.h>

static inline EVP_PKEY *intersession_p256_build(OSSL_PARAM_BLD *build, int selection)
{
    EVP_PKEY *key = NULL;
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (params && context && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, selection, params) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(params);
    return key;
}

/// A public key from an uncompressed point of 65 bytes; NULL when it does not lie on the curve.
static inline EVP_PKEY *intersession_p256_public(const unsigned char *point)
{
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (build && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1
        && OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, 65) == 1)
        key = intersession_p256_build(build, EVP_PKEY_PUBLIC_KEY);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX *context = key ? EVP_PKEY_CTX_new(key, NULL) : NULL;
    if (key && (!context || EVP_PKEY_public_check(context) != 1)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/// A key from its secret of 32 bytes; writes the public point of 65 bytes. NULL for a secret out of range.
static inline EVP_PKEY *intersession_p256_secret(const unsigned char *secret, unsigned char *point)
{
    EVP_PKEY *key = NULL;
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *number = BN_secure_new();
    EC_POINT *product = group ? EC_POINT_new(group) : NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    if (group && number && product && build && BN_bin2bn(secret, 32, number) && !BN_is_zero(number)
        && BN_cmp(number, EC_GROUP_get0_order(group)) < 0
        && EC_POINT_mul(group, product, number, NULL, NULL, NULL) == 1
        && EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED, point, 65, NULL) == 65
        && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1
        && OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, 65) == 1
        && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1)
        key = intersession_p256_build(build, EVP_PKEY_KEYPAIR);
    OSSL_PARAM_BLD_free(build);
    EC_POINT_free(product);
    BN_clear_free(number);
    EC_GROUP_free(group);
    return key;
}

/// The shared secret of 32 bytes.
static inline int intersession_p256_agree(EVP_PKEY *own, EVP_PKEY *other, unsigned char *shared)
{
    size_t length = 32;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
    int done = context && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1
        && EVP_PKEY_derive(context, shared, &length) == 1 && length == 32;
    EVP_PKEY_CTX_free(context);
    return done;
}

/// ECDSA with SHA-256, as the two numbers of 32 bytes each.
static inline int intersession_p256_sign(
    EVP_PKEY *key, const unsigned char *text, size_t count, unsigned char *signature)
{
    unsigned char der[128];
    size_t length = sizeof der;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int done = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestSign(context, der, &length, text, count) == 1;
    EVP_MD_CTX_free(context);
    const unsigned char *begin = der;
    ECDSA_SIG *pair = done ? d2i_ECDSA_SIG(NULL, &begin, (long)length) : NULL;
    done = pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + 32, 32) == 32;
    ECDSA_SIG_free(pair);
    return done;
}

static inline int intersession_p256_verify(
    EVP_PKEY *key, const unsigned char *text, size_t count, const unsigned char *signature)
{
    unsigned char *der = NULL;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, 32, NULL), *s = BN_bin2bn(signature + 32, 32, NULL);
    int length = -1;
    if (pair && r && s && ECDSA_SIG_set0(pair, r, s) == 1) {
        r = s = NULL;
        length = i2d_ECDSA_SIG(pair, &der);
    }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int done = length > 0 && context && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestVerify(context, der, (size_t)length, text, count) == 1;
    EVP_MD_CTX_free(context);
    OPENSSL_free(der);
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(pair);
    return done;
}

/// HKDF with SHA-256 (RFC 5869).
static inline int intersession_hkdf(
    const unsigned char *secret, size_t secret_count, const unsigned char *salt, size_t salt_count,
    const unsigned char *info, size_t info_count, unsigned char *out, size_t out_count)
{
    EVP_KDF *kind = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = kind ? EVP_KDF_CTX_new(kind) : NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count),
        OSSL_PARAM_construct_end(),
    };
    int done = context && EVP_KDF_derive(context, out, out_count, params) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kind);
    return done;
}

static inline const EVP_CIPHER *intersession_gcm(size_t key_count)
{
    return key_count == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
}

/// Writes as many bytes as came in, and 16 more.
static inline int intersession_gcm_seal(
    const unsigned char *key, size_t key_count, const unsigned char *nonce, const unsigned char *about, size_t about_count,
    const unsigned char *plain, size_t count, unsigned char *out)
{
    int written = 0, rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = context && EVP_EncryptInit_ex2(context, intersession_gcm(key_count), key, nonce, NULL) == 1
        && (about_count == 0 || EVP_EncryptUpdate(context, NULL, &rest, about, (int)about_count) == 1)
        && EVP_EncryptUpdate(context, out, &written, plain, (int)count) == 1
        && EVP_EncryptFinal_ex(context, out + written, &rest) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, out + count) == 1;
    EVP_CIPHER_CTX_free(context);
    return done;
}

/// Writes 16 bytes less than came in; 0 when they were changed.
static inline int intersession_gcm_open(
    const unsigned char *key, size_t key_count, const unsigned char *nonce, const unsigned char *about, size_t about_count,
    const unsigned char *sealed, size_t count, unsigned char *out)
{
    int written = 0, rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = context && count >= 16
        && EVP_DecryptInit_ex2(context, intersession_gcm(key_count), key, nonce, NULL) == 1
        && (about_count == 0 || EVP_DecryptUpdate(context, NULL, &rest, about, (int)about_count) == 1)
        && EVP_DecryptUpdate(context, out, &written, sealed, (int)(count - 16)) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, (void *)(sealed + count - 16)) == 1
        && EVP_DecryptFinal_ex(context, out + written, &rest) == 1;
    EVP_CIPHER_CTX_free(context);
    return done;
}

#endif
