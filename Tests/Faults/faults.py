"""What happens to acknowledged data when things go wrong around the real program.

Each test starts a seeded clinic of its own, does harm, and accounts for every write: what was acknowledged must be
there, nothing may be there twice or that nobody sent, and the database must be sound. Run by bin/faults.
"""

import contextlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

import postgresql
from server import PASSWORD, PROGRAM, ROOT, Server, account

SHIM, FAKETIME = sys.argv[3:5]
ONLY = sys.argv[5:]
# How often the server is killed, and how far each failure is from the one before.
ROUNDS = int(os.environ.get("FAULTS_ROUNDS", "50"))
# How long people live behind nginx; D2's hour is FAULTS_MINUTES=60.
MINUTES = int(os.environ.get("FAULTS_MINUTES", "5"))
STRIDE = int(os.environ.get("FAULTS_STRIDE", "1"))


def killed_under_load(data, rounds=ROUNDS, writers=8):
    """New patients under codenames of the writer's own: what was answered with 201 must be there after every kill."""
    server = Server(data)
    server.start()
    token = server.sign_in("ada@example.org")
    before = set(server.stored("SELECT codename FROM therapies"))
    sent, acknowledged, restarts, wrong, guard = [], [], [], [], threading.Lock()
    for _ in range(rounds):
        stopping = threading.Event()

        def write():
            while not stopping.is_set():
                with guard:
                    name = f"ZZ{len(sent):06}"
                    sent.append(name)
                status = server.call("POST", "/api/v1/patients", {"codename": name, "note": "x"}, token)[0]
                with guard:
                    if status == 201:
                        acknowledged.append(name)
                    elif status not in (0, 503):
                        wrong.append(status)
                if status == 0:
                    return

        threads = [threading.Thread(target=write) for _ in range(writers)]
        for thread in threads:
            thread.start()
        time.sleep(random.uniform(0.1, 1))
        server.kill()
        stopping.set()
        for thread in threads:
            thread.join()
        restarts.append(server.start())
        account(server, sent, acknowledged, before, "SELECT codename FROM therapies")
        assert not wrong, wrong
    server.stop()
    server.verify()
    restarts.sort()
    return (f"{rounds} rounds, {len(sent)} sent, {len(acknowledged)} acknowledged, 0 lost, 0 doubled, "
            f"restart {restarts[len(restarts) // 2]:.2f} s in the median")


def failing_synchronisation(data):
    """SQLite's own method: the failure moves one step further each time, until nothing fails any more."""
    server = Server(data)
    before = set(server.stored())
    sent, acknowledged, refused, steps, started = [], [], 0, 0, 0
    for step in range(0, 400, STRIDE):
        steps += 1
        if server.start(LD_PRELOAD=SHIM, FSYNC_FAIL_AFTER=str(step)) is None:
            continue
        started += 1
        status, body = server.call("POST", "/api/v1/auth/login", {"email": "pia@example.org", "password": PASSWORD})
        token = json.loads(body)["data"]["attributes"]["token"] if status == 200 else None
        failed = token is None
        for number in range(3):
            if not token:
                break
            name, status = server.appoint(token, step * 3 + number)
            sent.append(name)
            if status in (200, 201):
                acknowledged.append(name)
            else:
                assert status in (0, 500, 503), status
                refused += 1
                failed = True
        server.kill()
        account(server, sent, acknowledged, before)
        if not failed:
            break
    server.verify()
    return f"{steps} steps ({started} came up), {len(acknowledged)} acknowledged, {refused} refused, 0 lost"


@contextlib.contextmanager
def small_disk(megabytes):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], check=True)
        try:
            yield pathlib.Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def full_disk(_):
    with small_disk(48) as disk:
        server = Server(disk / "data")
        server.start()
        token = server.sign_in()
        before = set(server.stored())
        sent, acknowledged = [], []

        def write(number):
            name, status = server.appoint(token, number)
            sent.append(name)
            if status in (200, 201):
                acknowledged.append(name)
            return status

        assert write(0) == 201
        assert server.call("GET", "/api/v1/health")[0] == 200
        with open(disk / "filler", "wb", buffering=0) as filler, contextlib.suppress(OSError):
            while True:
                filler.write(bytes(1024))
        refused = 0
        for number in range(1, 400):
            status = write(number)
            if status == 503:
                refused += 1
            elif status != 201:
                raise SystemExit(f"unexpected answer {status}")
            if refused == 5:
                break
        assert refused == 5, "the disk was never full"
        assert server.call("GET", "/api/v1/my/appointments", token=token)[0] == 200
        assert server.call("GET", "/api/v1/health")[0] == 503
        os.remove(disk / "filler")
        assert write(1000) == 201, "no recovery without a restart"
        assert server.call("GET", "/api/v1/health")[0] == 200
        account(server, sent, acknowledged, before)
        server.stop()
        server.verify()
        return f"{len(acknowledged)} acknowledged, {refused} refused with 503, reads 200, health red, then well again"


