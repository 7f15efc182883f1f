"""ST-2: buttons for what happens at any time, in the hands of a participant, and time points with each session on the same pages."""

import datetime
import uuid

import browsers
import pytest
from accessibility import violations
from browsers import PHONE
from test_journeys import API, eventually
from test_offline import Phone

BUTTONS = "form[action='/my/events'] button"


@pytest.fixture
def nina_takes_part(clinic):
    """A study of its own with a moment and a span. Its name is new for each test of one clinic."""
    lena, nina = API(clinic, "lena@example.org"), API(clinic, "nina@example.org")
    study = lena("POST", "/studies", {
        "name": f"knopf-{uuid.uuid4().hex[:8]}", "title": {"de": "Panik im Alltag"}, "consent_text": {"de": "Ja."}, "running": True,
        "tells_session_dates": True, "time_points": [
            {"key": "each", "title": {"de": "Nach der Sitzung"}, "anchor": "each_session", "day": 0, "after": 2}]})["id"]
    for key, more in [("wellbeing-5", {"time_point": "each"}), ("between-sessions", {"event": "moment"}),
                      ("intersession-daily", {"event": "span"})]:
        lena("POST", f"/studies/{study}/questionnaires", {"questionnaire_key": key, **more})
    nina("POST", f"/studies/{study}/enrolment", {"consent_accepted": True})
    yield study, lena, nina
    nina("DELETE", f"/studies/{study}/enrolment?data=remove")


@pytest.mark.parametrize("scripts", [True, False])
def test_st_2_a_span_begins_is_over_and_is_answered(visit, nina_takes_part, scripts):
    _, _, nina = nina_takes_part
    person = visit(**PHONE, java_script_enabled=scripts)
    page = person.page
    person.sign_in("nina@example.org")
    person.open("/my")
    page.locator(BUTTONS, has_text="Beginnt jetzt").click()
    row = page.locator("main li", has_text="läuft seit")
    row.wait_for()
    assert page.locator(BUTTONS, has_text="Beginnt jetzt").count() == 0
    row.get_by_role("button", name="Vorbei").click()
    page.wait_for_url("**/my/events/*")
    [known] = nina("GET", "/my/events")
    assert known["attributes"]["ended_at"] >= known["attributes"]["started_at"]
    page.get_by_label("nein", exact=True).first.check()
    page.locator(".answer__bar .button--primary").first.click()
    page.locator("button[value=send]").click()
    page.wait_for_load_state()
    assert nina("GET", "/my/events")[0]["attributes"]["contribution_id"]
    person.open("/my")
    assert page.locator(BUTTONS, has_text="Beginnt jetzt").count() == 1 and person.complaints == []


def test_st_2_what_was_a_mistake_is_taken_away(visit, nina_takes_part):
    _, _, nina = nina_takes_part
    person = visit(**PHONE)
    person.sign_in("nina@example.org")
    person.open("/my/studies")
    person.page.locator(BUTTONS, has_text="Beginnt jetzt").first.click()
    person.page.get_by_role("button", name="War ein Versehen").first.click()
    person.page.wait_for_load_state()
    assert nina("GET", "/my/events") == [] and person.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_st_2_axe_finds_nothing_on_pages_with_buttons(visit, nina_takes_part, width, scheme):
    study, lena, nina = nina_takes_part
    item = next(one["id"] for one in nina("GET", "/my/questionnaires")
                if one["attributes"]["study_id"] == study and one["attributes"]["event"] == "span")
    participant = lena("GET", f"/studies/{study}/participants")[0]["attributes"]
    nina("PUT", f"/my/events/{uuid.uuid4()}", {"item_id": item, "started_at": participant["enrolled_at"]})
    codename = participant["codename"]
    found = []
    for email, paths in [("nina@example.org", ["/my", "/my/studies"]),
                         ("lena@example.org", [f"/studies/{study}/questionnaires", f"/studies/{study}/participants/{codename}"])]:
        person = visit(viewport={"width": width, "height": 900}, color_scheme=scheme)
        person.sign_in(email)
        for path in paths:
            assert person.open(path).status == 200
            # Cards that scripts show make the page longer, and the bar at its end would cover them.
            person.page.wait_for_load_state("networkidle")
            height = person.page.evaluate("document.documentElement.scrollHeight")
            person.page.set_viewport_size({"width": width, "height": height + 100})
            found += violations(person.page, path)
            over = person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over <= 0, f"{path} is {over} px too wide at {width}"
        assert person.complaints == []
    assert found == []


