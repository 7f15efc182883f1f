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

import measured
import phones
import rules
import sounds
import studies
import years

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "zwischen den Sitzungen"
SECONDS = int(os.environ.get("BENCH_SECONDS", "5"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))


class Portal:
    def __init__(self, program, data, *more):
        common = [*more, "--data", data, "--resources", str(ROOT), "--timezone", "Europe/Vienna"]
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--requests-per-minute", "0", "--second-factor", "optional", *common],
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


def prepare(data, assignments, long_key):
    """Open assignments for the load of answer sheets, of somebody else than the one whose pages are read."""
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    therapy = database.execute("SELECT id FROM therapies WHERE codename = 'C448213'").fetchone()[0]
    find = lambda key: database.execute("SELECT id FROM questionnaires WHERE key = ?", (key,)).fetchone()[0]
    questionnaires = [find("between-sessions"), find(long_key)]
    now = int(time.time() * 1000)
    day = 86_400_000
    # The first part is for the short form, the last fifth for the long one.
    database.executemany(
        "INSERT INTO assignments (id, therapy_id, questionnaire_id, source, available_from, due_at, assigned_at, fetched_at)"
        " VALUES (?, ?, ?, 'daily', ?, ?, ?, ?)",
        ((f"{n:08x}-0000-4000-8000-{n:012x}", therapy, questionnaires[n >= assignments * 4 // 5], now - day, now + day,
          now, now) for n in range(assignments)))
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


SHORT = {key: 2 for key in
         ["came_back", "hard_moment", "dream", "inner_talk", "tried_out", "looked_ahead", "lighter", "heavier"]}


def long_questionnaire(folder):
    """The real one of 111 items where it lies beside the checkout, else one as long; its path, key and answers."""
    real = ROOT.parent / "shared/instruments/tys-baseline.json"
    path = pathlib.Path(folder) / "long.json"
    if real.exists():
        path = real
    else:
        options = [{"value": n, "text": {"de": str(n)}} for n in range(5)]
        questions = [{"key": f"q{n}", "type": "single", "required": True, "text": {"de": f"Frage {n}"}} for n in range(111)]
        scales = [{"key": f"s{n}", "title": {"de": f"S{n}"}, "method": "sum",
                   "items": [f"q{m}" for m in range(n * 10, n * 10 + 10)]} for n in range(11)]
        path.write_text(json.dumps({
            "format": "intersession-questionnaire/1", "key": "long", "version": 1, "title": {"de": "Lang"},
            "sections": [{"key": "s", "options": options, "questions": questions}], "scales": scales}))
    file = json.loads(path.read_text())
    answers = {}
    for section in file["sections"]:
        for question in section["questions"]:
            options = question.get("options", section.get("options"))
            kind = question["type"]
            first = options[0]["value"] if kind in ("single", "multiple") else question.get("minimum", 0)
            value = [first] if kind == "multiple" else "x" if kind == "text" else "2026-01-01" if kind == "date" else first
            if kind == "multiple":
                value = [option["value"] for option in options[:question.get("minimum_choices", 1)]]
            answers[question["key"]] = value
    return path, file["key"], answers


def sheets_script(folder, token, start, sheet=SHORT):
    path = pathlib.Path(folder) / f"sheets-{start}.lua"
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 60))
    answers = json.dumps(sheet, separators=(",", ":"))[1:-1].replace("'", "")
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


