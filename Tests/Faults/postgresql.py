"""Harm to PostgreSQL and to the portals on it: a primary that dies, a standby that takes over, portals killed in turn."""

import collections
import contextlib
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from server import PROGRAM, ROOT, Line, Server, account

PROGRAMS = "/usr/lib/postgresql/15/bin/"


class Node:
    """One server of a pair, on a socket in a folder of its own; never out of reach of this machine."""

    def __init__(self, folder):
        self.folder, self.data = str(folder), str(folder / "data")
        folder.mkdir()
        # The programs of PostgreSQL refuse to run as root.
        self.other = os.geteuid() == 0
        if self.other:
            shutil.chown(folder, "postgres")

    def run(self, name, *arguments):
        prefix = ["runuser", "-u", "postgres", "--"] if self.other else []
        done = subprocess.run([*prefix, PROGRAMS + name, *arguments], capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == 0, (name, done.stderr)

    def create(self, *more):
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", *more)

    def start(self):
        self.run("pg_ctl", "-D", self.data, "-l", self.folder + "/log", "-w", "start", "-o",
                 f"-c listen_addresses= -c unix_socket_directories={self.folder} -c max_connections=200 "
                 "-c shared_buffers=64MB -c max_wal_senders=8 -c wal_keep_size=256MB")

    def sql(self, text):
        found = subprocess.run(["psql", "-XqAt", "-h", self.folder, "-U", "postgres", "-c", text],
                               check=True, capture_output=True, text=True)
        return found.stdout.strip()

    def kill(self):
        """As a machine without power: the postmaster and all its children at once."""
        with open(self.data + "/postmaster.pid") as lines:
            leader = int(lines.readline())
        children = subprocess.run(["pgrep", "-P", str(leader)], capture_output=True, text=True).stdout.split()
        for process in [leader, *map(int, children)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while os.path.exists(f"/proc/{leader}"):
            time.sleep(0.01)

    def follow(self, primary):
        """Becomes the synchronous standby of a primary, from a copy of it."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.run("pg_basebackup", "-D", self.data, "-h", primary.folder, "-U", "postgres", "-R", "-c", "fast", "--no-sync")
        self.start()
        primary.wait_for_sync("*")
        while primary.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != "1":
            time.sleep(0.05)

    def wait_for_sync(self, names):
        self.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.sql("SELECT pg_reload_conf()")

    def promote(self):
        self.run("pg_ctl", "-D", self.data, "-w", "promote")
        # No standby is left to wait for.
        self.wait_for_sync("")

    def stop(self):
        with contextlib.suppress(AssertionError, FileNotFoundError):
            self.run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")


@contextlib.contextmanager
def nodes(count):
    # The path of a socket has 107 bytes at most.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    folder.chmod(0o755)
    made = [Node(folder / str(number)) for number in range(count)]
    try:
        yield made
    finally:
        for node in made:
            node.stop()
        shutil.rmtree(folder, ignore_errors=True)


def address(*places):
    return f"postgresql:///postgres?host={','.join(place.folder for place in places)}&user=postgres"


# Acknowledged writes a second that the primary has to be under when it is killed (D3).
RATE = int(os.environ.get("FAULTS_RATE", "200"))


def fail_over(data, rounds, writers=int(os.environ.get("FAULTS_WRITERS", "32"))):
    """The primary is killed under load, its synchronous standby promoted; two portals find it by themselves."""
    with nodes(2) as (primary, standby):
        primary.create()
        primary.start()
        standby.follow(primary)
        database = address(primary, standby)
        portals = [Server(data, database), Server(data, database, seeds=False)]
        for portal in portals:
            assert portal.start() is not None, "a portal does not start"
        token = portals[0].sign_in("ada@example.org")
        before = set(portals[0].stored("SELECT codename FROM therapies"))
        sent, acknowledged, away, wrong, rates, guard = [], [], [], [], [], threading.Lock()
        for _ in range(rounds):
            stopping, count = threading.Event(), len(acknowledged)

            def write(portal):
                line = Line(portal)
                while not stopping.is_set():
                    with guard:
                        name = f"ZZ{len(sent):06}"
                        sent.append(name)
                    status = line.call("POST", "/api/v1/patients", {"codename": name, "note": "x"}, token)
                    with guard:
                        if status == 201:
                            acknowledged.append(name)
                        elif status != 503:
                            wrong.append(status)
                    if status != 201:
                        time.sleep(0.05)
                line.close()

            threads = [threading.Thread(target=write, args=(portals[number % 2],)) for number in range(writers)]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.3, 1))
            # Killed in a second of full load; a machine that is busy with something else gets some to find its pace.
            for _ in range(20):
                earlier, since = len(acknowledged), time.monotonic()
                time.sleep(0.7)
                rate = (len(acknowledged) - earlier) / (time.monotonic() - since)
                if rate >= RATE:
                    break
            assert len(acknowledged) > count, "nothing was written before the primary was killed"
            rates.append(rate)
            primary.kill()
            died = time.monotonic()
            standby.promote()
            count, limit = len(acknowledged), time.monotonic() + 60
            while len(acknowledged) == count:
                assert time.monotonic() < limit, "no portal found the new primary within a minute"
                time.sleep(0.02)
            away.append(time.monotonic() - died)
            stopping.set()
            for thread in threads:
                thread.join()
            account(portals[0], sent, acknowledged, before, "SELECT codename FROM therapies")
            assert not wrong, wrong
            primary, standby = standby, primary
            standby.follow(primary)
        for portal in portals:
            assert portal.call("GET", "/api/v1/health")[0] == 200
            portal.stop()
        portals[0].verify()
    away.sort()
    rates.sort()
    under = sum(rate < RATE for rate in rates)
    # A machine that is busy with something else is no fault of the portal, but no proof either.
    slow = f" ({under} BELOW {RATE})" if under else ""
    return (f"{rounds} rounds, killed under {rates[len(rates) // 2]:.0f} acknowledged a second in the median, {rates[0]:.0f} at least{slow}; "
            f"{len(sent)} sent, {len(acknowledged)} acknowledged, 0 lost, 0 doubled, written again "
            f"after {away[len(away) // 2]:.1f} s in the median, {away[-1]:.1f} s at most")


def full_disk(data):
    """The disk of the tables is full, the one of the log is not: writes are refused, reads go on, and it needs no restart."""
    with nodes(1) as (server,):
        place = pathlib.Path(server.data)
        place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m,mode=700", "tmpfs", place], check=True)
        try:
            if server.other:
                shutil.chown(place, "postgres")
            server.create("--waldir", server.folder + "/log-of-writes")
            server.start()
            portal = Server(data, address(server))
            portal.start()
            token = portal.sign_in()
            before = set(portal.stored())
            sent, acknowledged, filler = [], [], place / "filler"

            def write(number):
                name, status = portal.appoint(token, number)
                sent.append(name)
                if status in (200, 201):
                    acknowledged.append(name)
                return status

            assert write(0) == 201
            with open(filler, "wb", buffering=0) as filling, contextlib.suppress(OSError):
                while True:
                    filling.write(bytes(1024))
            refused = 0
            for number in range(1, 2000):
                status = write(number)
                assert status in (201, 503), status
                refused += status == 503
                if refused == 5:
                    break
            assert refused == 5, "the disk was never full"
            assert portal.call("GET", "/api/v1/my/appointments", token=token)[0] == 200
            filler.unlink()
            assert write(5000) == 201, "no recovery without a restart"
            assert portal.call("GET", "/api/v1/health")[0] == 200
            account(portal, sent, acknowledged, before)
            portal.stop()
            portal.verify()
        finally:
            server.stop()
            subprocess.run(["umount", "-l", place], check=True)
    return f"{len(acknowledged)} acknowledged, {refused} refused with 503, reads 200, then well again"


def portals_killed(_, rounds, portals=3, patients=10):
    """People live on three portals, of which one is killed again and again; phones, browsers and portals agree."""
    with nodes(1) as (server,):
        server.create()
        server.start()
        done = subprocess.run(
            [PROGRAM, "simulate", "--resources", ROOT, "--database", address(server), "--portals", str(portals),
             "--patients", str(patients), "--days", str(max(2, rounds // 7)), "--kills", str(rounds), "--faults"],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return "; ".join(done.stdout.strip().splitlines()[-2:])


# The block of docs/operating.md, and what it takes to run it by itself.
NGINX = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    {upstream}
    server {{
        listen 127.0.0.1:{port};
        {block}
    }}
}}
"""


def documented(ports, folder, port):
    """The configuration of nginx as the manual has it: what a single portal needs, with the lines for several in their places."""
    manual = (pathlib.Path(ROOT) / "docs/operating.md").read_text()
    blocks = [part.split("```")[0] for part in manual.split("```nginx\n")[1:]]
    one, several = (next(block for block in blocks if block.startswith(first)) for first in ("# nginx, within", "# nginx; "))
    upstream = re.search(r"upstream portals \{.*?\n\}", several, re.DOTALL).group(0)
    servers = iter(ports)
    lines, words = [], ""
    for line in upstream.splitlines():
        if match := re.match(r"\s*server 10\.0\.0\.\d+:8080(.*);", line):
            words = match.group(1)
            continue
        if line == "}":
            lines += [f"    server 127.0.0.1:{number}{words};" for number in servers]
        lines.append(line)
    both = re.search(r"both locations above: (.*)", several).group(1)
    assert "proxy_pass http://portals;" in both, both
    block, count = re.subn(r"proxy_pass http://127\.0\.0\.1:8080;", both, one)
    assert count == 2 and len(lines) > 3, (one, several)
    return NGINX.format(folder=folder, upstream="\n".join(lines), port=port, block=block)


def free_ports(count):
    """So many in a row that nothing listens on."""
    while True:
        first = random.randrange(20_000, 30_000)
        with contextlib.ExitStack() as held:
            try:
                for number in range(first, first + count):
                    held.enter_context(socket.socket()).bind(("127.0.0.1", number))
                return first
            except OSError:
                continue


def behind_nginx(_, minutes, portals=3, patients=20, every=None):
    """The same behind nginx as the manual has it, by the clock on the wall: one of three is killed each half minute."""
    every = every or (30 if minutes >= 5 else 10)
    first = int(os.environ.get("FAULTS_PORT", "0")) or free_ports(portals + 1)
    with nodes(1) as (server,), tempfile.TemporaryDirectory() as folder:
        server.create()
        server.start()
        place = pathlib.Path(folder)
        place.chmod(0o755)
        (place / "nginx.conf").write_text(documented(range(first + 1, first + 1 + portals), folder, first))
        nginx = subprocess.Popen(["/usr/sbin/nginx", "-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/error.log",
                                  *(["-g", "user root;"] if os.geteuid() == 0 else [])])
        try:
            done = subprocess.run(
                [PROGRAM, "simulate", "--resources", ROOT, "--database", address(server), "--portals", str(portals),
                 "--first-port", str(first + 1), "--through", f"http://127.0.0.1:{first}", "--patients", str(patients),
                 "--days", "3650", "--minutes", str(minutes), "--kill-every", str(every), "--faults"],
                capture_output=True, text=True)
            seen = collections.Counter(line.split('" ')[1].split()[0] for line in open(place / "access.log"))
            kept = os.environ.get("FAULTS_KEEP")
            if kept:
                shutil.copytree(place, kept, dirs_exist_ok=True)
                (pathlib.Path(kept) / "said").write_text(done.stdout + done.stderr)
        finally:
            nginx.terminate()
            nginx.wait()
        assert done.returncode == 0, done.stdout + done.stderr
        for status in ("500", "413"):
            assert status not in seen, seen
    lines = done.stdout.strip().splitlines()
    return "; ".join([*lines[:3], *lines[-2:], "through nginx " + ", ".join(f"{status}: {count}" for status, count in sorted(seen.items()))])
