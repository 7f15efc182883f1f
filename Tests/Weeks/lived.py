"""A clinic that is lived in: its clock moves on by days, the server stops at night, and each browser is closed in the evening and
opened again in the morning with what it kept."""

import contextlib
import datetime
import json
import math
import os
import pathlib
import re
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
import zoneinfo

from browsers import patience
from servers import launch

ROOT = pathlib.Path(os.environ["INTERSESSION_ROOT"])
PROGRAM = os.environ["INTERSESSION_PROGRAM"]
PASSWORD = "zwischen den Sitzungen"
CLOCK = str(ROOT / ".build/clock.so")
ZONE = "Europe/Vienna"
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DAY = 86_400


def moved(offset):
    """An environment whose programs live that many seconds later."""
    return os.environ | {"LD_PRELOAD": CLOCK, "CLOCK_OFFSET": str(offset), "TZ": ZONE}


class API:
    """One person's calls, signed in once and kept as an app keeps its token; staff sign in each morning. Without an address, a visitor's."""

    def __init__(self, house, email=None, password=PASSWORD):
        self.house, self.token = house, None
        if email:
            self.token = self("POST", "/auth/login", {"email": email, "password": password})["attributes"]["token"]

    def __call__(self, method, path, body=None):
        text = self.file(path, method, body)
        return json.loads(text)["data"] if text else None

    def file(self, path, method="GET", body=None):
        """An answer as it comes."""
        headers = {"Content-Type": "application/json", "Accept-Language": "de"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(
            self.house.address + "/api/v1" + path, json.dumps(body).encode() if body is not None else None, headers,
            method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.read()
        except urllib.error.HTTPError as refused:
            refused.msg += f": {method} {path}: {refused.read().decode()[:500]}"
            raise

    def status(self, method, path, body=None):
        try:
            self(method, path, body)
            return 200
        except urllib.error.HTTPError as refused:
            return refused.code


def registered(house, email, password, zone=ZONE):
    """A new account, with the address confirmed by the link of the mail, as its phone calls for it."""
    API(house)("POST", "/auth/register", {"email": email, "password": password, "password_confirmation": password,
                                          "privacy_accepted": True, "language": "de", "timezone": zone})
    mail = next(mail for mail in house.mails() if email in mail)
    token = re.search(r"/verify-email\?token=([\w-]+)", mail.replace("=\n", "").replace("=3D", "=")).group(1)
    API(house)("POST", "/auth/email/verify", {"token": token})
    return API(house, email, password)


def until_ten():
    """Seconds until the clinic's next ten o'clock, where its days begin: whenever the tests run, no day ends in the middle of an act."""
    now = datetime.datetime.now(zoneinfo.ZoneInfo(ZONE))
    return int((now.replace(hour=10, minute=0, second=0, microsecond=0) - now).total_seconds()) % DAY


class House:
    """The server of one clinic over days. `offset` is how far its clock and those of all browsers are ahead."""

    def __init__(self, data):
        self.data, self.offset, self.server, self.port = data, until_ten(), None, 0
        self.address = None
        subprocess.run([PROGRAM, "seed", *self._common], check=True, stdout=subprocess.DEVNULL, env=moved(self.offset))

    @property
    def _common(self):
        return ["--data", str(self.data), "--resources", str(ROOT), "--timezone", ZONE]

    @property
    def now(self):
        return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=self.offset)

    @property
    def today(self):
        return self.now.astimezone(zoneinfo.ZoneInfo(ZONE)).date()

    def opens(self):
        """At the same port each morning: a browser keeps what it has for one address."""
        self.server, self.address = launch(
            "--port", str(self.port), "--second-factor", "optional", "--outbox", *self._common, env=moved(self.offset))
        self.port = int(self.address.rsplit(":", 1)[1])

    def closes(self):
        self.server.terminate()
        assert self.server.wait(timeout=patience(30)) == 0
        self.server = None

    def sleeps(self, days=1):
        self.offset += days * DAY

    def sleeps_until(self, hour, minute=0):
        """The next time that the clinic's clocks show this, however long the day has taken."""
        local = self.now.astimezone(zoneinfo.ZoneInfo(ZONE))
        morning = local.replace(hour=hour, minute=minute, second=0, microsecond=0)
        if morning <= local:
            morning += datetime.timedelta(days=1)
        # By the clocks of one zone a difference would not know of a change between summer and winter.
        self.offset += math.ceil(morning.timestamp() - local.timestamp())

    def verify(self):
        found = subprocess.run([PROGRAM, "verify", *self._common[:2]], capture_output=True, text=True, env=moved(self.offset))
        assert found.returncode == 0, found.stdout + found.stderr

    def rows(self, statement, *values):
        """What is stored, past everything that shows it."""
        with contextlib.closing(sqlite3.connect(f"file:{self.data}/intersession.sqlite?mode=ro", uri=True)) as database:
            return database.execute(statement, values).fetchall()

    def mails(self):
        return [path.read_text(encoding="utf-8") for path in sorted(self.data.glob("outbox/*.eml"))]


class Person:
    """A browser of their own, with a profile that outlives each closing."""

    def __init__(self, playwright, house, folder, name, **look):
        self.playwright, self.house, self.look = playwright, house, look
        self.folder = folder / name
        self.context = self.page = None

    def opens(self):
        self.context = self.playwright.chromium.launch_persistent_context(
            str(self.folder), executable_path="/usr/bin/chromium", args=["--no-sandbox"], locale="de-AT", timezone_id=ZONE,
            env=moved(self.house.offset), **self.look)
        self.page = self.context.new_page()
        # What a person reopens is a page of theirs; the empty one that the browser begins with is not looked at.
        for page in self.context.pages[:-1]:
            page.close()

    def closes(self):
        if self.context:
            self.context.close()
        self.context = self.page = None

    def new_tab(self):
        """In the place of the one in view, which may be about to go somewhere by itself."""
        before, self.page = self.page, self.context.new_page()
        before.close()

    def open(self, path):
        return self.page.goto(self.house.address + path)

    def text(self, selector="main"):
        return self.page.locator(selector).first.inner_text()

    @property
    def path(self):
        return self.page.url.removeprefix(self.house.address)

    def signs_in(self, email, password=PASSWORD, stays=False):
        self.open("/login")
        self.page.fill("#email", email)
        self.page.fill("#password", password)
        if stays:
            self.page.check("#stay_signed_in")
        self.page.click("main form .button--primary, main form button")
        self.page.wait_for_url(lambda url: "/login" not in url)

    def offline(self, away=True):
        # Playwright waits for ever for a worker that does not run to hear of it.
        if away:
            self.page.evaluate("fetch('/my/manifest.json').then(() => true)")
        self.context.set_offline(away)

    def until(self, expression, argument=None):
        """Asks until it is so; own pages allow nobody to make functions of text."""
        for _ in range(1200):
            if self.page.evaluate(expression, argument):
                return
            # Between two looks, so that the page comes to what is waited for.
            self.page.wait_for_timeout(25)
        raise AssertionError(expression)

    def answers(self, choose=-1):
        """Everything that the part of the form in view asks, with the last choice of each question or the one named."""
        page = self.page
        for question in page.locator("[data-question]:visible, main form fieldset:visible").all():
            radios = question.locator("input[type=radio]")
            if radios.count():
                radios.nth(choose % radios.count()).check(force=True)
            for number in question.locator("input[data-number]").all():
                number.fill(number.get_attribute("data-minimum") or "1")

    def sends(self, path, choose=-1):
        """From the first part to the last button."""
        self.open(path)
        # Without a network a script draws it.
        self.page.locator("main form:not([hidden]) .answer__bar").first.wait_for()
        for _ in range(40):
            send = self.page.locator("[data-go=send]:visible, button[value=send]:visible")
            if send.count():
                send.first.click()
                return
            self.answers(choose)
            self.page.locator(".answer__bar .button--primary:visible").first.click()
        raise AssertionError(f"no end of {path}")
