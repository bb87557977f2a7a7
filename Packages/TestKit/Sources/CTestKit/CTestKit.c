#define _GNU_SOURCE
#include "CTestKit.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

static int direct(posix_spawn_file_actions_t *actions, const char *folder, const int streams[3]) {
  for (int number = 0; number < 3; number++) {
    int error = 0;
    if (streams[number] == TEST_STREAM_NULL) {
      error = posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0);
    } else if (streams[number] >= 0) {
      error = posix_spawn_file_actions_adddup2(actions, streams[number], number);
    }
    if (error) return error;
  }
  if (folder) {
    int error = posix_spawn_file_actions_addchdir_np(actions, folder);
    if (error) return error;
  }
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int test_spawn(pid_t *process, const char *program, char *const words[], char *const variables[], const char *folder,
               const int streams[3]) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = direct(&actions, folder, streams);
  posix_spawnattr_t attributes;
  if (!error && !(error = posix_spawnattr_init(&attributes))) {
    // Threads of a pool block signals; the child is not to inherit that.
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    error = posix_spawn(process, program, &actions, &attributes, words, variables);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}
