// Lets the disk fail: fsync and fdatasync from the FSYNC_FAIL_AFTER-th call on, and every write into a file at a place
// while the file READ_ONLY_WHILE exists. And keeps a record, in the file RECORD_TO, of what is done below the folder RECORD_IN:
// a line each of write, fsync, rename, link and unlink, in their order; a file that was written to and not synced since is
// given no other name. At the KILL_AT-th line of the record the program dies, as by a loss of power.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int left = -1;

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = dlsym(RTLD_NEXT, name)

// What was written to and not synced since, by device and inode.
static struct { dev_t device; ino_t inode; } dirty[4096];
static int dirty_count;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void note(const char *form, ...)
{
    static int record = -1;
    char line[2 * PATH_MAX + 64];
    va_list values;
    va_start(values, form);
    int length = vsnprintf(line, sizeof line, form, values);
    va_end(values);
    if (record < 0) record = open(getenv("RECORD_TO"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    REAL(ssize_t, "write", int, const void *, size_t);
    if (real(record, line, length) < 0) abort();
    static atomic_int lines;
    const char *last = getenv("KILL_AT");
    if (last && atomic_fetch_add(&lines, 1) + 1 == atoi(last)) kill(getpid(), SIGKILL);
}

static const char *recorded(const char *path)
{
    static const char *folder;
    if (!folder && !(folder = getenv("RECORD_IN"))) folder = "";
    return *folder && strncmp(path, folder, strlen(folder)) == 0 ? path : NULL;
}

static const char *path_of(int descriptor, char *buffer)
{
    char name[64];
    if (!getenv("RECORD_IN")) return NULL;
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(name, buffer, PATH_MAX - 1);
    if (length <= 0) return NULL;
    buffer[length] = 0;
    return recorded(buffer);
}

// Marks a file, or clears its mark; says whether it had one.
static int mark(const struct stat *facts, int is_dirty)
{
    pthread_mutex_lock(&guard);
    int place = 0;
    while (place < dirty_count && (dirty[place].device != facts->st_dev || dirty[place].inode != facts->st_ino)) place++;
    int was = place < dirty_count;
    if (is_dirty && !was && dirty_count < 4096) {
        dirty[dirty_count].device = facts->st_dev;
        dirty[dirty_count++].inode = facts->st_ino;
    }
    if (!is_dirty && was) dirty[place] = dirty[--dirty_count];
    pthread_mutex_unlock(&guard);
    return was;
}

static void wrote(int descriptor)
{
    char buffer[PATH_MAX];
    struct stat facts;
    const char *path = path_of(descriptor, buffer);
    if (!path || fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) return;
    if (!mark(&facts, 1)) note("write %s\n", path);
}

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

static int synced(int descriptor)
{
    char buffer[PATH_MAX];
    struct stat facts;
    if (tick() != 0) return -1;
    const char *path = path_of(descriptor, buffer);
    if (!path || fstat(descriptor, &facts) != 0) return 0;
    mark(&facts, 0);
    note("fsync %s\n", path);
    return 0;
}

int fsync(int descriptor) { return synced(descriptor); }
int fdatasync(int descriptor) { return synced(descriptor); }

static int is_read_only(void)
{
    const char *flag = getenv("READ_ONLY_WHILE");
    if (!flag || access(flag, F_OK) != 0) return 0;
    errno = EROFS;
    return 1;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset)
{
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    if (is_read_only()) return -1;
    wrote(descriptor);
    return real(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    REAL(ssize_t, "write", int, const void *, size_t);
    wrote(descriptor);
    return real(descriptor, bytes, count);
}

// A name that the power may take back, or what it names: refused, so that it is seen.
static int refuse(const char *what, const char *from, const char *to)
{
    struct stat facts;
    if (!recorded(from) && !recorded(to)) return 0;
    if (stat(from, &facts) == 0 && S_ISREG(facts.st_mode)) {
        int is_dirty = mark(&facts, 0);
        if (is_dirty) {
            mark(&facts, 1);
            note("refused %s %s %s\n", what, from, to);
            errno = EIO;
            return 1;
        }
    }
    note("%s %s %s\n", what, from, to);
    return 0;
}

int rename(const char *from, const char *to)
{
    REAL(int, "rename", const char *, const char *);
    return refuse("rename", from, to) ? -1 : real(from, to);
}

int link(const char *from, const char *to)
{
    REAL(int, "link", const char *, const char *);
    return refuse("link", from, to) ? -1 : real(from, to);
}

int unlink(const char *path)
{
    REAL(int, "unlink", const char *);
    int result = real(path);
    if (result == 0 && recorded(path)) note("unlink %s\n", path);
    return result;
}
