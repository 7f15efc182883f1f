"""A seeded clinic served by the real program, and a Chromium to look at it with."""

import contextlib
import os
import pathlib
import subprocess
import tempfile

import browsers
import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(os.environ["INTERSESSION_ROOT"])
PROGRAM = os.environ["INTERSESSION_PROGRAM"]
PASSWORD = "zwischen den Sitzungen"


@pytest.fixture(scope="session")
def clinic():
    with serving("optional") as address:
        yield address


@pytest.fixture(scope="session")
def strict_clinic():
    """Where staff need a second factor."""
    with serving("required") as address:
        yield address


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; `bin/test` leaves it to `--all`")


@contextlib.contextmanager
def serving(factor, data=None, *more, questionnaires=(), prepare=lambda: None):
    """A seeded clinic; in a folder of one's own, so that its mails can be read. What prepares it comes between seed and start."""
    with contextlib.nullcontext(data) if data else tempfile.TemporaryDirectory() as data:
        common = ["--data", data, "--resources", str(ROOT), "--timezone", "Europe/Vienna"]
        subprocess.run([PROGRAM, "seed", *common], check=True, stdout=subprocess.DEVNULL)
        for path in questionnaires:
            subprocess.run([PROGRAM, "questionnaire", "import", str(path), *common[:4]], check=True, stdout=subprocess.DEVNULL)
        prepare()
        server = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--requests-per-minute", "0", "--second-factor", factor, *more, *common],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            yield server.stdout.readline().strip().removeprefix("listening on ")
        finally:
            server.terminate()
            assert server.wait(timeout=15) == 0


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser; fails the test on any complaint of the browser's console."""

    def __init__(self, context, address):
        self.address = address
        self.page = context.new_page()
        self.complaints = []
        self.elsewhere = []
        self.page.on("console", self._hear)
        self.page.on("request", self._watch)

    def _hear(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _watch(self, request):
        if not request.url.startswith(self.address):
            self.elsewhere.append(request.url)

    def open(self, path):
        return self.page.goto(self.address + path)

    def sign_in(self, email="ada@example.org"):
        self.open("/login")
        self.page.fill("#email", email)
        self.page.fill("#password", PASSWORD)
        self.page.click("main button")

    def open_patient(self, codename="C020480"):
        self.open("/patients")
        self.page.click(f"text={codename}")
        return self.page.url.removeprefix(self.address)

    def assign(self, patient, key):
        """Assigns a questionnaire, also one that is open already; those never used lie folded up once others were."""
        self.open(patient + "/assignments/new")
        choice = self.page.locator(f"[name=questionnaire_key][value={key}]")
        if not choice.is_visible():
            self.page.click("#questionnaire_key summary")
        choice.check()
        self.page.click(".reaction__save button")
        again = self.page.locator("button[name=again]")
        again.or_(self.page.locator(".flash")).first.wait_for()
        if again.is_visible():
            again.click()
        self.page.wait_for_selector(".flash")


@pytest.fixture
def visit(chromium, clinic):
    contexts = []

    def make(address=clinic, **options):
        options.setdefault("locale", "de-AT")
        context = chromium.new_context(**options)
        contexts.append(context)
        return Visitor(context, address)

    yield make
    for context in contexts:
        browsers.close(context)
