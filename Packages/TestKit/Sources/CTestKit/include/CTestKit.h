#pragma once

#include <sys/types.h>

enum { TEST_STREAM_INHERITED = -1, TEST_STREAM_NULL = -2 };

// Starts a program in a group and, unless folder is NULL, a folder of its own. It holds the three streams and no other descriptor.
// Returns 0 or an error number.
int test_spawn(pid_t *process, const char *program, char *const words[], char *const variables[], const char *folder,
               const int streams[3]);
