// What glibc declares only for _GNU_SOURCE, which Swift's view of it does not define, and what takes any number of arguments.
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int pipe2(int ends[2], int flags);
int memfd_create(const char *name, unsigned int flags);

enum { MFD_CLOEXEC = 1 };

enum { SPAWN_RLIMIT_NPROC = 6 };

// Ends with whoever started it, and can never gain rights.
static inline int spawn_bind_to_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) | prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
