"""What participants rely on while things go wrong: two weeks in airplane mode with tabs that die and connections that are
cut (A2), and reminders while relays misbehave and the server is killed (A7). Every sheet and every message is accounted for.

Run by bin/faults participants, whole; a tenth of it by bin/faults --short.
"""

import asyncio
import base64
import collections
import datetime
import json
import os
import pathlib
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import sync_playwright

PROGRAM, ROOT = sys.argv[1:3]
SHARE = float(os.environ.get("FAULTS_SHARE", "1"))
PASSWORD = "zwischen den Sitzungen"
COMMON = ["--resources", ROOT, "--timezone", "Europe/Vienna"]
UTC = datetime.timezone.utc


def stamp(moment):
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def milliseconds(moment):
    return str(int(moment.timestamp() * 1000))


class Server:
    """A seeded clinic; started as often as needed, on one port."""

    def __init__(self, data, *more):
        self.data, self.more, self.port = str(data), more, "0"
        subprocess.run([PROGRAM, "seed", "--data", self.data, *COMMON], check=True, stdout=subprocess.DEVNULL)

    def start(self):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", self.port, "--requests-per-minute", "0", "--second-factor", "optional",
             "--backup-days", "0", "--data", self.data, *COMMON, *self.more],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip().removeprefix("listening on ")
        self.port = self.address.rsplit(":", 1)[1]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=20) == 0, "did not end in order"


class API:
    def __init__(self, address, email):
        self.address, self.token = address, None
        self.token = self("POST", "/auth/login", {"email": email, "password": PASSWORD})["attributes"]["token"]

    def __call__(self, method, path, body=None):
        headers = {"Content-Type": "application/json", "Accept-Language": "de"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + "/api/v1" + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text)["data"] if text else None


# MARK: A2


class Line:
    """The network between a phone and the server, which may be cut after some bytes."""

    def __init__(self, port):
        self.port, self.cuts, self.budget = int(port), 0, None
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()
        self.address = f"http://[::1]:{self.port}"

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_server(self._carry, "::1", self.port))
        ready.set()
        self.loop.run_forever()

    async def _carry(self, reader, writer):
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._pump(reader, back, writer), self._pump(there, writer, back))

    async def _pump(self, source, target, other):
        try:
            while data := await source.read(4096):
                if self.budget is not None:
                    if len(data) >= self.budget:
                        # In the middle of it.
                        target.write(data[: self.budget])
                        self.budget, self.cuts = None, self.cuts + 1
                        target.transport.abort()
                        other.transport.abort()
                        return
                    self.budget -= len(data)
                target.write(data)
                await target.drain()
            target.close()
        except (ConnectionError, OSError):
            target.transport.abort()


class Phone:
    """One browser with one tab, which may be killed. Its clock is the test's."""

    def __init__(self, browser, address):
        self.context = browser.new_context(locale="de-AT", viewport={"width": 390, "height": 844})
        self.address, self.errors, self.kills, self.page, self.moment = address, [], 0, None, None

    def tab(self):
        if self.page is None:
            self.page = self.context.new_page()
            self.page.on("pageerror", lambda error: self.errors.append(str(error)))
            if self.moment:
                self.page.clock.set_fixed_time(self.moment)
        return self.page

    def at(self, moment):
        self.moment = moment
        if self.page:
            self.page.clock.set_fixed_time(moment)

    def kill(self):
        self.kills += 1
        page, self.page = self.page, None
        page.close(run_before_unload=False)

    def open(self, path):
        self.tab().goto(self.address + path)

    def sign_in(self, email):
        self.open("/login")
        self.page.fill("#email", email)
        self.page.fill("#password", PASSWORD)
        self.page.check("#stay_signed_in")
        self.page.click("main button")
        self.page.wait_for_url("**/my")
        self.page.evaluate("navigator.serviceWorker.ready.then(() => true)")

    def keeps(self, path):
        self.page.evaluate(
            """async (path) => {
              for (;;) {
                for (const name of await caches.keys()) {
                  if (name.startsWith("own ") && (await (await caches.open(name)).match(path))) return
                }
                await new Promise((resolve) => setTimeout(resolve, 50))
              }
            }""", path)

    def unsent(self):
        """How many sheets the device holds, as its own database says."""
        return self.tab().evaluate("""() => new Promise((done) => {
            const open = indexedDB.open("intersession")
            open.onsuccess = () => {
                const count = open.result.transaction("outbox").objectStore("outbox").count()
                count.onsuccess = () => { open.result.close(); done(count.result) }
            }
        })""")


