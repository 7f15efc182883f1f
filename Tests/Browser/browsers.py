"""The same journeys in two engines: the few things that somebody does with a page, in Chromium and in WebKit."""

import contextlib
import datetime
import functools
import glob
import os
import subprocess
import tempfile
import time
import zoneinfo

from playwright.sync_api import Browser, BrowserType, Error, expect
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import staleness_of
from selenium.webdriver.support.ui import Select, WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

# Each page is looked at in both: every width and every scheme once.
MODES = [("light", 320), ("dark", 1280)]
# The other way round, for pages on which light and width can matter together: frames, charts, calendars, tables.
CROSSED = [("dark", 320), ("light", 1280)]
VIENNA = zoneinfo.ZoneInfo("Europe/Vienna")
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}

# The contexts that are open in this process, and what is told of a line on one of their consoles.
contexts = []
hear = print


def patience(seconds):
    """What seconds of waiting become where a test as a whole gets more or less time than usual."""
    return seconds * float(os.environ.get("TEST_LIMIT") or 120) / 120


def watch(context):
    """Every context of every browser comes here first."""
    context.set_default_timeout(patience(30) * 1000)
    contexts.append(context)
    context.on("close", lambda _: contexts.remove(context))
    context.on("console", lambda it: hear(f"{it.type}: {it.text} ({it.location.get('url')}:{it.location.get('lineNumber')})"))
    context.on("weberror", lambda it: hear(f"uncaught: {it.error}"))
    context.on("requestfailed", lambda it: hear(f"failed: {it.method} {it.url}: {it.failure}"))


def _watched(kind, name):
    make = getattr(kind, name)

    @functools.wraps(make)
    def made(*arguments, **options):
        it = make(*arguments, **options)
        watch(it.context if name == "new_page" else it)
        return it

    setattr(kind, name, made)


for _kind, _name in [(Browser, "new_context"), (Browser, "new_page"), (BrowserType, "launch_persistent_context")]:
    _watched(_kind, _name)
expect.set_options(timeout=patience(5) * 1000)


def today():
    """The clinic's: from its midnight on, the machine lives in the day before for an hour or two."""
    return datetime.datetime.now(VIENNA).date()


def ask(page, expression, argument=None):
    """A page that gives way to another takes a question along with it: it is asked again then."""
    for _ in range(20):
        try:
            return page.evaluate(expression, argument)
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
            page.wait_for_load_state()
    raise AssertionError(f"{page.url} begins again and again")


def until(page, expression, argument=None):
    """Asks until it is so; the pages allow no script made of text, which is what `wait_for_function` asks with."""
    end = time.monotonic() + patience(30)
    while not ask(page, expression, argument):
        if time.monotonic() > end:
            raise AssertionError(expression)
        page.wait_for_timeout(25)


def close(context):
    """Chromium never says that windows are closed when a page begins anew by itself in that moment: without scripts none does, and
    what had begun before is over once it may be stopped."""
    for page in context.pages:
        window = context.new_cdp_session(page)
        window.send("Emulation.setScriptExecutionDisabled", {"value": True})
        end = time.monotonic() + patience(5)
        while time.monotonic() < end:
            try:
                window.send("Page.stopLoading")
                break
            except Error as error:
                if "Not attached to an active page" not in str(error):
                    raise
                page.wait_for_timeout(25)
    context.close()


class Chromium:
    """Through Playwright, which waits for what it clicks."""

    def __init__(self, page, scripts):
        self.page, self.has_scripts = page, scripts

    @property
    def steps(self):
        """Whether it shows one question a screen, once its scripts have run."""
        self.page.wait_for_load_state("domcontentloaded")
        return self.has_scripts and self.page.viewport_size["width"] < 760

    def open(self, address):
        self.page.goto(address)

    def fill(self, selector, text):
        self.page.fill(selector, text)

    def check(self, selector):
        self.page.check(selector)

    def choose(self, selector, value):
        self.page.select_option(selector, value)

    def click(self, selector):
        self.page.locator(selector).first.click()

    def reaches(self, path):
        """Where a form leads to, once a script has asked something before."""
        self.page.wait_for_url("**" + path)

    def text(self, selector="main"):
        return self.page.locator(selector).first.inner_text()

    def values(self, selector, name):
        return [element.get_attribute(name) for element in self.page.locator(selector).all()]

    def value(self, selector):
        return self.page.input_value(selector)

    @property
    def address(self):
        return self.page.url


class WebKit:
    """Through Debian's WebKitGTK driver."""

    has_scripts = True
    steps = False

    def __init__(self, driver):
        self.driver = driver

    def _find(self, selector):
        return WebDriverWait(self.driver, patience(20)).until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector))

    def _act(self, selector, act):
        """Clicks, and waits for the next page where the click leads to one."""
        element = self._find(selector)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        page = self.driver.find_element(By.TAG_NAME, "html")
        act(element)
        return page

    def open(self, address):
        self.driver.get(address)

    def fill(self, selector, text):
        field = self._find(selector)
        # Fields for days and times take what a person picks, not what is typed.
        if field.get_attribute("type") in ("date", "time", "datetime-local"):
            self.driver.execute_script("arguments[0].value = arguments[1]", field, text)
            return
        field.clear()
        field.send_keys(text)

    def check(self, selector):
        box = self._find(selector)
        if not box.is_selected():
            self.driver.execute_script("arguments[0].click()", box)

    def choose(self, selector, value):
        Select(self._find(selector)).select_by_value(value)

    def click(self, selector):
        before = self._act(selector, lambda element: element.click())
        WebDriverWait(self.driver, patience(20)).until(staleness_of(before))

    def reaches(self, path):
        WebDriverWait(self.driver, patience(20)).until(lambda driver: driver.current_url.endswith(path))

    def text(self, selector="main"):
        return self._find(selector).text

    def values(self, selector, name):
        return [element.get_attribute(name) for element in self.driver.find_elements(By.CSS_SELECTOR, selector)]

    def value(self, selector):
        return self._find(selector).get_attribute("value")

    @property
    def address(self):
        return self.driver.current_url


@contextlib.contextmanager
def webkit():
    """MiniBrowser on a screen of its own."""
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x1000x24", "-nolisten", "tcp"], pass_fds=[write],
        stderr=subprocess.DEVNULL)
    os.close(write)
    # It writes its number once it can be drawn on.
    with os.fdopen(read) as numbers:
        number = numbers.readline().strip()
    with tempfile.TemporaryDirectory() as home:
        surroundings = os.environ | {
            "DISPLAY": f":{number}", "HOME": home, "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        options = Options()
        options.binary_location = sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))[-1]
        options.add_argument("--automation")
        options.overlay_scrollbars_enabled = False
        driver = webdriver.WebKitGTK(
            options=options, service=Service(executable_path="/usr/bin/WebKitWebDriver", env=surroundings))
        driver.set_page_load_timeout(patience(30))
        try:
            yield driver
        finally:
            driver.quit()
            screen.terminate()
            screen.wait()
