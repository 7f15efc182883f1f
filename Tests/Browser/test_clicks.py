"""How many clicks the day's work takes from Today, counted in a real browser (practice.md, Measured)."""

import json
import urllib.request
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from browsers import VIENNA, until
from conftest import PASSWORD, serving


@pytest.fixture(scope="module")
def desk():
    """A clinic of its own: what is marked here is missed elsewhere."""
    with serving("optional") as address:
        yield address


class Clicks:
    """Counts what a hand does: presses of a pointer on the page, on however many pages."""

    def __init__(self, visitor):
        self.count = 0
        self.page = visitor.page
        self.page.expose_binding("pressed", self._press)
        self.page.add_init_script("addEventListener('pointerdown', event => event.isTrusted && pressed(), true)")

    def _press(self, _source):
        self.count += 1

    def begin(self):
        """From Today, with none yet."""
        self.page.goto(self.page.url.split("/", 3)[0] + "//" + self.page.url.split("/", 3)[2] + "/")
        self.count = 0


@pytest.fixture
def clicks(visit, desk):
    visitor = visit(desk)
    visitor.sign_in()
    visitor.page.wait_for_selector("#sessions")
    clicks = Clicks(visitor)
    clicks.begin()
    yield clicks
    assert visitor.complaints == []


def note_a_session(address, codename, starts_at):
    """As the therapist notes it, over the API: one that has begun, at whatever hour the tests run."""
    token = None

    def ask(method, path, body=None):
        request = urllib.request.Request(address + "/api/v1" + path, method=method)
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        answer = urllib.request.urlopen(request, json.dumps(body).encode() if body else None)
        return json.loads(answer.read())["data"]

    login = ask("POST", "/auth/login", {"email": "ada@example.org", "password": PASSWORD})
    token = login["attributes"]["token"]
    patient = next(p["id"] for p in ask("GET", "/patients?limit=200") if p["attributes"]["codename"] == codename)
    times = [moment.astimezone(ZoneInfo("UTC")).strftime("%Y-%m-%dT%H:%M:%SZ")
             for moment in (starts_at, starts_at + timedelta(minutes=5))]
    ask("POST", f"/patients/{patient}/sessions", {"starts_at": times[0], "ends_at": times[1]})


def test_pr_9_the_briefing_of_todays_patient_is_one_click_and_that_of_the_next_one_more(clicks):
    """One that is over has it in its menu, behind a click more: the hour of the test decides."""
    page = clicks.page
    today = page.locator("section[aria-labelledby=sessions] .visit")
    names = [name.split()[-1] for name in today.locator(".visit__who a").all_inner_texts()]
    assert names[:2] == ["C020480", "C731905"]
    opening = today.first.locator(".visit__act").get_by_role("button").count()
    if opening:
        today.first.locator(".visit__more button").click()
    today.first.locator("a:is(.button, .menu__entry)", has_text="Vorbereiten").click()
    page.wait_for_url("**/briefing")
    assert page.title().startswith("Frau Winter (C020480)") and clicks.count == 1 + opening
    page.locator(".patient-bar__day a[rel=next]").click()
    until(page, "document.title.startsWith('Herr Tal (C731905)')")
    assert page.url.endswith("/briefing") and clicks.count == 2 + opening


def test_pr_9_the_briefing_of_tomorrows_patient_is_one_click(clicks):
    page = clicks.page
    tomorrow = page.locator("section[aria-labelledby=next] .visit", has_text="C448213")
    tomorrow.get_by_role("link", name="Vorbereiten").click()
    page.wait_for_url("**/briefing")
    assert page.title().startswith("Frau Berg (C448213)") and clicks.count == 1


def test_pr_4_the_course_of_one_scale_with_its_values_is_one_click_from_its_result(clicks):
    page = clicks.page
    page.locator("section[aria-labelledby=sessions] .visit", has_text="C020480").locator(".visit__scale a").first.click()
    page.wait_for_url("**/scales/**")
    assert page.locator(".chart__plot").first.is_visible() and page.locator(".items__cell").count() > 10
    assert clicks.count == 1


def test_pr_4_the_course_of_any_scale_is_two_clicks(clicks):
    page = clicks.page
    page.locator("section[aria-labelledby=sessions] .visit", has_text="C020480").locator(".visit__who a").click()
    page.wait_for_url("**/patients/*")
    page.locator(".card__title a", has_text="Wohlbefinden").first.click()
    page.wait_for_url("**/scales/wellbeing-5/*")
    assert page.locator(".chart__plot").first.is_visible() and clicks.count == 2


def test_pr_9_not_attended_is_one_click(clicks, desk):
    page = clicks.page
    midnight = datetime.now(VIENNA).replace(hour=0, minute=0, second=0, microsecond=0)
    note_a_session(desk, "C590047", midnight)
    clicks.begin()
    visit = page.locator("section[aria-labelledby=sessions] .visit", has_text="C590047")
    visit.get_by_role("button", name="Nicht erschienen?").click()
    page.wait_for_selector(".flash")
    assert visit.count() == 0 and page.locator("#sessions").is_visible() and clicks.count == 1


def test_pr_10_pr_27_a_danger_is_seen_with_a_word_in_two_clicks_on_one_page(clicks):
    page = clicks.page
    path = page.url.rstrip("/") + "/alerts"
    page.goto(path)
    clicks.count = 0
    danger = page.locator(".risk", has_text="verlässlich schlechter seit Beginn")
    assert "Herr Tal" in danger.inner_text()
    danger.get_by_role("textbox").click()
    page.keyboard.type("Heute in der Sitzung besprechen.")
    danger.get_by_role("button", name="Als gesehen vermerken").click()
    page.wait_for_selector(".flash")
    assert page.url.split("?")[0].split("#")[0] == path and danger.count() == 0
    assert "Herr Tal" in page.locator(".risks .notice").inner_text()
    assert clicks.count == 2


def test_pr_10_an_alert_is_seen_from_today_in_one_click(clicks):
    page = clicks.page
    alert = page.locator("section[aria-labelledby=alerts] .visit", has_text="Sechs Tagesabfragen")
    alert.get_by_role("button").click()
    page.wait_for_selector(".flash")
    assert alert.count() == 0 and page.locator("#sessions").is_visible() and clicks.count == 1
