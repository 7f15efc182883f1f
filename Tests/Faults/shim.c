// Lets the disk fail: fsync and fdatasync from the FSYNC_FAIL_AFTER-th call on, and every write into a file at a place
// while the file READ_ONLY_WHILE exists.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

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

static int is_read_only(void)
{
    const char *flag = getenv("READ_ONLY_WHILE");
    if (!flag || access(flag, F_OK) != 0) return 0;
    errno = EROFS;
    return 1;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset)
{
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (is_read_only()) return -1;
    if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
    return real(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return pwrite64(descriptor, bytes, count, offset);
}
