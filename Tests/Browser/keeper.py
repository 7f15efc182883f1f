"""Runs a program in a folder for what is temporary, and leaves nothing of it: neither a process nor a file. What a part of it leaves
behind by dying ends at once, all the rest with the program. So nothing holds the pipe that its output goes to. There are two keepers,
one within the other: each clears up when the other is killed."""

import ctypes
import os
import shutil
import signal
import sys
import tempfile
import time

# Of linux/prctl.h.
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def prctl(option, value):
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def parents():
    """Of each process, as far as it is still there."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat:
                found[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def kill(tops, parent):
    """These, and what they have started."""
    for pid in tops:
        kill([below for below, above in parent.items() if above == pid], parent)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def own():
    """Children of this process, which has one thread: looking at them alone costs next to nothing, all of /proc a tenth of a core."""
    with open(f"/proc/self/task/{os.getpid()}/children") as children:
        return set(map(int, children.read().split()))


def reaped():
    """What has ended, with its status."""
    ended = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if not pid:
            return ended
        ended[pid] = os.waitstatus_to_exitcode(status)


def end_all():
    """What is killed may just have started another; what the kernel does not let go is not waited for."""
    end = time.monotonic() + 10
    while (left := own()) and time.monotonic() < end:
        kill(left, parents())
        time.sleep(0.02)
        reaped()


def run(words, at_death):
    """The program's status; the signal is what it gets should this process die. An
    interrupt from the keyboard reaches it as well, which then has ten seconds for its last words."""
    told = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: told.append(number))
    # A worker that dies leaves its children here, not with a process that would keep them.
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    program = os.fork()
    if not program:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        prctl(PR_SET_PDEATHSIG, at_death)
        os.execvp(words[0], words)
    end = None
    while True:
        ended = reaped()
        if program in ended:
            return ended[program] if ended[program] >= 0 else 128 - ended[program]
        if told:
            end = end or time.monotonic() + 10
            if told[-1] != signal.SIGINT or time.monotonic() > end:
                return 128 + told[-1]
        if orphans := own() - {program}:
            kill(orphans, parents())
        time.sleep(0.1)


if __name__ == "__main__":
    within, words = sys.argv[1] == "--within", sys.argv[1:]
    if not within:
        folder = tempfile.mkdtemp(prefix="browser-")
        os.environ |= {"TMPDIR": folder, "RUN_FOLDER": folder}
    try:
        status = run(words[1:], signal.SIGKILL) if within else run([sys.executable, __file__, "--within", *words], signal.SIGTERM)
    finally:
        end_all()
        shutil.rmtree(os.environ["RUN_FOLDER"], ignore_errors=True)
    sys.exit(status)