def read_only_disk(data):
    """As a file system that was remounted read-only answers; remounting itself is refused while files are open."""
    server = Server(data)
    flag = pathlib.Path(str(data) + ".read-only")
    server.start(LD_PRELOAD=SHIM, READ_ONLY_WHILE=str(flag))
    token = server.sign_in()
    before = set(server.stored())
    name, status = server.appoint(token, 0)
    assert status == 201
    sent, acknowledged = [name], [name]
    flag.touch()
    refused = [server.appoint(token, number)[1] for number in (1, 2)]
    assert refused == [503, 503], refused
    assert server.call("GET", "/api/v1/my/appointments", token=token)[0] == 200
    flag.unlink()
    name, status = server.appoint(token, 3)
    assert status == 201, status
    sent.append(name)
    acknowledged.append(name)
    account(server, sent, acknowledged, before)
    server.stop()
    server.verify()
    return "reads 200, writes 503, and well again afterwards without a restart"


def jumping_clock(data):
    server = Server(data)
    stamp = pathlib.Path(data) / "clock"
    # The library wants a whole line.
    set_clock = lambda offset: stamp.write_text(offset + "\n")
    set_clock("+0")
    environment = dict(LD_PRELOAD=FAKETIME, FAKETIME_TIMESTAMP_FILE=str(stamp), FAKETIME_NO_CACHE="1",
                       DONT_FAKE_MONOTONIC="1")
    server.start(**environment)
    staff, patient = server.sign_in("ada@example.org"), server.sign_in()
    ask = lambda token, path: server.call("GET", "/api/v1" + path, token=token)[0]
    assert ask(staff, "/patients") == 200
    set_clock("-3600")
    assert ask(staff, "/patients") == 200 and ask(patient, "/my/overview") == 200
    name, status = server.appoint(patient, 1)
    assert status == 201, "no writing with a clock that went back"
    set_clock("+0")
    assert ask(staff, "/patients") == 200
    set_clock("+31m")
    assert ask(staff, "/patients") == 401, "a session that lay idle for 31 minutes lives on"
    staff = server.sign_in("ada@example.org")
    for minute in range(31, 31 + 12 * 60, 20):
        set_clock(f"+{minute}m")
        assert ask(staff, "/patients") == 200, minute
    set_clock(f"+{31 + 12 * 60 + 1}m")
    assert ask(staff, "/patients") == 401, "a session lives longer than twelve hours"
    # Only the clock went back: what has ended stays ended.
    set_clock("+0")
    assert ask(patient, "/my/overview") == 200
    server.stop()
    server.verify()
    assert name in server.stored()
    return "an hour back changes nothing, 31 minutes idle and 12 hours end a session"


def restore_drill(data):
    """From a backup and the keys alone to a portal that answers, in another folder."""
    server = Server(data)
    server.start()
    token = server.sign_in()
    name, status = server.appoint(token, 1)
    assert status == 201
    copy = str(data) + "-copy.sqlite"
    subprocess.run([PROGRAM, "backup", copy, "--data", server.data, "--resources", ROOT], check=True, capture_output=True)
    server.stop()
    elsewhere = Server(str(data) + "-elsewhere", seeds=False)
    began = time.monotonic()
    subprocess.run(["mkdir", "-p", elsewhere.data], check=True)
    subprocess.run(["cp", "-a", server.data + "/keys", elsewhere.data + "/keys"], check=True)
    subprocess.run([PROGRAM, "restore", copy, "--data", elsewhere.data, "--resources", ROOT], check=True, capture_output=True)
    elsewhere.start()
    elsewhere.sign_in()
    seconds = time.monotonic() - began
    assert name in elsewhere.stored()
    elsewhere.stop()
    elsewhere.verify()
    return f"{seconds:.1f} s from a backup and the keys to a portal that answers"