def unfolded(therapy):
    """The timeline with all its entries: as it is opened it shows those of the interval that runs, and the bare program
    would have nothing to read."""
    return f"/patients/{therapy}/timeline?before={int(time.time() + 86_400) * 1000}"


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        data, plain = f"{folder}/data", f"{folder}/baseline.sqlite"
        subprocess.run([program, "seed", "--data", data, "--resources", str(ROOT), "--timezone", "Europe/Vienna"],
                       check=True, stdout=subprocess.DEVNULL)
        long_path, long_key, answers = long_questionnaire(folder)
        subprocess.run([program, "questionnaire", "import", str(long_path), "--data", data, "--resources", str(ROOT)],
                       check=True, stdout=subprocess.DEVNULL)
        therapy = prepare(data, 500_000, long_key)
        bare = f"{folder}/baseline"
        subprocess.run(["cc", "-O2", "-o", bare, ROOT / "Tests/Bench/baseline.c", "-lmicrohttpd", "-lsqlite3", "-lpthread"],
                       check=True)
        portal = Portal(program, data)
        try:
            cookie, pia = portal.cookie("ada@example.org"), portal.token("pia@example.org")
            mia = portal.token("mia@example.org")
            _, page = portal.ask("GET", unfolded(therapy), {"Cookie": cookie})
            _, listed = portal.ask("GET", "/api/v1/my/contributions?limit=100", {"Authorization": f"Bearer {pia}"})
            entries = baseline_database(plain, page, json.loads(listed))
            other = subprocess.Popen([bare, plain, "18999"])
            time.sleep(0.5)
            try:
                measure(portal, therapy, cookie, pia, mia, entries, page, listed, folder)
                long_sheets(portal, mia, folder, answers)
                phones.nothing_new(portal, pia)
            finally:
                other.kill()
            print(f"resident memory after the run     {portal.memory():9.1f} MB (aim below 80)")
        finally:
            portal.process.terminate()
            portal.process.wait()
        data, common = populate(program, folder)
        plan_ahead(program, data, common)
        follow_rules(program, data, common)
    phones.crowd(program, ROOT)
    five_years(program)
    sounds.run(program, ROOT, Portal, wrk)
    measured.run(program, ROOT, Portal)
    studies.run(program, ROOT)


def taken_on(portal, count):
    """New patients of Ada's, by their ids."""
    headers = {"Authorization": f"Bearer {portal.token('ada@example.org')}", "Content-Type": "application/json"}
    made = [portal.ask("POST", "/api/v1/patients", headers, "{}")[1] for _ in range(count)]
    return [json.loads(answer)["data"]["id"] for answer in made]


