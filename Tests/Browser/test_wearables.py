"""FB-1: an account with a provider is linked in the browser, its days arrive, and it is taken back; over real sockets, with a provider
that misbehaves (W8)."""

import datetime
import json
import time

import pytest
from accessibility import violations
from browsers import PHONE
from conftest import Visitor, serving
from fake_health import HOOK_SECRET, ZONE, FakeHealth, steps
from test_journeys import API, eventually
from test_portal import html_errors


@pytest.fixture(scope="module")
def linking(tmp_path_factory):
    """A clinic that has a name with the provider, and a clock that is moved: an hour between two looks takes no hour."""
    data = tmp_path_factory.mktemp("linking")
    clock = data.parent / f"{data.name}-clock"
    clock.write_text(str(int(time.time() * 1000)))
    provider = FakeHealth()
    with serving("optional", str(data), "--clock", str(clock), prepare=lambda: allow(data, provider)) as address:
        yield address, provider, clock
    provider.close()


def allow(data, provider):
    file = data / "wearables.json"
    file.write_text(json.dumps(provider.settings()))
    file.chmod(0o600)


def today_by(clock):
    """The day it is for the server: around midnight it may be another than here."""
    return datetime.datetime.fromtimestamp(int(clock.read_text()) / 1000, ZONE).date()


def days_of(own, kind, today):
    """What is there of thirty days, by their dates."""
    first = today - datetime.timedelta(days=30)
    found = own("GET", f"/my/measurement-days?type={kind}&from={first}&to={today}&source=all")
    return {one["attributes"]["date"]: one["attributes"] for one in found if one["attributes"]["source"] == "google_health"}


def agree(page, without=()):
    """What a person does at the provider's."""
    page.get_by_role("heading", name="Darf die Praxis das lesen?").wait_for()
    for scope in without:
        page.locator(f"input[value*='{scope}']").uncheck()
    page.get_by_role("button", name="Zulassen").click()


# What was removed with a link does not come back with the next one: each run has a person of its own.
@pytest.mark.parametrize(("scripts", "name"), [(True, "tom"), (False, "ida")])
def test_fb_1_a_person_links_an_account_sees_its_days_and_takes_them_back(chromium, linking, scripts, name):
    address, provider, clock = linking
    today = today_by(clock)
    person = Visitor(chromium.new_context(locale="de-AT", java_script_enabled=scripts, **PHONE), address)
    page = person.page
    person.sign_in(f"{name}@example.org")
    person.open("/my/health")
    page.get_by_role("link", name="Uhren und Konten verbinden").click()
    assert "Nicht verbunden" in page.locator("main").inner_text() and "sieben Tagen" in page.locator("main").inner_text()
    # Whoever declines has linked nothing.
    page.get_by_role("button", name="Verbinden").click()
    page.get_by_role("link", name="Weiter zu Google Health").click()
    page.get_by_role("button", name="Ablehnen").click()
    page.get_by_text("Es wurde nichts verbunden.").wait_for()
    page.get_by_role("button", name="Verbinden").click()
    page.get_by_role("link", name="Weiter zu Google Health").click()
    agree(page, without=["sleep"])
    page.get_by_role("heading", name="Google Health verbinden?").wait_for()
    # Neither a code nor a state stays in the address.
    assert page.url.endswith("/my/wearables/google_health/confirmation")
    own = API(address, f"{name}@example.org")
    assert own("GET", "/my/wearables")[0]["attributes"]["state"] == "available"
    page.get_by_role("button", name="Ja, verbinden").click()
    page.get_by_text("Einiges haben Sie nicht erlaubt").wait_for()
    assert "Nicht erlaubt, bleibt leer: Schlaf" in page.locator("main").inner_text()
    eventually(lambda: own("GET", "/my/wearables")[0]["attributes"]["last_pull_at"])
    found = days_of(own, "steps", today)
    assert len(found) == 31 and all(day["total"] == steps(datetime.date.fromisoformat(date)) for date, day in found.items())
    assert own("GET", "/my/sleeps") == []
    person.open("/my/wearables")
    text = page.locator("main").inner_text()
    assert "Zuletzt abgefragt" in text and "Erlaubt bis" in text and "Verbunden" in text
    person.open("/my/health")
    yesterday = today - datetime.timedelta(days=1)
    assert "Google Health" in page.locator(".health__row").first.inner_text()
    assert str(steps(yesterday)) in page.locator("main").inner_text().replace(".", "")
    # The other way: what is to become of the data is asked.
    person.open("/my/wearables")
    page.locator("summary", has_text="Verbindung beenden").click()
    page.locator("details button").click()
    assert page.locator(".errors").count() == 1
    if page.locator("details[open]").count() == 0:
        page.locator("summary", has_text="Verbindung beenden").click()
    page.get_by_label("Löschen").check()
    page.locator("details button").click()
    page.get_by_text("Die Verbindung ist beendet, auch beim Anbieter.").wait_for()
    assert days_of(own, "steps", today) == {} and len(provider.revoked) == 1 + (not scripts)
    assert provider.refresh == {}
    assert all("422" in word for word in person.complaints), person.complaints
    page.context.close()


