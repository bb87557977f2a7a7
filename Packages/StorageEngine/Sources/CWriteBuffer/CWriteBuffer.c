#include "CWriteBuffer.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* The methods of the one file, first, so that the file's pointer to them leads here; and its gathered writes. */
struct write_buffer {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *real;
  sqlite3_int64 start;
  int count, capacity, is_gathering;
  unsigned char bytes[];
};

#define BUFFER_OF(file) ((struct write_buffer *)(file)->pMethods)

static int flush(sqlite3_file *file) {
  struct write_buffer *buffer = BUFFER_OF(file);
  int count = buffer->count;
  /* A failed write is dropped, since SQLite rolls the transaction back. */
  buffer->count = 0;
  return count ? buffer->real->xWrite(file, buffer->bytes, count, buffer->start) : SQLITE_OK;
}

static int buffered_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  struct write_buffer *buffer = BUFFER_OF(file);
  if (!buffer->is_gathering) return buffer->real->xWrite(file, bytes, count, offset);
  if (offset != buffer->start + buffer->count || count > buffer->capacity - buffer->count) {
    int code = flush(file);
    if (code != SQLITE_OK) return code;
    if (count > buffer->capacity) return buffer->real->xWrite(file, bytes, count, offset);
    buffer->start = offset;
  }
  memcpy(buffer->bytes + buffer->count, bytes, (size_t)count);
  buffer->count += count;
  return SQLITE_OK;
}

static int buffered_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = flush(file);
  return code != SQLITE_OK ? code : BUFFER_OF(file)->real->xRead(file, bytes, count, offset);
}

static int buffered_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = flush(file);
  return code != SQLITE_OK ? code : BUFFER_OF(file)->real->xTruncate(file, size);
}

static int buffered_sync(sqlite3_file *file, int flags) {
  int code = flush(file);
  return code != SQLITE_OK ? code : BUFFER_OF(file)->real->xSync(file, flags);
}

static int buffered_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = flush(file);
  return code != SQLITE_OK ? code : BUFFER_OF(file)->real->xFileSize(file, size);
}

static int buffered_close(sqlite3_file *file) {
  struct write_buffer *buffer = BUFFER_OF(file);
  file->pMethods = buffer->real;
  free(buffer);
  return file->pMethods->xClose(file);
}

struct write_buffer *write_buffer_install(sqlite3_file *file, int capacity) {
  struct write_buffer *buffer = malloc(sizeof *buffer + (size_t)capacity);
  if (!buffer) return NULL;
  buffer->real = file->pMethods;
  buffer->start = 0;
  buffer->count = 0;
  buffer->capacity = capacity;
  buffer->is_gathering = 0;
  /* The other methods are the file's own. */
  buffer->methods = *file->pMethods;
  /* No shared memory and no mapped reads, which would bypass the buffer. */
  buffer->methods.iVersion = 1;
  buffer->methods.xWrite = buffered_write;
  buffer->methods.xRead = buffered_read;
  buffer->methods.xTruncate = buffered_truncate;
  buffer->methods.xSync = buffered_sync;
  buffer->methods.xFileSize = buffered_size;
  buffer->methods.xClose = buffered_close;
  file->pMethods = &buffer->methods;
  return buffer;
}

void write_buffer_begin(struct write_buffer *buffer) { buffer->is_gathering = 1; }

void write_buffer_end(struct write_buffer *buffer) {
  buffer->is_gathering = 0;
  buffer->count = 0;
}
