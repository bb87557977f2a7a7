// http_parser for Swift. Its state is in bit fields, which are read here.
#ifndef OPENREALM_CHTTPPARSER_SHIM_H
#define OPENREALM_CHTTPPARSER_SHIM_H

#include <http_parser.h>

static inline int openrealm_http_errno(const http_parser *parser) { return (int)parser->http_errno; }
static inline int openrealm_http_is_upgrade(const http_parser *parser) { return (int)parser->upgrade; }
static inline int openrealm_http_status(const http_parser *parser) { return (int)parser->status_code; }
static inline const char *openrealm_http_method(const http_parser *parser) {
  return http_method_str((enum http_method)parser->method);
}
static inline const char *openrealm_http_reason(const http_parser *parser) {
  return http_errno_description(HTTP_PARSER_ERRNO(parser));
}

#endif
