#ifndef C_WRITE_BUFFER_H
#define C_WRITE_BUFFER_H
struct sqlite3_file;

/* Gathers what is written to an open file one piece after the other, up to `capacity` bytes, and gives it to the system in
   one call: when the file is synced, read, measured or truncated, when a piece comes that does not follow, and when there
   is no room. Until then nobody else sees it. A failure is told by the call that made the system write.

   For a file that is synced while its lock is still held, as a write-ahead log with synchronous=FULL by a commit. */
struct write_buffer;

/* Makes a buffer that goes with the file, and gathers nothing yet; null without memory. To be called once for a file. */
struct write_buffer *write_buffer_install(struct sqlite3_file *file, int capacity);

/* From here on what is written is gathered. */
void write_buffer_begin(struct write_buffer *buffer);
/* From here on what is written goes to the system at once. What is still gathered was given up, and is forgotten: the
   file may be another's by now. */
void write_buffer_end(struct write_buffer *buffer);

#endif