def named_before_whole(data):
    """What is renamed into place is on the disk before, and its name after, in the order of one record."""
    folder, record = str(data), pathlib.Path(str(data) + ".record")
    recording = dict(LD_PRELOAD=SHIM, RECORD_IN=folder, RECORD_TO=str(record))
    named = 0

    def check(what):
        nonlocal named
        lines = [line.split(" ") for line in record.read_text().splitlines()]
        record.unlink()
        assert not [line for line in lines if line[0] == "refused"], (what, lines)
        for index, line in enumerate(lines):
            if line[0] not in ("rename", "link"):
                continue
            named += 1
            place = ["fsync", os.path.dirname(line[2])]
            # Another thread's names may come between; of the same folder only the name that goes with this one.
            rest = [later for later in lines[index + 1:] if os.path.dirname(later[-1]) == place[1] or later == place]
            following = [later for later in rest if later[0] in ("rename", "link") or later == place]
            assert following and following[0] == place, (what, line, lines[index:index + 6])
        return lines

    def run(*words):
        subprocess.run([PROGRAM, *words, "--data", folder, "--resources", ROOT], check=True, capture_output=True,
                       input=PASSWORD.encode(), env={**os.environ, **recording})
        return check(words[0])

    # The recorder itself: it has to refuse what this is about.
    os.mkdir(folder)
    unsynced = subprocess.run(
        [sys.executable, "-c", "import os, sys\nwith open(sys.argv[1], 'wb', buffering=0) as file: file.write(b'x')\n"
         "os.rename(sys.argv[1], sys.argv[1] + '-there')", folder + "/file"],
        env={**os.environ, **recording}, capture_output=True)
    assert unsynced.returncode != 0 and "refused rename" in record.read_text()
    record.unlink()
    os.remove(folder + "/file")

    run("account", "create", "--email", "eve@example.org", "--name", "Eve", "--role", "admin")
    subprocess.run(["rm", "-r", folder], check=True)
    server = Server(data)
    server.start(backup_days=30, **recording)
    token = server.sign_in()
    assert server.call("POST", "/api/v1/auth/password/forgot", {"email": "pia@example.org"})[0] in (200, 202, 204)
    assert server.call("DELETE", "/api/v1/my/account", {"password": PASSWORD}, token)[0] == 204
    backups = pathlib.Path(folder) / "backups"
    for _ in range(200):
        if backups.is_dir() and any(path.suffix == ".sqlite" for path in backups.iterdir()):
            break
        time.sleep(0.1)
    server.stop()
    lines = check("serve")
    moved = " ".join(line[2] for line in lines if line[0] == "rename")
    assert ".eml" in moved and "/keys/audit" in moved and "/backups/intersession-" in moved, moved
    run("keys", "rotate")
    copy = folder + "/copy.sqlite"
    run("backup", copy)
    lines = run("restore", copy, "--replace")
    assert any(line[0] == "rename" and line[2] == folder + "/intersession.sqlite" for line in lines), lines
    server.verify()
    return f"{named} names given, each to what was synced, each folder synced after"


def first_start_killed(data):
    """A first start that dies after any of its steps goes on with the next one, under one key, and is never taken for a lost clinic (RP-229)."""
    folder, record = str(data), str(data) + ".record"
    words = [PROGRAM, "account", "create", "--email", "eve@example.org", "--name", "Eve", "--role", "admin", "--data", folder, "--resources", ROOT]

    def create(**more):
        return subprocess.run(words, capture_output=True, input=PASSWORD.encode(), env={**os.environ, **more})

    step = 0
    while True:
        step += 1
        subprocess.run(["rm", "-rf", folder, record], check=True)
        first = create(LD_PRELOAD=SHIM, RECORD_IN=folder, RECORD_TO=record, KILL_AT=str(step))
        if first.returncode == 0:
            break
        assert first.returncode == -9, first
        lines = pathlib.Path(record).read_text().splitlines()
        assert len(lines) >= step
        second = create()
        # The account may have been stored just before.
        assert second.returncode == 0 or b"already" in second.stderr, (step, lines[-3:], second)
        assert not os.path.exists(folder + "/keys/unused"), (step, lines[-3:])
        found = subprocess.run([PROGRAM, "verify", "--data", folder, "--resources", ROOT], capture_output=True)
        assert found.stdout == b"sound\n", (step, lines[-3:], found)
    # The recorder itself: the steps that matter are among them.
    text = pathlib.Path(record).read_text()
    for name in ("keys/unused", "keys/master.key", "intersession.sqlite", "keys/audit"):
        assert name in text, name
    return f"killed after each of {step - 1} steps, and went on each time"


TESTS = {
    "kill -9 under load": killed_under_load, "fdatasync fails": failing_synchronisation, "disk full": full_disk,
    "read-only file system": read_only_disk, "clock jumps": jumping_clock,
    "a first start killed after each of its steps": first_start_killed, "restore drill": restore_drill, "renamed into place": named_before_whole,
    "postgresql, disk full": postgresql.full_disk,
    "postgresql, a standby takes over": lambda data: postgresql.fail_over(data, ROUNDS),
    "postgresql, portals killed while people live on them": lambda data: postgresql.portals_killed(data, ROUNDS),
    "postgresql, portals killed behind nginx": lambda data: postgresql.behind_nginx(data, MINUTES),
}

for name, test in TESTS.items():
    if ONLY and not any(word in name for word in ONLY):
        continue
    if name.endswith("nginx") and not os.path.exists("/usr/sbin/nginx"):
        print(f"{name}: left out, because nginx is not installed (bin/setup proxies)", flush=True)
        continue
    if test in (full_disk, postgresql.full_disk) and os.geteuid() != 0:
        print(f"{name}: left out, because only root may mount a disk", flush=True)
        continue
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        outcome = test(pathlib.Path(folder) / "data")
        print(f"{name}: {outcome} ({time.monotonic() - began:.0f} s)", flush=True)