def five_years(program):
    """The pages of a patient who has been there for long, and of a therapist with many."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        subprocess.run([program, "seed", "--data", folder, "--resources", str(ROOT), "--timezone", "Europe/Vienna"],
                       check=True, stdout=subprocess.DEVNULL)
        therapy = years.fill(folder)
        portal = Portal(program, folder)
        try:
            years.pages(portal, portal.cookie("ada@example.org"), therapy)
            scale = f"/patients/{years.course(folder)}/scales/between-sessions/intensity"
            years.measure(portal, portal.cookie("ben@example.org"), [("scale, five years", scale)])
            own = portal.cookie("nina@example.org")
            years.measure(portal, own, [("own day", "/my"), ("own course of two years", "/my/results")], "5 ms, 150 kB")
            years.caseload(folder, taken_on(portal, 60))
            cookie = portal.cookie("ada@example.org")
            years.measure(portal, cookie, [("today, sixty sessions", "/"), ("sixty more patients", "/patients")])
        finally:
            portal.process.terminate()
            portal.process.wait()


def long_sheets(portal, token, folder, answers):
    """What a sheet of 111 answers costs beside one of eight."""
    starts = iter(range(300_000, 500_000, 100_000 // ROUNDS // 2))
    rates = []
    long_starts = iter(range(400_000, 500_000, 100_000 // ROUNDS))
    for _ in range(ROUNDS):
        short, _ = wrk(portal.address, script=sheets_script(folder, token, next(starts)), seconds=SECONDS)
        long, _ = wrk(portal.address, script=sheets_script(folder, token, next(long_starts), answers), seconds=SECONDS)
        rates.append((short, long))
    ratios = sorted(short / long for short, long in rates)
    print(f"a sheet of {len(answers)} answers costs     {statistics.median(ratios):9.2f} of one of eight "
          f"({ratios[0]:.2f}-{ratios[-1]:.2f}, aim 1.5)", flush=True)


def populate(program, folder, patients=int(os.environ.get("BENCH_CLINIC", "10000"))):
    """A clinic of ten thousand, all of one therapist; its folder and what every command on it takes."""
    data = f"{folder}/many"
    common = ["--data", data, "--resources", str(ROOT), "--timezone", "Europe/Vienna"]
    subprocess.run([program, "seed", *common], check=True, stdout=subprocess.DEVNULL)
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    account = database.execute("SELECT * FROM accounts WHERE kind = 'patient' LIMIT 1")
    names = [column[0] for column in account.description]
    model = dict(zip(names, account.fetchone()))
    therapy = database.execute("SELECT * FROM therapies WHERE account_id IS NOT NULL AND ended_at IS NULL LIMIT 1")
    therapy_names = [column[0] for column in therapy.description]
    therapy_model = dict(zip(therapy_names, therapy.fetchone()))
    zones = ["Europe/Vienna", "Europe/London", "America/New_York", "Asia/Tokyo"]
    for n in range(patients):
        model |= {"id": f"{n:08x}-2222-4222-8222-{n:012x}", "email_lookup": n.to_bytes(32, "big"), "timezone": zones[n % 4]}
        therapy_model |= {"id": f"{n:08x}-3333-4333-8333-{n:012x}", "account_id": model["id"], "codename": f"ZZ{n:06d}",
                          "dailies_until": None, "dailies_zone": None}
        marks = lambda names: ",".join("?" * len(names))
        database.execute(f"INSERT INTO accounts VALUES ({marks(names)})", [model[name] for name in names])
        database.execute(f"INSERT INTO therapies VALUES ({marks(therapy_names)})", [therapy_model[name] for name in therapy_names])
    database.commit()
    database.close()
    return data, common


def plan_ahead(program, data, common):
    """Dailies of a week for a clinic of ten thousand, as the housekeeping plans them at the start."""
    plan_once(program, common, "the first week, 21 each")
    # As it is every day from then on: the week moves by a day.
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    database.execute("DELETE FROM assignments WHERE planned_on = (SELECT dailies_until FROM therapies"
                     " WHERE therapies.id = assignments.therapy_id)")
    database.execute("UPDATE therapies SET dailies_until = date(dailies_until, '-1 day')")
    database.commit()
    database.close()
    plan_once(program, common, "a day's run, 3 each (aim 2 s)")


def follow_rules(program, data, common):
    """Five rules each for ten thousand patients."""
    patients = rules.fill(data)
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    therapy = database.execute("SELECT id FROM therapies WHERE codename = 'C448213'").fetchone()[0]
    questionnaire = database.execute("SELECT id FROM questionnaires WHERE key = ?", (rules.KEY,)).fetchone()[0]
    now = int(time.time() * 1000)
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now / 1000 - 60))
    assignments = [(f"{n:08x}-9999-4999-8999-{n:012x}", stamp) for n in range(2_000)]
    database.executemany(
        "INSERT INTO assignments (id, therapy_id, questionnaire_id, source, available_from, due_at, assigned_at, fetched_at)"
        " VALUES (?, ?, ?, 'therapist', ?, ?, ?, ?)",
        ((assignment, therapy, questionnaire, now - 86_400_000, now + 86_400_000, now, now) for assignment, _ in assignments))
    database.commit()
    database.close()
    rules.by_the_clock(program, common, patients)
    portal = Portal(program, data)
    try:
        rules.at_an_answer(portal, iter(assignments))
    finally:
        portal.process.terminate()
        portal.process.wait()


def plan_once(program, common, name):
    server = subprocess.Popen([program, "serve", "--port", "0", "--second-factor", "optional", *common], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
    for line in server.stderr:
        event = json.loads(line)
        if event.get("event") == "dailies planned":
            seconds = int(event["milliseconds"]) / 1000
            print(f"dailies of {event['therapies']} patients planned and stored {seconds:6.2f} s for {name}", flush=True)
            break
    server.terminate()
    server.wait()


def measure(portal, therapy, cookie, pia, mia, entries, page, listed, folder):
    bare = "http://127.0.0.1:18999"
    print(f"{'':34}{'portal':>9}   {'bare C':>9}   {ROUNDS} rounds of {SECONDS} s, 16 connections, load tool on the same cores")
    compare(
        f"timeline, {entries} entries, {len(page) // 1024} kB", 0.25,
        lambda: wrk(f"{portal.address}{unfolded(therapy)}", headers=[f"Cookie: {cookie}"]),
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


if __name__ == "__main__":
    main()
