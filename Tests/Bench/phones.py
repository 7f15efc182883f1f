"""What phones cost: a synchronisation with nothing new, and a thousand simulated patients."""

import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import pathlib
import time

LISTS = ["assignments?limit=200", "dailies?limit=200&days=7", "contributions?limit=200", "interventions?limit=200",
         "appointments?limit=200"]
PATIENTS = int(os.environ.get("BENCH_PATIENTS", "1000"))


def nothing_new(portal, token, rounds=300):
    """Milliseconds of the five requests that a phone makes, all answered with 304, as the server's log tells them."""
    connection = http.client.HTTPConnection("127.0.0.1", portal.port)
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": "de"}

    def ask(path, more):
        connection.request("GET", "/api/v1/my/" + path, headers={**headers, **more})
        response = connection.getresponse()
        response.read()
        return response

    tags = {path: ask(path, {}).getheader("ETag") for path in LISTS}
    waits = []
    for _ in range(rounds):
        began = time.perf_counter()
        for path in LISTS:
            status = ask(path, {"If-None-Match": tags[path]}).status
            if status == 200:
                # Time moves lists on: a daily has begun.
                tags[path] = ask(path, {}).getheader("ETag")
            elif status != 304:
                sys.exit(f"{path}: {status}")
        waits.append((time.perf_counter() - began) * 1000)
    waits.sort()
    print(f"synchronising, nothing new        {statistics.median(waits):9.2f} ms for five requests, "
          f"p99 {waits[len(waits) * 99 // 100]:.2f} ms (aim 10)", flush=True)


def crowd(program, root):
    """Simulated patients on these cores, phones and server together."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        done = subprocess.run(
            [program, "simulate", "--patients", str(PATIENTS), "--days", "2", "--seed", "3", "--resources", str(root),
             "--data", str(pathlib.Path(folder) / "data")], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        server = re.search(r"server: .*", done.stdout).group(0)
        rate = re.search(r"\d+ requests a second.*", done.stdout).group(0)
        print(f"{PATIENTS} simulated patients, two days  {server} (aim p99 300); {rate}", flush=True)
