#ifndef C_WRITE_BUFFER_H
#define C_WRITE_BUFFER_H
struct sqlite3_file;

/* Gathers consecutive writes to an open file, up to `capacity` bytes, and passes them to the system in one call: when the
   file is synced, read, measured or truncated, when a write does not follow the one before, and when there is no room.
   Until then no other reader of the file sees them. The call that makes the system write returns its failure.

   For a file that is synced while its lock is still held, as a write-ahead log with synchronous=FULL by a commit. */
struct write_buffer;

/* Creates the buffer of a file, which is freed with it and gathers nothing yet; null without memory. Once for a file. */
struct write_buffer *write_buffer_install(struct sqlite3_file *file, int capacity);

/* Starts gathering. */
void write_buffer_begin(struct write_buffer *buffer);
/* Stops gathering: later writes go to the system at once. Writes that are still gathered belong to a failed commit and
   are dropped, since another process may own the file by now. */
void write_buffer_end(struct write_buffer *buffer);

#endif
