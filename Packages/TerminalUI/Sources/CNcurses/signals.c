#define _GNU_SOURCE 1

#include "CNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "restore.h"

static const int watched[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
enum { watched_count = sizeof watched / sizeof *watched, crashes_count = sizeof crashes / sizeof *crashes };

static struct sigaction before_watched[watched_count];
static struct sigaction before_crashes[crashes_count];
static volatile sig_atomic_t target = -1;
static int is_watching = 0;

static void report(int signal) {
  int saved = errno;
  unsigned char byte = (unsigned char)signal;
  // The pipe does not block. When it is full, the reader has enough to wake up for.
  ssize_t ignored = write(target, &byte, 1);
  (void)ignored;
  errno = saved;
}

static void crash(int number, siginfo_t *info, void *context) {
  (void)context;
  restore_now();
  for (int i = 0; i < crashes_count; i++) {
    if (crashes[i] == number) sigaction(number, &before_crashes[i], NULL);
  }
  // A fault happens again when this returns, and then meets the previous handler in its true place.
  // A signal that somebody sent does not: send it on, and end the process if that handler returns.
  if (info && info->si_code > 0) return;
  raise(number);
  signal(number, SIG_DFL);
  raise(number);
}

int terminal_pipe(int *read_end, int *write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  *read_end = ends[0];
  *write_end = ends[1];
  return 0;
}

void terminal_watch_signals(int write_end) {
  target = write_end;
  if (is_watching) return;
  is_watching = 1;
  struct sigaction action = {.sa_handler = report, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  for (int i = 0; i < watched_count; i++) sigaction(watched[i], &action, &before_watched[i]);
  struct sigaction fatal = {.sa_sigaction = crash, .sa_flags = SA_NODEFER | SA_SIGINFO};
  sigemptyset(&fatal.sa_mask);
  for (int i = 0; i < crashes_count; i++) sigaction(crashes[i], &fatal, &before_crashes[i]);
}

void terminal_unwatch_signals(void) {
  if (!is_watching) return;
  is_watching = 0;
  for (int i = 0; i < watched_count; i++) sigaction(watched[i], &before_watched[i], NULL);
  for (int i = 0; i < crashes_count; i++) sigaction(crashes[i], &before_crashes[i], NULL);
  target = -1;
}

void terminal_stop_process(void) { kill(getpid(), SIGSTOP); }