# What the outbox of a device holds, by kind of press.
PRESSED = """async () => {
  const at = document.querySelector('link[rel=modulepreload][href*="/outbox.js"]').href
  const [outbox, state] = await Promise.all([import(at), import(new URL("state.js", at))])
  return (await outbox.entries(state.account)).map((one) => one.press?.kind ?? "sheet")
}"""

# Once the plan that lies here has buttons, and the pages and forms that belong to them lie here too.
READY = """async () => {
  const at = document.querySelector('link[rel=modulepreload][href*="/plan.js"]').href
  const [plan, pages, state] = await Promise.all(["plan.js", "pages.js", "state.js"].map((one) => import(new URL(one, at))))
  for (let turn = 0; turn < 200; turn++) {
    const known = await plan.known(state.account)
    const wanted = ["/my", "/my/studies", ...(known?.buttons ?? []).map((one) => pages.formPath(one.version))]
    const cache = await caches.open(pages.cacheName(state.account))
    const found = await Promise.all(wanted.map((path) => cache.match(path)))
    if (known?.buttons?.length && found.every(Boolean)) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}"""


@pytest.fixture
def own_phone(chromium, clinic, nina_takes_part):
    """Nina's own device, which has kept the pages with the buttons."""
    it = Phone(chromium, clinic, "nina@example.org")
    it.open("/my")
    assert it.ask(READY)
    yield it
    browsers.close(it.context)


def noted(nina):
    return [one["attributes"] for one in nina("GET", "/my/events")]


@pytest.mark.parametrize("place", ["/my", "/my/studies"])
def test_st_2_a_span_is_noted_and_answered_without_a_network(own_phone, nina_takes_part, place):
    _, _, nina = nina_takes_part
    it, page = own_phone, own_phone.page
    it.offline()
    it.open(place)
    it.says("Keine Verbindung zum Server")
    page.locator(BUTTONS, has_text="Beginnt jetzt").click()
    row = page.locator("main li", has_text="läuft seit")
    row.wait_for()
    it.says("Wird gesendet, sobald es eine Verbindung gibt.")
    assert page.locator(f"{BUTTONS}:visible", has_text="Beginnt jetzt").count() == 0
    pressed = datetime.datetime.now(datetime.UTC)
    it.open(place)
    row.wait_for()
    page.set_viewport_size({"width": PHONE["viewport"]["width"], "height": page.evaluate("document.documentElement.scrollHeight") + 100})
    assert violations(page, place) == []
    row.get_by_role("button", name="Vorbei").click()
    page.locator(f"{BUTTONS}:visible", has_text="Beginnt jetzt").wait_for()
    assert it.ask(PRESSED) == ["begin", "end"] and noted(nina) == []
    page.locator("main li[data-drawn] a", has_text="Ausfüllen").click()
    it.fills_in()
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    assert it.ask(PRESSED) == ["begin", "end", "sheet"] and noted(nina) == []
    it.offline(False)
    it.open("/my")
    known = eventually(lambda: [one for one in noted(nina) if one["contribution_id"]])
    assert len(known) == 1 and len(noted(nina)) == 1
    began = datetime.datetime.fromisoformat(known[0]["started_at"])
    assert abs(began - pressed) < datetime.timedelta(seconds=20) and began <= datetime.datetime.fromisoformat(known[0]["ended_at"])
    assert it.lies("outbox") == []