def fill_in(phone, path, given, chance, share):
    """Fills in one prompt; the tab dies now and then, and what was typed is there again."""
    while True:
        try:
            phone.open(path)
            page = phone.page
            page.locator("form[data-behaviour~=own-form]:not([hidden])").wait_for(timeout=15_000)
            for _ in range(30):
                if chance.random() < share:
                    raise BrowserError("killed")
                if page.locator("[data-go=send]:visible").count():
                    break
                for question in page.locator("[data-question]:visible").all():
                    key = question.get_attribute("data-question")
                    if question.locator("input:checked").count() == 0:
                        page.locator(f"label[for='answers.{key}.{given[key]}']").click()
                page.locator(".answer__bar [data-go=next]").click()
            page.locator("[data-go=send]").click(no_wait_after=True)
            if chance.random() < share:
                raise BrowserError("killed")
            page.locator("[data-part=waiting]:visible").wait_for(timeout=15_000)
            return
        except BrowserError as error:
            if "killed" not in str(error):
                raise
            phone.kill()
            phone.open("/my/offline")
            held = phone.page.evaluate(HELD)
            if path.rsplit("/", 1)[-1] in held:
                return


# What the outbox holds, by what it answers.
HELD = """async () => {
  const at = document.querySelector('link[rel=modulepreload][href*="/store.js"]').href
  const outbox = await import(new URL("outbox.js", at))
  const state = await import(new URL("state.js", at))
  return (await outbox.entries(state.account)).map((entry) => entry.subject)
}"""


# Why something may still lie there.
STATE = """async () => {
  const at = document.querySelector('link[rel=modulepreload][href*="/store.js"]').href
  const [outbox, state, plan] = await Promise.all(["outbox", "state", "plan"].map((name) => import(new URL(name + ".js", at))))
  const entries = await outbox.entries(state.account)
  const said = [...document.querySelectorAll(".own-state li")].map((one) => one.textContent)
  return [location.href, state.account, state.stays, entries.map((one) => one.refusal ?? "waits"), said, (await plan.refresh()).outcome]
}"""


def test_airplane():
    """A2: two weeks without a network, five prompts a day, tabs killed and connections cut; then a fifteenth day."""
    days = max(2, round(14 * SHARE))
    cuts = max(10, round(200 * SHARE))
    chance = random.Random(20261122)
    began = datetime.datetime.now(UTC).replace(hour=5, minute=30, second=0, microsecond=0) + datetime.timedelta(days=1)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        clock = pathlib.Path(data) / "clock"
        clock.write_text(milliseconds(began))
        server = Server(f"{data}/clinic", "--clock", str(clock))
        server.start()
        study, item = study_of(API(server.address, "lena@example.org"))
        pia = API(server.address, "pia@example.org")
        pia("POST", f"/studies/{study}/enrolment", {"consent_accepted": True})
        line = Line(server.port)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        phone = Phone(browser, line.address)
        phone.at(began)
        phone.sign_in("pia@example.org")
        phone.open("/my/offline")
        plan = phone.page.evaluate("fetch('/my/offline/plan', {headers: {Accept: 'application/json'}}).then((one) => one.json())")
        prompts = [one for one in plan["entries"] if one["title"].startswith("Wohlbefinden") and "assignment" in one["target"]
                   and one["due"] and one["from"] < (began + datetime.timedelta(days=days)).timestamp() * 1000]
        prompts = sorted(prompts, key=lambda one: one["from"])[: days * 5]
        assert len(prompts) == days * 5, len(prompts)
        phone.keeps(f"/my/offline/forms/{prompts[0]['version']}")
        for page in ("/my", "/my/offline"):
            phone.keeps(page)
        phone.context.set_offline(True)

        # Half of the cuts, and a few more, while there is no network: tabs die in the middle of it, by chance.
        share = 1.15 * cuts / 2 / (len(prompts) * 5)
        answers = {}
        for prompt in prompts:
            phone.at(datetime.datetime.fromtimestamp(prompt["from"] / 1000 + 300, UTC))
            answers[prompt["key"]] = {key: str(chance.randrange(0, 4)) for key in ("enjoyed", "calm", "energy", "slept", "company")}
            fill_in(phone, prompt["path"], answers[prompt["key"]], chance, share)
        assert phone.unsent() == len(prompts), (phone.unsent(), len(prompts))

        # Another day, and nothing to reach: every page says so, and nothing breaks.
        phone.at(began + datetime.timedelta(days=days, hours=8))
        for path in ("/my", "/my/results", "/my/interventions", "/my/appointments", "/my/more", "/my/therapist", "/my/settings", "/my/offline"):
            phone.open(path)
            phone.page.get_by_text("Keine Verbindung zum Server").first.wait_for()
            phone.page.locator(".numbers__one strong").first.wait_for()
        assert phone.errors == [], phone.errors

        # Home again, with a bad line: the other half of the cuts.
        back = began + datetime.timedelta(days=days, hours=9)
        clock.write_text(milliseconds(back))
        phone.at(back)
        phone.context.set_offline(False)
        rounds = 0
        while line.cuts < cuts / 2 or phone.unsent():
            rounds += 1
            assert rounds < cuts * 4, ("it never arrives", line.cuts, phone.page.evaluate(STATE))
            if line.cuts < cuts / 2:
                line.budget = chance.randrange(1, 6000)
            try:
                phone.open("/my")
                phone.page.wait_for_timeout(chance.randrange(50, 400))
                if chance.random() < 0.1:
                    phone.kill()
            except BrowserError:
                phone.kill()
            if line.cuts >= cuts / 2:
                line.budget = None
                phone.open("/my")
                phone.page.wait_for_timeout(200)
        found = pia("GET", "/my/contributions?limit=200")
        mine = [one["attributes"] for one in found if one["attributes"]["study_id"] == study]
        expected = sorted(tuple(sorted(given.items())) for given in answers.values())
        arrived = sorted(tuple(sorted((key, str(int(value))) for key, value in one["answers"].items())) for one in mine)
        assert len(mine) == len(prompts), (len(mine), len(prompts))
        assert arrived == expected, "other answers than were given"
        assert len({one["completed_at"] for one in mine}) == len(prompts)
        browser.close()
        server.stop()
    return f"{len(prompts)} prompts of {days} days, {phone.kills} tabs killed, {line.cuts} connections cut: each sheet once"


