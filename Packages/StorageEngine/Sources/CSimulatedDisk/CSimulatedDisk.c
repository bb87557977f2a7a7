#include "CSimulatedDisk.h"
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* An open file: our header, then the file of the system's own file system. */
struct file {
  sqlite3_file base;
  char *path; /* null: a file that is not recorded */
  sqlite3_file *real;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct simulated_disk_event *events;
static size_t event_count, event_capacity;
static int64_t measures;
static int is_recording;
static struct {
  int kind, code, forever, torn;
  int64_t after, failures;
} plan;

static struct {
  int64_t steps, at;
  void (*paused)(const char *operation);
} pause_plan;

/* Called before every operation. */
static void step(const char *operation) {
  void (*paused)(const char *) = NULL;
  pthread_mutex_lock(&lock);
  if (++pause_plan.steps == pause_plan.at) paused = pause_plan.paused;
  pthread_mutex_unlock(&lock);
  if (paused) paused(operation);
}

static void append(int kind, const char *path, int64_t offset, size_t count, const void *bytes) {
  if (event_count == event_capacity) {
    event_capacity = event_capacity ? event_capacity * 2 : 1024;
    events = realloc(events, event_capacity * sizeof *events);
    if (!events) abort();
  }
  void *copy = NULL;
  if (count) {
    copy = malloc(count);
    if (!copy) abort();
    memcpy(copy, bytes, count);
  }
  events[event_count++] = (struct simulated_disk_event){kind, path ? strdup(path) : NULL, offset, count, copy};
}

static void note(int kind, const char *path, int64_t offset, size_t count, const void *bytes) {
  pthread_mutex_lock(&lock);
  if (is_recording && path) append(kind, path, offset, count, bytes);
  pthread_mutex_unlock(&lock);
}

/* The code with which the current operation fails; SQLITE_OK when it is performed. */
static int failure(int kind, const char *path, int *torn) {
  int code = SQLITE_OK;
  pthread_mutex_lock(&lock);
  if (path && plan.kind == kind && (plan.after > 0 ? plan.after-- == 0 : 1)) {
    code = plan.code;
    *torn = plan.torn;
    plan.failures++;
    if (!plan.forever) plan.kind = 0;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

int simulated_disk_register(void) {
  extern sqlite3_vfs *simulated_disk_vfs(void);
  sqlite3_vfs *vfs = simulated_disk_vfs();
  return vfs ? sqlite3_vfs_register(vfs, 0) : SQLITE_ERROR;
}

void simulated_disk_record(int on) {
  pthread_mutex_lock(&lock);
  for (size_t index = 0; index < event_count; index++) {
    free((void *)events[index].path);
    free((void *)events[index].bytes);
  }
  event_count = 0;
  measures = 0;
  is_recording = on;
  pthread_mutex_unlock(&lock);
}

size_t simulated_disk_event_count(void) {
  pthread_mutex_lock(&lock);
  size_t count = event_count;
  pthread_mutex_unlock(&lock);
  return count;
}

struct simulated_disk_event simulated_disk_event_at(size_t index) {
  pthread_mutex_lock(&lock);
  struct simulated_disk_event event = events[index];
  pthread_mutex_unlock(&lock);
  return event;
}

void simulated_disk_mark(int64_t value) { note(SIMULATED_DISK_MARK, "", value, 0, NULL); }

void simulated_disk_fail(int kind, int64_t after, int code, int forever, int torn) {
  pthread_mutex_lock(&lock);
  plan.kind = kind;
  plan.after = after;
  plan.code = code;
  plan.forever = forever;
  plan.torn = torn;
  plan.failures = 0;
  pthread_mutex_unlock(&lock);
}

void simulated_disk_pause(int64_t at, void (*paused)(const char *operation)) {
  pthread_mutex_lock(&lock);
  pause_plan.steps = 0;
  pause_plan.at = at;
  pause_plan.paused = paused;
  pthread_mutex_unlock(&lock);
}

int64_t simulated_disk_steps(void) {
  pthread_mutex_lock(&lock);
  int64_t count = pause_plan.steps;
  pthread_mutex_unlock(&lock);
  return count;
}

int64_t simulated_disk_measures(void) {
  pthread_mutex_lock(&lock);
  int64_t count = measures;
  pthread_mutex_unlock(&lock);
  return count;
}

int64_t simulated_disk_failures(void) {
  pthread_mutex_lock(&lock);
  int64_t count = plan.failures;
  pthread_mutex_unlock(&lock);
  return count;
}

/* The operations of one file. */

#define FILE_OF(file) ((struct file *)(file))
#define REAL(file) (FILE_OF(file)->real)

static int file_close(sqlite3_file *file) {
  step("close");
  int code = REAL(file)->pMethods ? REAL(file)->pMethods->xClose(REAL(file)) : SQLITE_OK;
  free(FILE_OF(file)->path);
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  step("read");
  return REAL(file)->pMethods->xRead(REAL(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  step("write");
  int torn = 0;
  int code = failure(SIMULATED_DISK_WRITE, FILE_OF(file)->path, &torn);
  if (code != SQLITE_OK && !torn) return code;
  if (torn) count /= 2;
  int done = REAL(file)->pMethods->xWrite(REAL(file), bytes, count, offset);
  if (done == SQLITE_OK) note(SIMULATED_DISK_WRITE, FILE_OF(file)->path, offset, (size_t)count, bytes);
  return code != SQLITE_OK ? code : done;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  step("truncate");
  int torn = 0;
  int code = failure(SIMULATED_DISK_TRUNCATE, FILE_OF(file)->path, &torn);
  if (code != SQLITE_OK) return code;
  code = REAL(file)->pMethods->xTruncate(REAL(file), size);
  if (code == SQLITE_OK) note(SIMULATED_DISK_TRUNCATE, FILE_OF(file)->path, size, 0, NULL);
  return code;
}

/* Simulated content need not survive the machine, so the real disk is not synced. */
static int file_sync(sqlite3_file *file, int flags) {
  step("sync");
  int torn = 0;
  (void)flags;
  int code = failure(SIMULATED_DISK_SYNC, FILE_OF(file)->path, &torn);
  if (code == SQLITE_OK) note(SIMULATED_DISK_SYNC, FILE_OF(file)->path, 0, 0, NULL);
  return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  step("size");
  pthread_mutex_lock(&lock);
  measures++;
  pthread_mutex_unlock(&lock);
  return REAL(file)->pMethods->xFileSize(REAL(file), size);
}
static int file_lock(sqlite3_file *file, int level) {
  step("lock");
  return REAL(file)->pMethods->xLock(REAL(file), level);
}
static int file_unlock(sqlite3_file *file, int level) {
  step("unlock");
  return REAL(file)->pMethods->xUnlock(REAL(file), level);
}
static int file_check_lock(sqlite3_file *file, int *result) {
  step("check lock");
  return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}
static int file_sector_size(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }
static int file_characteristics(sqlite3_file *file) {
  return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file));
}
static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **map) {
  step("map shared memory");
  return REAL(file)->pMethods->xShmMap(REAL(file), page, size, extend, map);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  step("lock shared memory");
  return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) {
  step("barrier");
  REAL(file)->pMethods->xShmBarrier(REAL(file));
}
static int file_shm_unmap(sqlite3_file *file, int remove) {
  step("unmap shared memory");
  return REAL(file)->pMethods->xShmUnmap(REAL(file), remove);
}

/* Mapped reads are refused, so that every access is recorded. */
static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **bytes) {
  (void)file;
  (void)offset;
  (void)count;
  *bytes = NULL;
  return SQLITE_OK;
}

/* SQLite calls it also when a connection finds that another one wrote to the log. */
static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *bytes) {
  (void)file;
  (void)offset;
  (void)bytes;
  step("unfetch");
  return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 3,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
    .xFetch = file_fetch,
    .xUnfetch = file_unfetch,
};

