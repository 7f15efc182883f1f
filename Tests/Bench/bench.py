"""Measures the portal beside a bare C program on the same two libraries, turn by turn, and prints ratios.

Nothing here passes or fails: the machines are shared, so only ratios within one run mean anything.
"""

import calendar
import html
import http.client
import json
import os
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "zwischen den Sitzungen"
SECONDS = int(os.environ.get("BENCH_SECONDS", "5"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))


class Portal:
    def __init__(self, program, data):
        common = ["--data", data, "--resources", str(ROOT), "--timezone", "Europe/Vienna"]
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--requests-per-minute", "0", *common],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip().removeprefix("listening on ")
        self.port = int(self.address.rsplit(":", 1)[1])

    def ask(self, method, path, headers=None, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response, response.read().decode()

    def token(self, email):
        body = json.dumps({"email": email, "password": PASSWORD})
        _, text = self.ask("POST", "/api/v1/auth/login", {"Content-Type": "application/json"}, body)
        return json.loads(text)["data"]["attributes"]["token"]

    def cookie(self, email):
        response, page = self.ask("GET", "/login")
        anonymous = response.getheader("Set-Cookie").split(";")[0]
        form = re.search(r'name="form_token" value="([^"]+)"', page).group(1)
        body = urllib.parse.urlencode({"email": email, "password": PASSWORD, "form_token": form})
        headers = {"Cookie": anonymous, "Content-Type": "application/x-www-form-urlencoded"}
        response, _ = self.ask("POST", "/login", headers, body)
        return response.getheader("Set-Cookie").split(";")[0]

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024


def prepare(data, assignments):
    """Open assignments for the load of answer sheets, of somebody else than the one whose pages are read."""
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    therapy = database.execute("SELECT id FROM therapies WHERE codename = 'C448213'").fetchone()[0]
    questionnaire = database.execute("SELECT id FROM questionnaires WHERE key = 'between-sessions'").fetchone()[0]
    now = int(time.time() * 1000)
    day = 86_400_000
    database.executemany(
        "INSERT INTO assignments VALUES (?, ?, ?, 'daily', ?, ?, ?, NULL)",
        ((f"{n:08x}-0000-4000-8000-{n:012x}", therapy, questionnaire, now - day, now + day, now)
         for n in range(assignments)))
    database.commit()
    read = database.execute("SELECT id FROM therapies WHERE codename = 'C020480'").fetchone()[0]
    database.close()
    return read


def baseline_database(path, page, listed):
    """The rows of the portal's page and list, in plain tables."""
    database = sqlite3.connect(path)
    database.executescript("""
        CREATE TABLE entries (id INTEGER PRIMARY KEY, at INTEGER, title TEXT, link TEXT, basis TEXT);
        CREATE TABLE entry_scores (entry INTEGER, position INTEGER, label TEXT, value TEXT, PRIMARY KEY (entry, position))
            WITHOUT ROWID;
        CREATE TABLE sheets (id TEXT PRIMARY KEY, assignment_id TEXT, key TEXT, version INTEGER, title TEXT,
            started_at INTEGER, completed_at INTEGER, received_at INTEGER, timezone TEXT, answers TEXT);
        CREATE INDEX sheets_completed ON sheets (completed_at);
        CREATE TABLE sheet_scores (sheet TEXT, position INTEGER, scale TEXT, value REAL, PRIMARY KEY (sheet, position))
            WITHOUT ROWID;
        CREATE TABLE inserted (id INTEGER PRIMARY KEY, body TEXT);
        PRAGMA journal_mode = WAL;
    """)
    strip = lambda text: html.unescape(re.sub(r"<[^>]+>", "", text)).strip()
    rows = re.findall(r'<li class="entry entry--.*?</li>', page, re.S)
    for number, row in enumerate(rows):
        at = calendar.timegm(time.strptime(re.search(r'datetime="([^"]+)"', row).group(1), "%Y-%m-%dT%H:%M")) * 1000
        link = re.search(r'href="([^"]+)"', row)
        title = strip(re.search(r'entry__title"[^>]*>(.*?)</', row, re.S).group(1))
        database.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (number, at, title, link.group(1) if link else "", "8 von 8"))
        for position, score in enumerate(re.findall(r'<span class="entry__score">(.*?) <strong>(.*?)</strong>', row)):
            database.execute("INSERT INTO entry_scores VALUES (?, ?, ?, ?)", (number, position, *map(strip, score)))
    moment = lambda text: calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ")) * 1000
    for item in listed["data"]:
        a = item["attributes"]
        answers = json.dumps(a["answers"], separators=(",", ":"))
        database.execute(
            "INSERT INTO sheets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (item["id"], a["assignment_id"], a["questionnaire_key"], a["version"], a["title"], moment(a["started_at"]),
             moment(a["completed_at"]), moment(a["received_at"]), a["timezone"], answers))
        for position, (scale, value) in enumerate(a["scores"].items()):
            database.execute("INSERT INTO sheet_scores VALUES (?, ?, ?, ?)", (item["id"], position, scale, value))
    database.commit()
    database.close()
    return len(rows)