def test_st_2_a_moment_pressed_twice_at_once_is_one_and_a_mistake_goes(own_phone, nina_takes_part):
    _, _, nina = nina_takes_part
    it, page = own_phone, own_phone.page
    it.offline()
    it.open("/my")
    page.locator(BUTTONS, has_text="Gerade jetzt").dblclick()
    page.locator("main li[data-drawn]").wait_for()
    assert it.ask(PRESSED) == ["begin"]
    page.wait_for_timeout(2_100)
    page.locator(BUTTONS, has_text="Gerade jetzt").click()
    page.locator("main li[data-drawn]").nth(1).wait_for()
    assert it.ask(PRESSED) == ["begin", "begin"]
    page.locator("main li[data-drawn]").first.get_by_role("button", name="War ein Versehen").click()
    page.locator("main li[data-drawn]").nth(1).wait_for(state="detached")
    it.offline(False)
    it.open("/my")
    eventually(lambda: len(noted(nina)) == 1)
    assert it.lies("outbox") == []


def test_st_2_what_was_begun_with_a_network_ends_without_one(own_phone, nina_takes_part):
    _, _, nina = nina_takes_part
    it, page = own_phone, own_phone.page
    page.locator(BUTTONS, has_text="Beginnt jetzt").click()
    page.locator("main li", has_text="läuft seit").wait_for()
    eventually(lambda: it.ask("""async () => {
      const own = (await caches.keys()).find((one) => one.startsWith("own "))
      return (await (await (await caches.open(own)).match("/my"))?.text())?.includes("läuft seit")
    }"""))
    it.offline()
    it.open("/my")
    page.get_by_role("button", name="Vorbei").click()
    it.says("Wird gesendet, sobald es eine Verbindung gibt.")
    # It can begin once more.
    page.locator(f"{BUTTONS}:visible", has_text="Beginnt jetzt").click()
    page.locator("main li", has_text="läuft seit").locator("visible=true").nth(0).wait_for()
    # The row of the first one says so, too, until it is drawn anew.
    eventually(lambda: it.ask(PRESSED) == ["end", "begin"])
    it.offline(False)
    it.open("/my")
    eventually(lambda: sorted(bool(one["ended_at"]) for one in noted(nina)) == [False, True])


def test_st_2_a_refused_press_is_told_and_nobody_else_sees_or_sends_it(own_phone, nina_takes_part):
    study, lena, nina = nina_takes_part
    it, page = own_phone, own_phone.page
    it.offline()
    # Of which the device hears nothing: nothing is noted from the next second on.
    lena("PATCH", f"/studies/{study}", {"running": False}, **{"If-Match": "*"})
    page.wait_for_timeout(1_100)
    it.open("/my")
    page.locator(BUTTONS, has_text="Gerade jetzt").click()
    page.locator("main li[data-drawn] a", has_text="Ausfüllen").click()
    it.fills_in()
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    # Somebody else signs in here, and neither sees nor sends it.
    it.context.clear_cookies()
    it.offline(False)
    it.sign_in("pia@example.org")
    it.open("/my/offline")
    it.says("Auf diesem Gerät")
    assert len(it.lies("outbox")) == 2 and noted(nina) == []
    assert page.locator("[data-list=unsent] li").count() == 0
    it.context.clear_cookies()
    it.sign_in("nina@example.org")
    it.open("/my/offline")
    refused = page.locator("[data-list=refused] li")
    refused.first.wait_for()
    # Its sheet waits for it, and goes with it.
    assert refused.count() == 1 and len(it.lies("outbox")) == 2
    assert page.locator("[data-list=unsent] li").count() == 1
    page.locator("[data-list=refused] [data-go=seen]").click()
    refused.first.wait_for(state="detached")


def test_st_2_a_press_that_a_page_of_the_server_cannot_send_is_kept(own_phone, nina_takes_part):
    """The browser believes that there is a network."""
    _, _, nina = nina_takes_part
    it, page = own_phone, own_phone.page
    it.offline()
    page.evaluate("Object.defineProperty(navigator, 'onLine', { value: true })")
    page.locator(BUTTONS, has_text="Gerade jetzt").click()
    page.locator("main li[data-drawn]").wait_for()
    assert it.ask(PRESSED) == ["begin"]
    it.offline(False)
    it.open("/my")
    eventually(lambda: len(noted(nina)) == 1)