static sqlite3_vfs *own(sqlite3_vfs *vfs) { return (sqlite3_vfs *)vfs->pAppData; }

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
  struct file *opened = FILE_OF(file);
  opened->base.pMethods = NULL;
  opened->real = (sqlite3_file *)(opened + 1);
  opened->path = NULL;
  int code = own(vfs)->xOpen(own(vfs), path, opened->real, flags, out);
  if (code != SQLITE_OK) return code;
  if (path && flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) opened->path = strdup(path);
  opened->base.pMethods = &methods;
  return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
  step("delete");
  int code = own(vfs)->xDelete(own(vfs), path, sync_folder);
  if (code == SQLITE_OK) note(SIMULATED_DISK_DELETE, path, 0, 0, NULL);
  return code;
}

static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  return own(vfs)->xAccess(own(vfs), path, flags, result);
}
static int disk_full_path(sqlite3_vfs *vfs, const char *path, int count, char *result) {
  return own(vfs)->xFullPathname(own(vfs), path, count, result);
}
static int disk_random(sqlite3_vfs *vfs, int count, char *bytes) {
  return own(vfs)->xRandomness(own(vfs), count, bytes);
}
/* A process that waits for a paused one does not wait for long. */
static int disk_sleep(sqlite3_vfs *vfs, int microseconds) {
  return own(vfs)->xSleep(own(vfs), microseconds < 1000 ? microseconds : 1000);
}
static int disk_time(sqlite3_vfs *vfs, double *time) { return own(vfs)->xCurrentTime(own(vfs), time); }
static int disk_last_error(sqlite3_vfs *vfs, int count, char *text) {
  return own(vfs)->xGetLastError(own(vfs), count, text);
}
static int disk_time64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  return own(vfs)->xCurrentTimeInt64(own(vfs), time);
}

sqlite3_vfs *simulated_disk_vfs(void) {
  static sqlite3_vfs disk;
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  if (!system || system->iVersion < 2) return NULL;
  if (disk.pAppData) return &disk;
  disk.iVersion = 2;
  disk.szOsFile = (int)sizeof(struct file) + system->szOsFile;
  disk.mxPathname = system->mxPathname;
  disk.zName = SIMULATED_DISK_NAME;
  disk.pAppData = system;
  disk.xOpen = disk_open;
  disk.xDelete = disk_delete;
  disk.xAccess = disk_access;
  disk.xFullPathname = disk_full_path;
  disk.xRandomness = disk_random;
  disk.xSleep = disk_sleep;
  disk.xCurrentTime = disk_time;
  disk.xGetLastError = disk_last_error;
  disk.xCurrentTimeInt64 = disk_time64;
  return &disk;
}