def link_over_the_api(chromium, address, own):
    """As an app does it: a browser that knows nobody, and the app confirms."""
    page = chromium.new_context(locale="de-AT").new_page()
    page.goto(own("POST", "/my/wearables/google_health/link")["attributes"]["authorize_url"])
    agree(page)
    page.get_by_role("heading", name="Zurück zur App").wait_for()
    page.context.close()
    assert own("GET", "/my/wearables")[0]["attributes"]["state"] == "available"
    return own("POST", "/my/wearables/google_health/confirmation")["attributes"]


FAULTS = [("html", "no_json"), ("redirect", "redirected"), ("huge", "too_long"), ("drip", "timeout"), ("reset", "unreachable"),
          (500, "failed"), (403, "forbidden"), (429, "busy")]


def test_w8_a_provider_that_misbehaves_keeps_the_link_and_is_told_of_in_a_sentence(chromium, linking):
    address, provider, clock = linking
    own = API(address, "pia@example.org")
    wearable = link_over_the_api(chromium, address, own)
    assert wearable["state"] == "live" and wearable["missing"] == []
    eventually(lambda: own("GET", "/my/wearables")[0]["attributes"]["last_pull_at"])
    today = today_by(clock)
    nights = own("GET", f"/my/sleeps?from={today - datetime.timedelta(days=31)}&to={today}&limit=200")
    assert sum(one["attributes"]["minutes_asleep"] == 432 for one in nights) >= 29
    person = Visitor(chromium.new_context(locale="de-AT", **PHONE), address)
    person.sign_in("pia@example.org")
    for fault, word in FAULTS:
        provider.fault = fault
        clock.write_text(str(int(clock.read_text()) + 5 * 3_600_000))
        found = eventually(lambda: [one["attributes"] for one in own("GET", "/my/wearables") if one["attributes"]["problem"] == word])
        assert found[0]["state"] == "live", fault
        provider.fault = None
    assert not any(path == "/elsewhere" for _, path in provider.asked)
    person.sign_in("pia@example.org")
    person.open("/my/wearables")
    assert "um eine Pause gebeten" in person.page.locator("main").inner_text()
    clock.write_text(str(int(clock.read_text()) + 5 * 3_600_000))
    eventually(lambda: own("GET", "/my/wearables")[0]["attributes"]["problem"] is None)
    # A hook means to look again soon, whatever it says.
    asked = len(provider.asked)
    hook = f"/wearables/hooks/google_health/{HOOK_SECRET}"
    own("POST", hook, {"data": {"healthUserId": "user-of-the-test", "operation": "DELETE"}})
    clock.write_text(str(int(clock.read_text()) + 11 * 60_000))
    eventually(lambda: len(provider.asked) > asked)
    person.page.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_a5_axe_and_the_checker_find_nothing_on_the_way_to_a_link(chromium, linking, tmp_path, width, scheme):
    address, provider, _ = linking
    context = chromium.new_context(locale="de-AT", viewport={"width": width, "height": 3000}, color_scheme=scheme)
    person = Visitor(context, address)
    person.sign_in("mia@example.org")
    person.open("/my/wearables")
    found, written, places = [], [], []

    def look(place):
        found.extend(violations(person.page, place))
        over = person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{place} is {over} px too wide at {width}"
        places.append(place)
        written.append(person.page.content().encode())

    look("not linked")
    person.page.get_by_role("button", name="Verbinden").click()
    person.page.get_by_role("link", name="Weiter zu Google Health").wait_for()
    look("leaving")
    person.page.get_by_role("link", name="Weiter zu Google Health").click()
    agree(person.page, without=["sleep"])
    person.page.get_by_role("heading", name="Google Health verbinden?").wait_for()
    look("to confirm")
    person.page.get_by_role("button", name="Ja, verbinden").click()
    person.page.get_by_text("Einiges haben Sie nicht erlaubt").wait_for()
    look("linked")
    person.open("/wearables/returned")
    look("returned")
    assert found == [] and html_errors(places, written, tmp_path) == []
    person.open("/my/wearables")
    person.page.locator("summary", has_text="Verbindung beenden").click()
    person.page.get_by_label("Behalten").check()
    person.page.locator("details button").click()
    context.close()
