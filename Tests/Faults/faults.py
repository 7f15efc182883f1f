"""What happens to acknowledged data when things go wrong around the real program.

Each test starts a seeded clinic of its own, does harm, and accounts for every write: what was acknowledged must be
there, nothing may be there twice or that nobody sent, and the database must be sound. Run by bin/faults.
"""

import contextlib
import datetime
import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid

PROGRAM, ROOT, SHIM, FAKETIME = sys.argv[1:5]
ONLY = sys.argv[5:]
PASSWORD = "zwischen den Sitzungen"
COMMON = ["--resources", ROOT, "--timezone", "Europe/Vienna"]
# Appointments far ahead, whatever today is.
START = datetime.datetime.now(datetime.timezone.utc).replace(minute=0, second=0, microsecond=0) + datetime.timedelta(days=1000)
# How often the server is killed, and how far each failure is from the one before.
ROUNDS = int(os.environ.get("FAULTS_ROUNDS", "50"))
STRIDE = int(os.environ.get("FAULTS_STRIDE", "1"))


class Server:
    """The program on a folder; started as often as needed."""

    def __init__(self, data):
        self.data = str(data)
        self.process = None
        self.address = None
        subprocess.run([PROGRAM, "seed", "--data", self.data, *COMMON], check=True, stdout=subprocess.DEVNULL)
        self.token = None

    def start(self, backup_days=0, **environment):
        began = time.monotonic()
        # Through env: libfaketime hides the arguments of a program that it is the first to be loaded into.
        self.process = subprocess.Popen(
            ["env", PROGRAM, "serve", "--port", "0", "--requests-per-minute", "0", "--second-factor", "optional",
             "--backup-days", str(backup_days), "--data", self.data, *COMMON],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment},
        )
        line = self.process.stdout.readline().strip()
        if not line.startswith("listening on "):
            self.process.wait()
            return None
        self.address = line.removeprefix("listening on ")
        return time.monotonic() - began

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=15) == 0, "did not end in order"

    def call(self, method, path, body=None, token=None, headers=None):
        """Status and body; 0 when the connection broke."""
        request = urllib.request.Request(
            self.address + path, method=method, data=None if body is None else json.dumps(body).encode())
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", "Bearer " + token)
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except (OSError, urllib.error.URLError, ConnectionError):
            return 0, b""

    def sign_in(self, email="pia@example.org"):
        status, body = self.call("POST", "/api/v1/auth/login", {"email": email, "password": PASSWORD})
        assert status == 200, (status, body)
        return json.loads(body)["data"]["attributes"]["token"]

    def appoint(self, token, number):
        """Puts an appointment under a new id; the id and the status."""
        name = str(uuid.uuid4())
        begin = START + datetime.timedelta(hours=number)
        body = {"title": f"Nummer {number}", "starts_at": begin.isoformat(),
                "ends_at": (begin + datetime.timedelta(minutes=50)).isoformat()}
        return name, self.call("PUT", "/api/v1/my/appointments/" + name, body, token)[0]

    def stored(self, query="SELECT id FROM appointments"):
        with contextlib.closing(sqlite3.connect(f"file:{self.data}/intersession.sqlite?mode=ro", uri=True)) as database:
            return [row[0] for row in database.execute(query)]

    def verify(self):
        done = subprocess.run(
            [PROGRAM, "verify", "--data", self.data, "--resources", ROOT], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def account(server, sent, acknowledged, before, query="SELECT id FROM appointments"):
    """Nothing acknowledged lost, nothing doubled, nothing from nowhere."""
    stored = [name for name in server.stored(query) if name not in before]
    lost = set(acknowledged) - set(stored)
    foreign = set(stored) - set(sent)
    doubled = len(stored) - len(set(stored))
    assert not lost and not foreign and not doubled, (len(lost), len(foreign), doubled)
    return len(stored)


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
    elsewhere = Server.__new__(Server)
    elsewhere.data, elsewhere.process = str(data) + "-elsewhere", None
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


TESTS = {
    "kill -9 under load": killed_under_load, "fdatasync fails": failing_synchronisation, "disk full": full_disk,
    "read-only file system": read_only_disk, "clock jumps": jumping_clock,
    "restore drill": restore_drill, "renamed into place": named_before_whole,
}

for name, test in TESTS.items():
    if ONLY and not any(word in name for word in ONLY):
        continue
    if test is full_disk and os.geteuid() != 0:
        print(f"{name}: left out, because only root may mount a disk", flush=True)
        continue
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        outcome = test(pathlib.Path(folder) / "data")
        print(f"{name}: {outcome} ({time.monotonic() - began:.0f} s)", flush=True)
