// OpenSSL 3 for Swift. Macros and variadic functions are not imported, so the few that are needed are wrapped here.
#ifndef OPENREALM_COPENSSL_SHIM_H
#define OPENREALM_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Variadic behind a macro: EVP_RSA_gen, EVP_EC_gen.
static inline EVP_PKEY *openrealm_generate_rsa(int bits) { return EVP_RSA_gen((unsigned int)bits); }
static inline EVP_PKEY *openrealm_generate_p256(void) { return EVP_EC_gen("P-256"); }

// Macros over BIO_ctrl.
static inline long openrealm_bio_memory(BIO *bio, const char **data) { return BIO_get_mem_data(bio, (char **)data); }
static inline void openrealm_bio_empty_is_retry(BIO *bio) { BIO_set_mem_eof_return(bio, -1); }
static inline void openrealm_bio_reset(BIO *bio) { (void)BIO_reset(bio); }

// Macros over SSL_CTX_ctrl and SSL_ctrl.
static inline int openrealm_require_tls12(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}
static inline void openrealm_set_modes(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline int openrealm_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}
static inline int openrealm_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

// Function-like constants and casts.

// Parameters keep the address of their name, which in Swift is that of a copy that ends with the call.
static inline int openrealm_hmac_sha256_init(EVP_MAC_CTX *context, const unsigned char *key, size_t count) {
  OSSL_PARAM parameters[] = {
    OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0), OSSL_PARAM_construct_end()};
  return EVP_MAC_init(context, key, count, parameters);
}
static inline X509_NAME *openrealm_subject(X509 *certificate) { return X509_get_subject_name(certificate); }
static inline int openrealm_add_extension(X509 *certificate, int nid, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
  if (extension == NULL) return 0;
  int done = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return done;
}

#endif
