"""What a study costs: its pages with many sheets, and answers a second of its export."""

import concurrent.futures
import datetime
import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time
import urllib.parse
import uuid

PASSWORD = "zwischen den Sitzungen"
DAYS = int(os.environ.get("BENCH_STUDY_DAYS", "40"))
SHEETS_A_DAY = 90


def ask(port, method, path, token=None, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    response = connection.getresponse()
    return response.status, response.read()


def token(port, email):
    return json.loads(ask(port, "POST", "/api/v1/auth/login", body={"email": email, "password": PASSWORD})[1])[
        "data"]["attributes"]["token"]


def something(question, section):
    """A possible answer."""
    kind = question["type"]
    if kind == "single":
        return (question["options"] or section["options"])[0]["value"]
    if kind in ("slider", "sam"):
        return question["minimum"] or 0
    return 1 if kind == "yes_no" else None


PEOPLE = int(os.environ.get("BENCH_PEOPLE", "2000"))
PROMPT_DAYS = int(os.environ.get("BENCH_PROMPT_DAYS", "105"))


def serve(program, common):
    server = subprocess.Popen(
        [program, "serve", "--port", "0", "--requests-per-minute", "0", "--second-factor", "optional", *common],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return server, int(server.stdout.readline().strip().rsplit(":", 1)[1])


def run(program, root):
    with tempfile.TemporaryDirectory() as folder:
        clock = pathlib.Path(folder, "clock")
        now = int(time.time() * 1000)
        clock.write_text(str(now))
        common = ["--data", f"{folder}/data", "--resources", str(root), "--timezone", "Europe/Vienna"]
        subprocess.run([program, "seed", *common], check=True, stdout=subprocess.DEVNULL)
        server, port = serve(program, [*common, "--clock", str(clock)])
        try:
            measure(port, server, clock, now)
        finally:
            server.terminate()
            server.wait()
    large(program, root)


def memory(server, name="VmHWM"):
    status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith(name)).split()[1]) / 1024


def sign_in(port, email):
    """The cookie of somebody who has signed in at the portal."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/login")
    response = connection.getresponse()
    page = response.read().decode()
    cookie = response.getheader("Set-Cookie").split(";")[0]
    form = re.search(r'name="form_token" value="([^"]+)"', page).group(1)
    body = urllib.parse.urlencode({"form_token": form, "email": email, "password": PASSWORD})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
    connection.request("POST", "/login", body, headers)
    response = connection.getresponse()
    response.read()
    assert response.status == 303
    return response.getheader("Set-Cookie").split(";")[0]


def large(program, root):
    """Two thousand participants with three million answers: the pages of their lead, and the files."""
    with tempfile.TemporaryDirectory() as folder:
        common = ["--data", f"{folder}/data", "--resources", str(root), "--timezone", "Europe/Vienna"]
        before = time.perf_counter()
        subprocess.run(
            [program, "seed", "--participants", str(PEOPLE), "--days", str(PROMPT_DAYS), *common], check=True,
            stdout=subprocess.DEVNULL)
        print(f"seeded {PEOPLE} participants      {time.perf_counter() - before:9.0f} s", flush=True)
        server, port = serve(program, common)
        try:
            lena = token(port, "lena@example.org")
            studies = json.loads(ask(port, "GET", "/api/v1/studies", lena)[1])["data"]
            study = next(s["id"] for s in studies if s["attributes"]["name"] == "grosse-studie")
            pages(port, study, sign_in(port, "lena@example.org"))
            count = None
            for form in ["csv", "wide", "json", "sav", "zip"]:
                before = time.perf_counter()
                size, answers = fetch(port, f"/api/v1/studies/{study}/export?format={form}", lena, form == "csv")
                passed = time.perf_counter() - before
                count = answers if form == "csv" else count
                print(f"export, {form:6}{size / 1e6:8.0f} MB {count:9} answers {count / passed:10.0f} a second "
                      f"(aim 200,000)", flush=True)
            print(f"resident memory at its highest   {memory(server):9.1f} MB (aim below 150)", flush=True)
        finally:
            server.terminate()
            server.wait()


def pages(port, study, cookie):
    for end in ["", "/participants", "/compliance", "/groups", "/results"]:
        waits = []
        for _ in range(5 if end == "/results" else 15):
            before = time.perf_counter()
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", f"/studies/{study}{end}", headers={"Cookie": cookie})
            response = connection.getresponse()
            assert response.status == 200 and response.read()
            waits.append((time.perf_counter() - before) * 1000)
        print(f"page{end or ' of the study':30}{statistics.median(waits):9.1f} ms (aim 100 ms)", flush=True)


def fetch(port, path, token, counts):
    """Reads a file piece by piece, as a disk would."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    response = connection.getresponse()
    assert response.status == 200
    size = answers = 0
    rest = b""
    while piece := response.read(1 << 20):
        size += len(piece)
        if counts:
            # A mark that is cut in two counts with the next piece.
            piece = rest + piece
            answers += piece.count(b",answer,")
            rest = piece[-7:]
    return size, answers


def measure(port, server, clock, now):
    pia = token(port, "pia@example.org")
    items = json.loads(ask(port, "GET", "/api/v1/my/questionnaires", pia)[1])["data"]
    item = next(item["attributes"] for item in items if item["attributes"]["schedules"])
    questionnaire = json.loads(
        ask(port, "GET", f"/api/v1/questionnaires/{item['questionnaire_id']}", pia)[1])["data"]["attributes"]
    # Whoever says yes to everything is asked everything.
    answers = {question["key"]: something(question, section)
               for section in questionnaire["sections"] for question in section["questions"]}

    def send(at):
        stamp = datetime.datetime.fromtimestamp(at / 1000, datetime.timezone.utc).isoformat()
        body = {"study_id": item["study_id"], "questionnaire_id": item["questionnaire_id"], "started_at": stamp,
                "completed_at": stamp, "timezone": "Europe/Vienna", "answers": answers}
        status, text = ask(port, "PUT", f"/api/v1/my/contributions/{uuid.uuid4()}", pia, body)
        assert status == 201, text

    began, sent = time.perf_counter(), 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for day in range(DAYS):
            clock.write_text(str(now + day * 86_400_000 + 86_399_000))
            times = [now + day * 86_400_000 + minute * 600_000 for minute in range(SHEETS_A_DAY)]
            sent += len(list(pool.map(send, times)))
    print(f"sheets sent to a study           {sent / (time.perf_counter() - began):9.0f} a second", flush=True)
    lena = token(port, "lena@example.org")
    study = item["study_id"]
    for name, path in [("study", f"/studies/{study}"), ("participants", f"/studies/{study}/participants")]:
        waits = []
        for _ in range(20):
            before = time.perf_counter()
            assert ask(port, "GET", "/api/v1" + path, lena)[0] == 200
            waits.append((time.perf_counter() - before) * 1000)
        print(f"{name:34}{statistics.median(waits):9.1f} ms (aim 100 ms)", flush=True)
    for form in ["csv", "wide", "json"]:
        before = time.perf_counter()
        status, text = ask(port, "GET", f"/api/v1/studies/{study}/export?format={form}", lena)
        passed = time.perf_counter() - before
        assert status == 200
        count = text.count(b",answer,") if form == "csv" else count
        print(f"export, {form:10}{count:8} answers {count / passed:12.0f} a second (aim 200,000)", flush=True)
    print(f"resident memory at its highest   {memory(server):9.1f} MB (aim below 150)", flush=True)
