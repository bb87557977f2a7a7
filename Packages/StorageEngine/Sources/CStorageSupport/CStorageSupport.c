#define _GNU_SOURCE
#include "CStorageSupport.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
__attribute__((target("sse4.2"))) static uint32_t crc_hardware(uint32_t crc, const unsigned char *at, size_t count) {
  uint64_t state = crc;
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    state = _mm_crc32_u64(state, word);
    at += 8;
    count -= 8;
  }
  while (count--) state = _mm_crc32_u8((uint32_t)state, *at++);
  return (uint32_t)state;
}
#endif

static uint32_t crc_bitwise(uint32_t crc, const unsigned char *at, size_t count) {
  while (count--) {
    crc ^= *at++;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (0x82F63B78u & (0u - (crc & 1)));
  }
  return crc;
}

uint32_t storage_crc32c(uint32_t seed, const void *bytes, size_t count) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return ~crc_hardware(~seed, bytes, count);
#endif
  return ~crc_bitwise(~seed, bytes, count);
}

static struct flock range(short type, int64_t offset, int64_t count) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = offset;
  lock.l_len = count;
  return lock;
}

int storage_try_lock_byte(int descriptor, int64_t offset, int *acquired) {
  struct flock lock = range(F_WRLCK, offset, 1);
  *acquired = 0;
  if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) {
    *acquired = 1;
    return 0;
  }
  return errno == EAGAIN || errno == EACCES ? 0 : errno;
}

int storage_unlock_byte(int descriptor, int64_t offset) {
  struct flock lock = range(F_UNLCK, offset, 1);
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

int storage_first_locked_byte(int descriptor, int64_t offset, int64_t count, int64_t *found) {
  struct flock lock = range(F_WRLCK, offset, count);
  *found = -1;
  if (count <= 0) return 0;
  if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return errno;
  if (lock.l_type != F_UNLCK) *found = lock.l_start < offset ? offset : lock.l_start;
  return 0;
}

uint64_t storage_shared_load(const volatile uint64_t *address) { return __atomic_load_n(address, __ATOMIC_SEQ_CST); }

void storage_shared_store(volatile uint64_t *address, uint64_t value) {
  __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}

void storage_shared_raise(volatile uint64_t *address, uint64_t value) {
  uint64_t seen = __atomic_load_n(address, __ATOMIC_SEQ_CST);
  while (seen < value &&
         !__atomic_compare_exchange_n(address, &seen, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
}

int storage_watches_open(void) {
  int descriptor = inotify_init1(IN_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

int storage_watch_add(int watches, const char *path) {
  int watch = inotify_add_watch(watches, path, IN_MODIFY);
  return watch < 0 ? -errno : watch;
}

void storage_watch_remove(int watches, int watch) { (void)inotify_rm_watch(watches, watch); }

int storage_watch_wait(int watches, int *found, int capacity) {
  // No event of a watched file carries a name, so that none is longer than this.
  struct inotify_event events[64];
  ssize_t length;
  while ((length = read(watches, events, sizeof events)) < 0)
    if (errno != EINTR) return -errno;
  int count = 0;
  for (ssize_t at = 0; at < length && count < capacity; at += (ssize_t)sizeof *events)
    found[count++] = events[at / (ssize_t)sizeof *events].wd;
  return count;
}
