"""A seeded clinic served by the real program, and a Chromium to look at it with."""

import contextlib
import os
import shutil
import tempfile

import browsers
import pytest
from playwright.sync_api import Error, sync_playwright
from servers import PROGRAM, ROOT, Clinic, clinics  # noqa: F401

PASSWORD = "zwischen den Sitzungen"
# Chromium without its window, where it is installed: for half of the processor time. What opens it again with its profile, as people do,
# takes the whole one (`test_devices`, `Tests/Weeks`), as does what is marked `whole`.
WHOLE = "/usr/bin/chromium"
SHELL = shutil.which("chromium-headless-shell") or WHOLE


@pytest.fixture(scope="session")
def clinic():
    with serving("optional") as address:
        yield address


@pytest.fixture(scope="session")
def strict_clinic():
    """Where staff need a second factor."""
    with serving("required") as address:
        yield address


@contextlib.contextmanager
def serving(factor, data=None, *more, questionnaires=(), prepare=lambda: None):
    """A seeded clinic; in a folder of one's own, so that its mails can be read. What prepares it comes between seed and start.
    Before each test one that no longer answers is made anew in the same folder, at the same address."""
    with contextlib.nullcontext(data) if data else tempfile.TemporaryDirectory() as data:
        clinic = Clinic(factor, data, more, questionnaires, prepare)
        clinic.begin()
        clinics.append(clinic)
        try:
            yield clinic.address
        finally:
            clinics.remove(clinic)
            clinic.end()


class Engine:
    """A worker's Chromium, and the next one once it has crashed."""

    def __init__(self, playwright, path):
        self.playwright, self.path, self.browser = playwright, path, None

    def browser_that_runs(self):
        if self.browser and self.browser.is_connected():
            return self.browser
        try:
            self.browser = self.playwright.chromium.launch(executable_path=self.path, args=["--no-sandbox", "--disable-gpu"])
        except Error:
            # Without its driver a worker opens no browser any more; another takes its place.
            if self.browser and "PYTEST_XDIST_WORKER" in os.environ:
                os._exit(1)
            raise
        return self.browser


@pytest.fixture(scope="session")
def engines():
    with sync_playwright() as playwright:
        engines = {path: Engine(playwright, path) for path in (SHELL, WHOLE)}
        yield engines
        for engine in engines.values():
            if engine.browser:
                engine.browser.close()


@pytest.fixture
def chromium(engines, request):
    """The whole one for tests that are marked so: with push and notifications, which the shell has not."""
    return engines[WHOLE if request.node.get_closest_marker("whole") else SHELL].browser_that_runs()


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
