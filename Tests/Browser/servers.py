"""Clinics: one is seeded for a whole run, and copied for each that a test wants. Each is served by the real program, which ends with
the process that started it and writes its log to a file of that process."""

import fcntl
import itertools
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

from browsers import patience, today

ROOT = pathlib.Path(os.environ["INTERSESSION_ROOT"])
PROGRAM = os.environ["INTERSESSION_PROGRAM"]
# Of all processes of a run, and of this one.
if "RUN_FOLDER" not in os.environ:
    os.environ["RUN_FOLDER"] = tempfile.mkdtemp(prefix="browser-")
RUN = pathlib.Path(os.environ["RUN_FOLDER"])
OWN = RUN / os.environ.get("PYTEST_XDIST_WORKER", "main")
COMMON = ["--resources", str(ROOT), "--timezone", "Europe/Vienna"]

# The clinics that are open in this process.
clinics = []
_numbers = itertools.count(1)


def made_once(name, make):
    """A folder for all processes of a run. The first that asks for it makes it, the others wait for it meanwhile."""
    ready = RUN / name
    with open(RUN / "making", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            half = RUN / "begun"
            shutil.rmtree(half, ignore_errors=True)
            subprocess.run([PROGRAM, *make(str(half))], check=True, stdout=subprocess.DEVNULL)
            half.rename(ready)
    return ready


def seeded(data):
    """A folder of data like any that was seeded today."""
    ready = made_once(f"clinic-{today()}", lambda folder: ["seed", "--data", folder, *COMMON])
    shutil.copytree(ready, data, dirs_exist_ok=True)


def gallery():
    """A folder with every page, drawn from the demonstration."""
    return made_once("gallery", lambda folder: ["gallery", folder, "--resources", str(ROOT)])


def launch(*words, env=None):
    """`serve` with these words: the process, and its address once it listens."""
    OWN.mkdir(exist_ok=True)
    log = OWN / f"server-{next(_numbers):03}.log"
    with open(log, "wb") as errors:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", PROGRAM, "serve", "--requests-per-minute", "0", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, env=env)
    said = process.stdout.readline().strip()
    if not said.startswith("listening on "):
        process.kill()
        process.wait()
        raise RuntimeError(f"the server does not listen: {said}\n{log.read_text(errors='replace')}")
    return process, said.removeprefix("listening on ")


class Clinic:
    """A folder of data and its server, which keeps its port."""

    def __init__(self, factor, data, more=(), questionnaires=(), prepare=lambda: None):
        self.data, self.questionnaires, self.prepare = pathlib.Path(data), questionnaires, prepare
        self.words = ["--second-factor", factor, *more, "--data", str(data), *COMMON]
        self.port = "0"

    def begin(self):
        seeded(self.data)
        for path in self.questionnaires:
            subprocess.run(
                [PROGRAM, "questionnaire", "import", str(path), "--data", str(self.data), "--resources", str(ROOT)], check=True,
                stdout=subprocess.DEVNULL)
        self.prepare()
        self.process, self.address = launch("--port", self.port, *self.words)
        self.port = self.address.rsplit(":", 1)[1]

    def trouble(self):
        """Why it serves no longer; nothing where it does."""
        if (status := self.process.poll()) is not None:
            return f"the server at {self.address} has ended with {status}"
        try:
            with urllib.request.urlopen(self.address + "/livez", timeout=patience(10)):
                return None
        except OSError as error:
            return f"the server at {self.address} answers no longer: {error}"

    def kill(self):
        self.process.kill()
        self.process.wait()

    def renew(self):
        """As it was in the beginning and at the same address, which tests have been told."""
        self.kill()
        for path in self.data.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        end = time.monotonic() + patience(10)
        while True:
            try:
                return self.begin()
            except RuntimeError:
                # Another program may hold the port for a moment.
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def end(self):
        self.process.terminate()
        try:
            assert self.process.wait(timeout=patience(15)) == 0, self.trouble()
        finally:
            self.kill()
