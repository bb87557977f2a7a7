// A wall clock that is off: preloaded into a node of cluster.sh, it adds to the machine's clock the milliseconds that the file named by
// WALL_CLOCK has as text. Whoever writes the file sets the clock of the running program.
//
// Deadlines of the wall clock follow it, as the kernel's do. Monotonic clocks and timers are the machine's. Debian's libfaketime (0.9.10) moves those of timerfd_settime as well, and with them
// the timers of libdispatch, even where it is told not to.
//
//     cc -shared -fPIC -o wall-clock.so wall-clock.c
//     WALL_CLOCK=offset LD_PRELOAD=./wall-clock.so realm-object-server …
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { giga = 1000000000 };
static const char *setting;

// The file is one page with a text that ends in a line feed, and is written in place.
__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("WALL_CLOCK");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) setting = page;
}

static long offset(void) { return setting ? strtol(setting, NULL, 10) : 0; }

static struct timespec later(struct timespec time, long milliseconds) {
  time.tv_sec += milliseconds / 1000;
  time.tv_nsec += milliseconds % 1000 * 1000000;
  if (time.tv_nsec < 0) time.tv_sec--, time.tv_nsec += giga;
  if (time.tv_nsec >= giga) time.tv_sec++, time.tv_nsec -= giga;
  return time;
}

// Whether a deadline is one of the wall clock: no machine has been up for thirty years.
static int is_wall(const struct timespec *deadline) { return deadline->tv_sec > giga; }

int clock_gettime(clockid_t clock, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) *time = later(*time, offset());
  return (int)result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

// A wait for a deadline of the wall clock is one of many short ones, since the clock may be set meanwhile.
static int is_over(const struct timespec *deadline, struct timespec *slice) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  long left = (deadline->tv_sec - now.tv_sec) * 1000 + (deadline->tv_nsec - now.tv_nsec) / 1000000;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, slice);
  *slice = later(*slice, left < 0 ? 0 : left < 100 ? left + 1 : 100);
  return left < 0;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  for (struct timespec slice;;) {
    int last = is_over(deadline, &slice);
    int result = sem_clockwait(semaphore, CLOCK_MONOTONIC, &slice);
    if (result == 0 || errno != ETIMEDOUT || last) return result;
  }
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
  if (!is_wall(deadline)) return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, deadline);
  struct timespec slice;
  int last = is_over(deadline, &slice);
  int result = pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &slice);
  // A signal between two short waits would wake nobody. POSIX allows a wait to end for no reason: the caller looks and waits on.
  return result == ETIMEDOUT && !last ? 0 : result;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
  struct itimerspec machine = *new;
  if (flags & TFD_TIMER_ABSTIME && is_wall(&new->it_value)) machine.it_value = later(new->it_value, -offset());
  return (int)syscall(SYS_timerfd_settime, timer, flags, &machine, old);
}