def wrk(url, connections=16, script=None, headers=(), seconds=SECONDS):
    command = ["wrk", "-t2", f"-c{connections}", f"-d{seconds}", "--latency"]
    for header in headers:
        command += ["-H", header]
    if script:
        command += ["-s", str(script)]
    text = subprocess.run([*command, url], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in text:
        sys.exit(f"wrong answers from {url}:\n{text}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    return rate, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def compare(name, target, ours, theirs):
    """Turn by turn, so that both see the same machine."""
    pairs = [(ours(), theirs()) for _ in range(ROUNDS)]
    ratios = sorted(mine[0] / other[0] for mine, other in pairs)
    mine, other = (statistics.median(pair[side][0] for pair in pairs) for side in (0, 1))
    p99 = statistics.median(pair[0][1] for pair in pairs)
    print(f"{name:34}{mine:9.0f} /s{other:9.0f} /s   ratio {statistics.median(ratios):5.2f} "
          f"({ratios[0]:.2f}-{ratios[-1]:.2f}, aim {target})   p99 {p99:6.1f} ms", flush=True)


def sheets_script(folder, token, start):
    path = pathlib.Path(folder) / f"sheets-{start}.lua"
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 60))
    keys = ["came_back", "hard_moment", "dream", "inner_talk", "tried_out", "looked_ahead", "lighter", "heavier"]
    answers = ",".join(f'"{key}":2' for key in keys)
    path.write_text(f"""
        local threads = 0
        function setup(thread) thread:set("number", threads) threads = threads + 1 end
        function init() sent = 0 end
        function request()
            local n = {start} + sent * 2 + number
            sent = sent + 1
            local id = string.format("%08x-0000-4000-8000-%012x", n, n)
            local body = '{{"assignment_id":"' .. id .. '","started_at":"{stamp}","completed_at":"{stamp}",'
                .. '"timezone":"Europe/Vienna","answers":{{{answers}}}}}'
            local path = string.format("/api/v1/my/contributions/%08x-1111-4111-8111-%012x", n, n)
            local headers = {{["Content-Type"] = "application/json", ["Authorization"] = "Bearer {token}"}}
            return wrk.format("PUT", path, headers, body)
        end
    """)
    return path


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        data, plain = f"{folder}/data", f"{folder}/baseline.sqlite"
        subprocess.run([program, "seed", "--data", data, "--resources", str(ROOT), "--timezone", "Europe/Vienna"],
                       check=True, stdout=subprocess.DEVNULL)
        therapy = prepare(data, 400_000)
        bare = f"{folder}/baseline"
        subprocess.run(["cc", "-O2", "-o", bare, ROOT / "Tests/Bench/baseline.c", "-lmicrohttpd", "-lsqlite3", "-lpthread"],
                       check=True)
        portal = Portal(program, data)
        try:
            cookie, pia = portal.cookie("ada@example.org"), portal.token("pia@example.org")
            mia = portal.token("mia@example.org")
            _, page = portal.ask("GET", f"/patients/{therapy}/timeline", {"Cookie": cookie})
            _, listed = portal.ask("GET", "/api/v1/my/contributions?limit=100", {"Authorization": f"Bearer {pia}"})
            entries = baseline_database(plain, page, json.loads(listed))
            other = subprocess.Popen([bare, plain, "18999"])
            time.sleep(0.5)
            try:
                measure(portal, therapy, cookie, pia, mia, entries, page, listed, folder)
            finally:
                other.kill()
            print(f"resident memory after the run     {portal.memory():9.1f} MB (aim below 80)")
        finally:
            portal.process.terminate()
            portal.process.wait()


def measure(portal, therapy, cookie, pia, mia, entries, page, listed, folder):
    bare = "http://127.0.0.1:18999"
    print(f"{'':34}{'portal':>9}   {'bare C':>9}   {ROUNDS} rounds of {SECONDS} s, 16 connections, load tool on the same cores")
    compare(
        f"timeline, {entries} entries, {len(page) // 1024} kB", 0.25,
        lambda: wrk(f"{portal.address}/patients/{therapy}/timeline", headers=[f"Cookie: {cookie}"]),
        lambda: wrk(f"{bare}/timeline"))
    compare(
        f"list of 100 sheets, {len(listed) // 1024} kB", 0.25,
        lambda: wrk(f"{portal.address}/api/v1/my/contributions?limit=100", headers=[f"Authorization: Bearer {pia}"]),
        lambda: wrk(f"{bare}/list"))
    put = pathlib.Path(folder) / "put.lua"
    put.write_text('wrk.method = "PUT"\nwrk.body = string.rep("x", 350)\n')
    starts = iter(range(0, 400_000, 100_000))
    compare(
        "durable sheets, 16 clients", 0.5,
        lambda: wrk(portal.address, script=sheets_script(folder, mia, next(starts))),
        lambda: wrk(f"{bare}/put", script=put))


main()
