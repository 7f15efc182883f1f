"""The program that harm is done to, and the accounting of what it acknowledged."""

import contextlib
import datetime
import http.client
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid

PROGRAM, ROOT = sys.argv[1:3]
PASSWORD = "zwischen den Sitzungen"
COMMON = ["--resources", ROOT, "--timezone", "Europe/Vienna"]
# Appointments far ahead, whatever today is.
START = datetime.datetime.now(datetime.timezone.utc).replace(minute=0, second=0, microsecond=0) + datetime.timedelta(days=1000)


class Server:
    """The program on a folder; started as often as needed."""

    def __init__(self, data, database=None, seeds=True):
        """On SQLite in the folder, or on the database of PostgreSQL at an address."""
        self.data = str(data)
        self.engine = ["--database", database] if database else []
        self.process = None
        self.address = None
        if seeds:
            subprocess.run([PROGRAM, "seed", "--data", self.data, *self.engine, *COMMON], check=True,
                           stdout=subprocess.DEVNULL)

    def start(self, backup_days=0, **environment):
        began = time.monotonic()
        # Through env: libfaketime hides the arguments of a program that it is the first to be loaded into.
        self.process = subprocess.Popen(
            ["env", PROGRAM, "serve", "--port", "0", "--requests-per-minute", "0", "--second-factor", "optional",
             "--backup-days", str(backup_days), "--data", self.data, *self.engine, *COMMON],
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
        if self.engine:
            found = subprocess.run(
                ["psql", "-XqAt", "-d", self.engine[1] + "&target_session_attrs=read-write", "-c", query],
                check=True, capture_output=True, text=True)
            return found.stdout.split()
        with contextlib.closing(sqlite3.connect(f"file:{self.data}/intersession.sqlite?mode=ro", uri=True)) as database:
            return [row[0] for row in database.execute(query)]

    def verify(self):
        done = subprocess.run(
            [PROGRAM, "verify", "--data", self.data, *self.engine, "--resources", ROOT], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


class Line:
    """A connection that is kept for one request after the other, as balancers and apps do it; made anew where it broke."""

    def __init__(self, server):
        self.server, self.connection = server, None

    def call(self, method, path, body, token):
        """The status; 0 when the connection broke."""
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.server.address.removeprefix("http://"), timeout=20)
            self.connection.request(method, path, json.dumps(body).encode(),
                                    {"Content-Type": "application/json", "Authorization": "Bearer " + token})
            answer = self.connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            self.close()
            return 0

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def account(server, sent, acknowledged, before, query="SELECT id FROM appointments"):
    """Nothing acknowledged lost, nothing doubled, nothing from nowhere."""
    stored = [name for name in server.stored(query) if name not in before]
    lost = set(acknowledged) - set(stored)
    foreign = set(stored) - set(sent)
    doubled = len(stored) - len(set(stored))
    assert not lost and not foreign and not doubled, (len(lost), len(foreign), doubled)
    return len(stored)
