/*
 * A wall clock that a test sets, for a process that is started with LD_PRELOAD=this.so FROZEN_CLOCK=file.
 *
 * The file holds one native 64-bit integer: microseconds since the Unix epoch, or 0 for the system's time. It is
 * mapped shared, so that what a test writes there is the time at once. Only the wall clock is replaced; the
 * monotonic clock runs on, and with it the server's timers.
 *
 * Valkey 9 reads the wall clock once in a millisecond and counts on from there with the processor's cycles, where
 * /proc/cpuinfo says that these are steady. To it, there is no such file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *clock_file;

/* Microseconds since the epoch, or 0 where nothing is set. Opened on first use: libc asks for the time before
 * any constructor of ours would have run. */
static int64_t frozen_now(void)
{
    if (!clock_file) {
        const char *path = getenv("FROZEN_CLOCK");
        int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        if (fd < 0)
            return 0;
        void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
        close(fd);
        if (page == MAP_FAILED)
            return 0;
        clock_file = page;
    }
    return *clock_file;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
    int64_t now = frozen_now();
    if (!now)
        return (int)syscall(SYS_gettimeofday, tv, zone);
    tv->tv_sec = now / 1000000;
    tv->tv_usec = now % 1000000;
    return 0;
}

time_t time(time_t *seconds)
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    if (seconds)
        *seconds = tv.tv_sec;
    return tv.tv_sec;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
    int64_t now = id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE ? frozen_now() : 0;
    if (!now)
        return (int)syscall(SYS_clock_gettime, id, ts);
    ts->tv_sec = now / 1000000;
    ts->tv_nsec = now % 1000000 * 1000;
    return 0;
}

typedef FILE *open_function(const char *restrict, const char *restrict);

static FILE *open_other(const char *name, const char *restrict path, const char *restrict mode)
{
    if (strcmp(path, "/proc/cpuinfo") == 0) {
        errno = ENOENT;
        return NULL;
    }
    return ((open_function *)dlsym(RTLD_NEXT, name))(path, mode);
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    return open_other("fopen", path, mode);
}

FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return open_other("fopen64", path, mode);
}
