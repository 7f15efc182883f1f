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

        # Half of the cuts while there is no network: tabs die in the middle of it.
        share = cuts / 2 / (len(prompts) * 7)
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
            phone.page.locator(".own__number strong").first.wait_for()
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
        assert len({one["assignment_id"] for one in mine}) == len(prompts)
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


if __name__ == "__main__":
    wanted = sys.argv[3:]
    for name, test in list(globals().items()):
        if name.startswith("test_") and (not wanted or any(word in name for word in wanted)):
            start = time.monotonic()
            print(f"{name}: {test()} ({time.monotonic() - start:.0f} s)", flush=True)
