// libuv for Swift. libuv's handles inherit by layout; these helpers do the casts and the options that have no handle call.
#ifndef OPENREALM_CLIBUV_SHIM_H
#define OPENREALM_CLIBUV_SHIM_H

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <uv.h>

// Delayed acknowledgements off. The kernel forgets it, so it is set again after every read.
static inline void openrealm_quick_acknowledge(uv_tcp_t *tcp) {
#ifdef TCP_QUICKACK
  uv_os_fd_t descriptor;
  int on = 1;
  if (uv_fileno((uv_handle_t *)tcp, &descriptor) == 0) {
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
  }
#else
  (void)tcp;
#endif
}

// A GNU extension, declared only under _GNU_SOURCE.
extern int pthread_setname_np(pthread_t thread, const char *name);
static inline void openrealm_name_thread(pthread_t thread, const char *name) { (void)pthread_setname_np(thread, name); }

#endif
