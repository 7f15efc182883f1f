// Lets fsync and fdatasync fail from the FSYNC_FAIL_AFTER-th call on.
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int left = -1;

static int tick(void)
{
    int unknown = -1;
    const char *limit = getenv("FSYNC_FAIL_AFTER");
    atomic_compare_exchange_strong(&left, &unknown, limit ? atoi(limit) : 1 << 30);
    if (atomic_fetch_sub(&left, 1) > 0) return 0;
    atomic_store(&left, 0);
    errno = EIO;
    return -1;
}

int fsync(int descriptor) { (void)descriptor; return tick(); }
int fdatasync(int descriptor) { (void)descriptor; return tick(); }
