// Another day for programs and tests: CLOCK_OFFSET seconds are added to every clock that tells the date, and taken away again
// where a date is what somebody waits for. Clocks that only run stay as they are.
//
// libfaketime does more, and Foundation's child processes wait for ever in what it does to poll and select.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t offset(void)
{
    static time_t seconds;
    static int is_read;
    if (!is_read) {
        const char *text = getenv("CLOCK_OFFSET");
        seconds = text == NULL ? 0 : atoll(text);
        is_read = 1;
    }
    return seconds;
}

static int is_date(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
    int result = (int)syscall(SYS_clock_gettime, clock, at);
    if (result == 0 && is_date(clock))
        at->tv_sec += offset();
    return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return -1;
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at != NULL)
        *at = now.tv_sec;
    return now.tv_sec;
}

// Until when the kernel should wait. Times of a clock that only runs are short; a date has ten digits.
static struct timespec real(const struct timespec *until)
{
    struct timespec at = *until;
    if (at.tv_sec > 1000000000)
        at.tv_sec -= offset();
    return at;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
    static int (*wait)(sem_t *, const struct timespec *);
    if (wait == NULL)
        wait = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec at = real(until);
    return wait(semaphore, &at);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until)
{
    static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (wait == NULL)
        wait = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlsym(
            RTLD_NEXT, "pthread_cond_timedwait");
    struct timespec at = real(until);
    return wait(condition, mutex, &at);
}
