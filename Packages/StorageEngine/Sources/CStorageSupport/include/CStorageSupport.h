#ifndef C_STORAGE_SUPPORT_H
#define C_STORAGE_SUPPORT_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* CRC-32C of `count` bytes, continuing from `seed` (0 to begin). */
uint32_t storage_crc32c(uint32_t seed, const void *bytes, size_t count);

/* Open-file-description locks: they belong to the descriptor and end with the process.
   Return 0 and set the result, or the errno. */
int storage_try_lock_byte(int descriptor, int64_t offset, int *acquired);
int storage_unlock_byte(int descriptor, int64_t offset);
/* The first byte in the range locked through another descriptor, or -1. */
int storage_first_locked_byte(int descriptor, int64_t offset, int64_t count, int64_t *found);

/* Eight bytes in memory shared between processes. */
uint64_t storage_shared_load(const volatile uint64_t *address);
void storage_shared_store(volatile uint64_t *address, uint64_t value);
/* Raises the value to at least this. */
void storage_shared_raise(volatile uint64_t *address, uint64_t value);

/* inotify, whose constants and calls the Glibc module lacks: a queue of events, and the files that it watches for being
   written. Both return a number or -errno; a file that is watched already has one number. */
int storage_watches_open(void);
int storage_watch_add(int watches, const char *path);
void storage_watch_remove(int watches, int watch);
/* Waits for events; fills in the numbers of the files, -1 when events were lost. Returns their count or -errno. */
int storage_watch_wait(int watches, int *found, int capacity);

/// Prefetches a range of memory into the processor's caches; never waits and never faults.
static inline void storage_prefetch(const void *start, long count) {
  for (const char *at = (const char *)start, *end = at + count; at < end; at += 64) __builtin_prefetch(at);
}

#endif
