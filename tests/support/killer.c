/* LD_PRELOAD: kills the process at one of its writes to an HDF5 file or its journal, if killer_arm
 * armed it (see kill_scenarios.py). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long left; /* writes until then; 0: never */
static int how;   /* -1: before the write, 0: when half is written, 1: after it */
static long seen;

void killer_arm(long at, int when) {
  left = at;
  how = when;
  seen = 0;
}

long killer_seen(void) { return seen; }

static int is_watched(int descriptor) {
  char link[64], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t n = readlink(link, name, sizeof name - 1);
  if (n < 0) return 0;
  name[n] = 0;
  return strstr(name, ".h5") != NULL;
}

static ssize_t intercept(int descriptor, const void* bytes, size_t size, off_t offset) {
  static ssize_t (*next)(int, const void*, size_t, off_t);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "pwrite64");
  if (!is_watched(descriptor)) return next(descriptor, bytes, size, offset);
  ++seen;
  if (left == 0 || --left != 0) return next(descriptor, bytes, size, offset);
  if (how >= 0) next(descriptor, bytes, how == 0 ? size / 2 : size, offset);
  kill(getpid(), SIGKILL);
  return -1;
}

ssize_t pwrite(int d, const void* b, size_t n, off_t o) { return intercept(d, b, n, o); }
ssize_t pwrite64(int d, const void* b, size_t n, off_t o) { return intercept(d, b, n, o); }