def study_of(lena):
    text = {"de": "Ich nehme teil.", "en": "I take part."}
    study = lena("POST", "/studies", {
        "name": "flug", "title": {"de": "Unterwegs", "en": "On the way"}, "consent_text": text, "running": True})["id"]
    times = ["09:00", "12:00", "15:00", "18:00", "21:00"]
    schedules = [{"type": "fixed", "at": at, "amount": 1, "every": 1, "unit": "day", "start_day": 0} for at in times]
    item = lena("POST", f"/studies/{study}/questionnaires", {
        "questionnaire_key": "wellbeing-5", "is_onetime": False, "schedules": schedules})["id"]
    return study, item


# MARK: A7


class Relay:
    """What stands between the server and devices: it keeps what came and when, and misbehaves as it is told."""

    def __init__(self):
        self.accepted = collections.defaultdict(list)
        self.bodies, self.tokens, self.gone, self.busy, self.rested = [], set(), set(), 0.0, set()
        self.loop = asyncio.new_event_loop()
        self.chance = random.Random(7)
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 17))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()

    async def _serve(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                lines = head.split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                writer.write(self._answer(lines[0].split(" ")[1], headers, body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def _answer(self, path, headers, body):
        key = (path, headers["topic"])
        if path in self.gone:
            return b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"
        if self.chance.random() < self.busy and key not in self.rested:
            self.rested.add(key)
            return b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n"
        self.accepted[key].append(time.time())
        assert int(headers["ttl"]) > 0, "after its window"
        if len(self.accepted) % 100 == 1:
            self.bodies.append(body)
            self.tokens.add(headers["authorization"])
        return b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


class Devices:
    """Browsers and apps of the demonstration's patients, all with the keys of one device."""

    def __init__(self, server, relay, people, each):
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        text = lambda value: base64.urlsafe_b64encode(value).decode().rstrip("=")  # noqa: E731
        self.paths, self.people = [], people
        for name in people:
            for index in range(each):
                own = API(server.address, f"{name}@example.org")
                device = next(one["id"] for one in own("GET", "/my/devices?limit=200") if one["attributes"]["current"])
                path = f"/{name}/{index}"
                own("PUT", f"/my/devices/{device}/push", {
                    "endpoint": f"http://127.0.0.1:{relay.port}{path}", "wants": ["prompts"],
                    "keys": {"p256dh": text(point), "auth": text(self.secret)}})
                self.paths.append(path)

    def opens(self, body):
        import http_ece

        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        return json.loads(plain.rstrip(b"\0"))


def plant(data, people, each, begin, spread, length):
    """Assignments that open one after the other, straight into the database: a rule would take a night for so many."""
    with sqlite3.connect(f"{data}/intersession.sqlite", timeout=60) as database:
        therapies = [row[0] for row in database.execute(
            "SELECT DISTINCT t.id FROM therapies t JOIN push_subscriptions s ON s.account_id = t.account_id WHERE t.ended_at IS NULL")]
        assert len(therapies) == people
        known = database.execute("SELECT * FROM assignments LIMIT 1")
        names = [column[0] for column in known.description]
        base = dict(zip(names, known.fetchone()))
        made = set()
        for therapy in therapies:
            for index in range(each):
                moment = int((begin + spread * index / each) * 1000)
                row = base | {
                    "id": str(uuid.uuid4()), "therapy_id": therapy, "source": "therapist",
                    "available_from": moment, "due_at": moment + length * 1000, "assigned_at": int(begin * 1000), "position": 0}
                for name in ("withdrawn_at", "fetched_at", "notified_at", "opened_at", "pushed_at", "shown_at", "planned_on",
                             "period", "rule_id", "occasion"):
                    if name in row:
                        row[name] = None
                row["withdrawn_by_plan"] = 0
                database.execute(
                    f"INSERT INTO assignments ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
                made.add(row["id"])
    return made


def awaited(data, planted, paths, gone):
    """What the relay is to take of what was planted, by device and topic: since when, and until when. Not by how many it took:
    the clinic of the demonstration has reminders of its own, at their own times of day."""
    import hashlib

    with sqlite3.connect(f"file:{data}/intersession.sqlite?mode=ro", uri=True, timeout=60) as database:
        rows = database.execute(
            "SELECT s.id, a.id, a.available_from, a.due_at FROM push_subscriptions s "
            "JOIN therapies t ON t.account_id = s.account_id JOIN assignments a ON a.therapy_id = t.id").fetchall()
        # Endpoints lie there sealed; devices subscribed one after the other.
        made = [row[0] for row in database.execute("SELECT id FROM push_subscriptions ORDER BY rowid")]
    assert len(made) == len(paths)
    path_of = dict(zip(made, paths))
    found = {}
    for subscription, subject, begin, end in rows:
        path = path_of[subscription]
        if subject not in planted or path in gone:
            continue
        digest = hashlib.blake2b(f"{subscription}/{subject}".encode(), digest_size=32).digest()
        topic = base64.urlsafe_b64encode(digest).decode().rstrip("=")[:32]
        found[path, topic] = (begin / 1000, end / 1000)
    return found


def arrive(relay, wanted, seconds):
    """Waits until the relay has taken all that it was to take."""
    end = time.time() + seconds
    while missing := [key for key in wanted if key not in relay.accepted]:
        assert time.time() < end, f"{len(missing)} of {len(wanted)} never came"
        time.sleep(0.2)


def test_push_load():
    """A7: very many reminders due within a minute, some devices gone, a relay that is busy: each accepted once, in time."""
    people, devices = ["pia", "tom", "mia", "jan"], 45
    each = max(20, round(278 * SHARE))
    with tempfile.TemporaryDirectory() as data:
        relay = Relay()
        server = Server(f"{data}/clinic", "--push-host", f"127.0.0.1:{relay.port}")
        server.start()
        phones = Devices(server, relay, people, devices)
        relay.gone, relay.busy = {phones.paths[3], phones.paths[100]}, 0.01
        begin = time.time() + 3
        spread = 60 * min(1, SHARE * 1.5)
        # Others that are not counted, as the clinic has some of its own by day.
        plant(f"{data}/clinic", len(people), 2, begin, spread, 600)
        planted = plant(f"{data}/clinic", len(people), each, begin, spread, 600)
        wanted = awaited(f"{data}/clinic", planted, phones.paths, relay.gone)
        assert len(wanted) == each * (len(phones.paths) - 2), len(wanted)
        arrive(relay, wanted, 240)
        # For what would come twice.
        time.sleep(1)
        server.stop()
        times = {key: relay.accepted[key] for key in wanted}
        twice = [key for key, moments in times.items() if len(moments) > 1]
        assert twice == [], f"{len(twice)} were accepted twice"
        waits = sorted(moments[0] - wanted[key][0] for key, moments in times.items())
        late = [key for key, moments in times.items() if moments[0] > wanted[key][1]]
        assert late == [], "after its window"
        p99 = waits[int(len(waits) * 0.99)]
        assert p99 < 30, f"p99 {p99:.1f} s"
        lengths = {len(body) for body in relay.bodies}
        assert len(lengths) == 1, lengths
        for body in relay.bodies:
            letter = phones.opens(body)
            assert letter["web_push"] == 8030 and letter["notification"]["body"] == "Es gibt etwas Neues für Sie."
        verified(relay.tokens)
    return (f"{len(wanted)} accepted once, {len(relay.rested)} after a rest, {len(relay.bodies)} opened by http-ece, "
            f"median {statistics.median(waits):.1f} s, p99 {p99:.1f} s")


def verified(tokens):
    """What relays check of who sends, by another's hand."""
    from py_vapid import Vapid02

    for token in tokens:
        # The library splits at the last blank; RFC 8292 writes one after the comma, and so do we.
        assert Vapid02.verify(token.replace(", ", ",")), token


def test_payloads():
    """A7: ten thousand random payloads that our own code has sealed, opened by another's."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    def plain(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/sealed"
        # As it was built for the other tests: `swift test` would build everything anew where that was with other flags.
        built = pathlib.Path(ROOT) / ".build/debug/intersessionPackageTests.xctest"
        tests = [built, "--testing-library", "swift-testing"] if built.exists() else ["swift", "test"]
        subprocess.run(
            [*tests, "--filter", "WebPushTests"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "INTERSESSION_SEALED": path})
        lines = pathlib.Path(path).read_text().split("\n")
    own, secret = (plain(text) for text in lines[0].split(" "))
    key = ec.derive_private_key(int.from_bytes(own, "big"), ec.SECP256R1())
    for line in lines[1:]:
        sealed, wanted = (plain(text) for text in line.split(" "))
        opened = http_ece.decrypt(sealed, private_key=key, auth_secret=secret, version="aes128gcm")
        # The padding goes with the record, or stays as zeros.
        assert opened[: len(wanted)] == wanted and not opened[len(wanted):].strip(b"\0")
    assert len(lines) == 10_001
    return f"{len(lines) - 1} payloads opened by http-ece"


def test_push_kills():
    """A7: the server killed again and again while it sends: nothing lost in its window, nothing sent twice but what was under way."""
    kills = max(8, round(200 * SHARE))
    chance = random.Random(11)
    with tempfile.TemporaryDirectory() as data:
        relay = Relay()
        server = Server(f"{data}/clinic", "--push-host", f"127.0.0.1:{relay.port}")
        server.start()
        phones = Devices(server, relay, ["pia", "tom"], 10)
        each = 5 * kills
        begin = time.time() + 1
        plant(f"{data}/clinic", 2, 2, begin, kills * 0.8, 1800)
        planted = plant(f"{data}/clinic", 2, each, begin, kills * 0.8, 1800)
        wanted = awaited(f"{data}/clinic", planted, phones.paths, relay.gone)
        assert len(wanted) == each * len(phones.paths), len(wanted)
        deaths = []
        for _ in range(kills):
            time.sleep(0.2 + chance.random() * 0.8)
            server.kill()
            deaths.append(time.time())
            server.start()
        arrive(relay, wanted, 120)
        # What was under way at a kill is sent again half a minute later.
        time.sleep(35 if SHARE < 1 else 40)
        server.stop()
        times = {key: relay.accepted[key] for key in wanted}
        twice = {key: moments for key, moments in times.items() if len(moments) > 1}
        for key, moments in twice.items():
            # Only what the relay had taken and nobody had noted when the server died.
            for first, second in zip(moments, moments[1:]):
                assert any(first <= death <= first + 2 and death < second for death in deaths), (key, moments)
        late = [key for key, moments in times.items() if moments[-1] > wanted[key][1]]
        assert late == [], "after its window"
    return f"{len(wanted)} messages, {kills} kills: none lost, {len(twice)} of those under way were sent again"


if __name__ == "__main__":
    wanted = sys.argv[3:]
    for name, test in list(globals().items()):
        if name.startswith("test_") and (not wanted or any(word in name for word in wanted)):
            start = time.monotonic()
            print(f"{name}: {test()} ({time.monotonic() - start:.0f} s)", flush=True)
