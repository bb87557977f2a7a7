#ifndef C_SIMULATED_DISK_H
#define C_SIMULATED_DISK_H
#include <stddef.h>
#include <stdint.h>

/* A file system for SQLite that records every operation on database and log files, and fails or pauses on
   demand. Everything is passed on to the system's own file system. One recording, one plan of failures and one of a pause
   per process. */

#define SIMULATED_DISK_NAME "simulated-disk"

enum simulated_disk_kind {
  SIMULATED_DISK_WRITE = 1,
  SIMULATED_DISK_TRUNCATE = 2,
  SIMULATED_DISK_SYNC = 3,
  SIMULATED_DISK_DELETE = 4,
  SIMULATED_DISK_MARK = 5,
};

struct simulated_disk_event {
  int kind;
  const char *path;
  int64_t offset; /* of a write; size of a truncation; value of a mark */
  size_t count;
  const void *bytes;
};

/* Registers the file system with SQLite; returns SQLite's result code. */
int simulated_disk_register(void);

/* Clears the recording, and starts or stops recording. */
void simulated_disk_record(int on);
size_t simulated_disk_event_count(void);
struct simulated_disk_event simulated_disk_event_at(size_t index);
/* Records a mark: an acknowledgement. */
void simulated_disk_mark(int64_t value);

/* The operation of that kind (write, truncate, sync) after `after` more fails with SQLite's `code`, and all later ones
   too when `forever`. A write that fails with `torn` writes half of its bytes before. kind 0: nothing fails. */
void simulated_disk_fail(int kind, int64_t after, int code, int forever, int torn);
/* The number of operations that failed since. */
int64_t simulated_disk_failures(void);
/* Calls `paused` before operation number `at` from now on (1 is the next; 0: never), on the thread that does it, with the
   operation's name. Shared memory and locks count as operations. */
void simulated_disk_pause(int64_t at, void (*paused)(const char *operation));
/* The number of operations since. */
int64_t simulated_disk_steps(void);
/* The number of size queries since recording began. */
int64_t simulated_disk_measures(void);

#endif
