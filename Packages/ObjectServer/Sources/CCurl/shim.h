// libcurl for Swift. curl_easy_setopt and curl_easy_getinfo take any type, which Swift cannot call; each helper takes one.
#ifndef OPENREALM_CCURL_SHIM_H
#define OPENREALM_CCURL_SHIM_H

#include <curl/curl.h>
#include <string.h>

static inline CURLcode openrealm_curl_set_text(CURL *curl, CURLoption option, const char *text) {
  return curl_easy_setopt(curl, option, text);
}
static inline CURLcode openrealm_curl_set_number(CURL *curl, CURLoption option, long number) {
  return curl_easy_setopt(curl, option, number);
}
static inline CURLcode openrealm_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(curl, option, list);
}

// A body that is uploaded from memory.
typedef struct {
  const char *bytes;
  size_t count;
} openrealm_curl_body;

static inline size_t openrealm_curl_read(char *buffer, size_t size, size_t count, void *context) {
  openrealm_curl_body *body = (openrealm_curl_body *)context;
  size_t room = size * count;
  size_t part = body->count < room ? body->count : room;
  memcpy(buffer, body->bytes, part);
  body->bytes += part;
  body->count -= part;
  return part;
}
static inline size_t openrealm_curl_drop(char *buffer, size_t size, size_t count, void *context) {
  (void)buffer;
  (void)context;
  return size * count;
}
static inline void openrealm_curl_set_body(CURL *curl, openrealm_curl_body *body) {
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, openrealm_curl_read);
  curl_easy_setopt(curl, CURLOPT_READDATA, body);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, openrealm_curl_drop);
  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
}
static inline long openrealm_curl_response_code(CURL *curl) {
  long code = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
  return code;
}

#endif
