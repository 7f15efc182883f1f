"""PW-4, PW-6: own pages in a tunnel. What is filled in there arrives once, what is refused is said in words, and what lies on
a phone is shown to nobody else."""

import contextlib
import datetime
import shutil
import time
import uuid

from accessibility import violations
import browsers
import pytest
from browsers import MODES, PHONE, VIENNA
from conftest import PASSWORD, ROOT, serving
from playwright.sync_api import Error
from servers import launch, seeded
from test_journeys import API, eventually, file_of

# Waits until something lies in a cache: it is put there after the page is on the screen.
KEPT = """async (path) => {
  for (;;) {
    for (const name of await caches.keys()) {
      if (name.startsWith("own ") && (await (await caches.open(name)).match(path))) return true
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}"""

# Whether the plan that lies here has something, once there is one.
KNOWN = """async (path) => {
  const at = document.querySelector('link[rel=modulepreload][href*="/plan.js"]').href
  const [plan, state] = await Promise.all([import(at), import(new URL("state.js", at))])
  for (let turn = 0; turn < 100; turn++) {
    const known = await plan.known(state.account)
    if (known) return known.entries.some((one) => one.path === path)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}"""

# Whether the page of everything else lies here and leads to this.
KEPT_MORE_NAMES = """(async () => {
  const own = (await caches.keys()).filter((name) => name.startsWith("own "))
  const kept = await Promise.all(own.map(async (name) => (await (await caches.open(name)).match("/my/more"))?.text()))
  return kept.some((text) => text?.includes('href="%s"'))
})()"""

# Looks once more at what lies here, as a page does whenever it has synchronised.
LOOKED_AGAIN = """async () => {
  const plan = document.querySelector('link[rel=modulepreload][href*="/plan.js"]').href
  await (await import(new URL("here.js", plan))).show()
}"""


# Something that answers scripts in the server's place, for as long as the test says so: the entrance of a hotel, a proxy.
INSTEAD = """
  const real = window.fetch
  window.heardInstead = 0
  window.fetch = (asked, options) => {
    const answer = JSON.parse(localStorage.getItem("instead") ?? "{}")[new URL(asked.url ?? asked, location.href).pathname]
    if (!answer) return real(asked, options)
    window.heardInstead += 1
    return Promise.resolve(Response.json(answer[1], { status: answer[0] }))
  }
"""

# Everything of one store of the device's database: its keys, or its values.
LYING = """([store, what]) => new Promise((done) => {
  const open = indexedDB.open("intersession")
  open.onupgradeneeded = () => open.transaction.abort()
  open.onerror = () => done([])
  open.onsuccess = () => {
    const all = open.result.transaction(store).objectStore(store)[what]()
    all.onsuccess = () => { open.result.close(); done(all.result) }
  }
})"""

# Whose pages lie in whose cache.
WHOSE = """async () => {
  const found = []
  for (const name of await caches.keys()) {
    if (!name.startsWith("own ")) continue
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const text = await (await cache.match(request)).text()
      found.push([name.slice(4), /data-account="([^"]*)"/.exec(text)?.[1]])
    }
  }
  return found
}"""

WORKER = "navigator.serviceWorker.getRegistration('/my')"
WAITS = WORKER + ".then((one) => Boolean(one.waiting))"
# Whether the newer worker has taken over, as soon as it has; the second is what the one before has to go by itself.
CHANGED = """async () => {
  const one = await navigator.serviceWorker.getRegistration("/my")
  const newer = one.waiting ?? one.active
  const has = () => !one.waiting && one.active.state === "activated"
  return has() || new Promise((done) => {
    newer.addEventListener("statechange", () => has() && done(true))
    setTimeout(() => done(has()), 1000)
  })
}"""
SHELLS = "caches.keys().then((all) => all.filter((name) => name.startsWith('shell ')).length)"

# Has the worker keep what is to be kept, with the plan that lies here, as a page does, and says once it has.
KEEP_PAGES = """async () => {
  const at = document.querySelector('link[rel=modulepreload][href*="/plan.js"]').href
  const [plan, pages, state] = await Promise.all(["plan.js", "pages.js", "state.js"].map((one) => import(new URL(one, at))))
  await pages.equipped((await plan.known(state.account)).shell)
  const { active } = await navigator.serviceWorker.ready
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise((done) => (port1.onmessage = ({ data }) => done(data)))
  active.postMessage("keep pages", [port2])
  return answer
}"""

# What kept pages name, and whether it lies here too.
NAMED = """async () => {
  const named = {}
  for (const name of await caches.keys()) {
    if (!name.startsWith("own ")) continue
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const kept = await cache.match(request)
      for (const one of kept.headers.get("Assets").split(" ")) named[one] = Boolean(await caches.match(one))
    }
  }
  return named
}"""


class Phone:
    """Somebody's own device, where they stay signed in."""

    def __init__(self, chromium, address, email="pia@example.org", stays=True, **options):
        self.address, self.stays = address, stays
        self.own = API(address, email)
        self.requests, self.statuses = [], []
        self.begin(chromium, **options)
        self.sign_in(email)

    def begin(self, chromium, **options):
        """A browser's windows; of one with a profile of its own they find what the ones before have left."""
        self.context = chromium.new_context(**{"locale": "de-AT", **PHONE, **options})
        self.context.add_init_script(INSTEAD)
        self.page = self.context.new_page()
        self.context.on("requestfinished", lambda request: self.requests.append((request.url, request.post_data or "", str(request.headers))))
        self.context.on("response", lambda answer: self.statuses.append((answer.status, answer.url)))

    def sign_in(self, email, to="/my"):
        """Where it leads on to another page than the first, the way there is the one that the page has."""
        if to == "/my":
            self.open("/login")
        self.page.fill("#email", email)
        self.page.fill("#password", PASSWORD)
        if self.stays:
            self.page.check("#stay_signed_in")
        self.page.click("main button")
        self.page.wait_for_url("**" + to)
        if self.stays:
            self.ask("navigator.serviceWorker.ready.then(() => true)")

    def open(self, path):
        """A page that goes on by itself in the very moment in which the way away from it begins ends that way, sometimes the next one, too."""
        for way in ("first", "second", "last"):
            try:
                self.page.goto(self.address + path)
                return
            except Error as error:
                if way == "last" or ("ERR_ABORTED" not in str(error) and "is interrupted by" not in str(error)):
                    raise
                self.page.wait_for_load_state()

    def ask(self, expression, argument=None):
        return browsers.ask(self.page, expression, argument)

    def session_ends(self):
        """Ended from another device: a stolen phone."""
        for device in self.own("GET", "/my/devices"):
            if not device["attributes"]["current"]:
                self.own("DELETE", f"/my/devices/{device['id']}")

    def instead(self, **answers):
        """What scripts are told in the server's place, by the last part of the path."""
        self.page.evaluate("(all) => localStorage.setItem('instead', JSON.stringify(all))", {
            f"/my/offline/{name}": answer for name, answer in answers.items()})

    def lies(self, store, what="getAllKeys"):
        return self.ask(LYING, [store, what])

    def until(self, expression):
        browsers.until(self.page, expression)

    def synchronised(self):
        """Once this page has asked, and nothing is under way any more."""
        self.until("window.heardInstead > 0")
        self.page.evaluate("navigator.locks.request('intersession-outbox', () => true)")

    def learns(self, path):
        """Opens the page that asks anew, until what it was told has this: a page before may still have been asking."""
        for _ in range(20):
            self.forget_plan()
            self.open("/my/offline")
            if self.page.evaluate(KNOWN, path):
                return
        raise AssertionError(f"{path} is not in the plan")

    def keeps(self, path):
        self.page.evaluate(KEPT, path)

    def sheets(self):
        return {one["id"] for one in self.own("GET", "/my/contributions?limit=200")}

    def arrived(self, before):
        """What has come since, once it has."""
        return eventually(lambda: self.sheets() - before)

    def forget_plan(self):
        """So that the next page asks anew, as it does after a minute."""
        self.page.evaluate("""() => new Promise((done) => {
            const open = indexedDB.open("intersession")
            open.onsuccess = () => {
                const all = open.result.transaction("plans", "readwrite")
                all.objectStore("plans").clear()
                all.oncomplete = () => { open.result.close(); done(true) }
            }
        })""")

    def fetches_worker(self):
        """The newer one, which waits then."""
        self.page.evaluate(WORKER + ".then((one) => one.update())")
        self.until(WAITS)

    def looks_away(self, page=None):
        """Another app comes to the front; Playwright's own pages always believe that somebody looks at them."""
        (page or self.page).evaluate("""() => {
            Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true })
            document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))
        }""")

    def changes_worker(self, page=None):
        """Looks away until the newer one has taken over. The one before goes once it has been idle for long, which it never is while
        a debugger is attached, as Playwright's is; so it is stopped as the browser would stop it."""
        page = page or self.page
        workers = self.context.new_cdp_session(page)
        workers.send("ServiceWorker.enable")
        self.looks_away(page)
        for _ in range(20):
            if page.evaluate(CHANGED):
                # Playwright waits for ever for a worker that does not run to hear that there is no network.
                page.evaluate("fetch('/my/manifest.json').then(() => true)")
                return
            if page.evaluate(WAITS):
                workers.send("ServiceWorker.stopAllWorkers")
                self.looks_away(page)
        raise AssertionError("the newer worker waits still")

    def keeps_form(self, version):
        self.keeps(f"/my/offline/forms/{version}")

    def offline(self, away=True):
        self.context.set_offline(away)

    def text(self, selector="main"):
        return self.page.locator(selector).first.inner_text()

    def says(self, text):
        self.page.get_by_text(text).first.wait_for()

    def shows_form(self):
        """The script has drawn it."""
        self.page.locator("form[data-behaviour~=own-form]:not([hidden])").wait_for()

    def fills_in(self):
        """All parts, up to the last look."""
        page = self.page
        self.shows_form()
        for _ in range(40):
            if page.locator("[data-go=send]:visible").count():
                return
            for question in page.locator("[data-question]:visible").all():
                if question.locator("input[type=radio], input[type=checkbox]").count():
                    question.locator("label").nth(1).click()
                elif question.locator("input[data-number]").count():
                    question.locator("input[data-number]").fill("1")
                else:
                    question.locator("textarea").fill("Im Tunnel daran gedacht.")
            page.locator(".answer__bar [data-go=next]").click()
        raise AssertionError("no end")

    def sends(self):
        self.page.locator("[data-go=send]").click()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A clinic of its own: what is asked here is nobody else's."""
    data = tmp_path_factory.mktemp("offline")
    with serving("optional", str(data)) as address:
        yield address, data


@pytest.fixture
def phone(chromium, house):
    made = []

    def make(email="pia@example.org", **options):
        made.append(Phone(chromium, house[0], email, **options))
        return made[-1]

    yield make
    for one in made:
        browsers.close(one.context)


@pytest.fixture
def ada(house):
    return API(house[0], "ada@example.org")


def asked(ada, phone, key="between-sessions"):
    """A questionnaire that waits, kept on the phone."""
    patient = file_of(ada)
    made = ada("POST", f"/patients/{patient}/assignments", {"questionnaire_key": key})["id"]
    version = phone.own("GET", f"/my/assignments/{made}")["attributes"]["questionnaire_id"]
    phone.learns(f"/my/assignments/{made}")
    phone.keeps_form(version)
    phone.keeps("/my")
    return patient, f"/my/assignments/{made}"


@pytest.mark.journey
def test_pw6_what_is_filled_in_without_a_network_arrives_once(phone, ada):
    it = phone()
    before = it.sheets()
    _, path = asked(ada, it)
    it.offline()
    it.open("/my")
    it.says("Keine Verbindung zum Server")
    it.page.locator(f"a[href='{path}']").first.click()
    it.fills_in()
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.open("/my")
    it.says("Eine Eingabe ist noch nicht gesendet.")
    it.page.locator(f"a[href='{path}']").wait_for(state="detached")
    assert it.sheets() == before
    it.offline(False)
    it.open("/my")
    it.page.locator("[data-reason=unsent]").wait_for(state="detached")
    new = it.arrived(before)
    assert len(new) == 1
    sheet = it.own("GET", f"/my/contributions/{new.pop()}")["attributes"]
    assert sheet["completed_at"] <= sheet["received_at"] and len(sheet["answers"]) == 8
    it.open(path)
    it.says("schon gesendet")


NUMBERS = {
    "format": "intersession-questionnaire/1", "key": "zahlen", "title": {"de": "Zahlen"}, "scales": [],
    "sections": [{"key": "s", "layout": "list", "questions": [
        {"key": "steps", "type": "number", "minimum": 0, "maximum": 20000, "text": {"de": "Wie viele Schritte?"}},
        {"key": "hours", "type": "number", "minimum": 0, "maximum": 24, "text": {"de": "Wie viele Stunden?"}},
        {"key": "change", "type": "number", "text": {"de": "Um wie viel?"}},
        {"key": "effort", "type": "slider", "minimum": 0, "maximum": 10, "step": 0.5, "text": {"de": "Wie schwer?"}},
    ]}],
}


@pytest.fixture(scope="module")
def numbers(house):
    """A questionnaire whose answers are typed numbers."""
    API(house[0], "ada@example.org")("POST", "/questionnaires/import", NUMBERS)
    return NUMBERS["key"]


def number(it, key):
    return it.page.locator(f"[data-question={key}] input[data-number]")


def test_rp211_thousands_or_a_fraction_is_asked_without_a_network_too(phone, ada, numbers):
    it = phone()
    before = it.sheets()
    _, path = asked(ada, it, numbers)
    it.offline()
    it.open(path)
    it.shows_form()
    number(it, "steps").press_sequentially("10.000")
    number(it, "hours").press_sequentially("7-8")
    it.says("Meinen Sie 10000 oder 10,000?")
    it.page.locator(".answer__bar [data-go=next]").click()
    # Nothing is left before it is settled, and nothing typed is lost.
    assert number(it, "steps").input_value() == "10.000" and number(it, "hours").input_value() == "7-8"
    it.page.get_by_role("button", name="10000", exact=True).click()
    assert number(it, "steps").input_value() == "10000"
    it.page.locator(".answer__bar [data-go=next]").click()
    assert number(it, "hours").evaluate("field => field.validationMessage") == "Bitte geben Sie eine Zahl ein."
    number(it, "hours").fill("")
    number(it, "hours").press_sequentially("7,5")
    number(it, "change").press_sequentially("\u22121,234")
    number(it, "change").press("Tab")
    it.page.get_by_role("button", name="-1,234", exact=True).click()
    number(it, "effort").press_sequentially("6,5")
    assert it.page.locator("[data-question=effort] input[type=range]").input_value() == "6.5"
    it.page.locator(".answer__bar [data-go=next]").click()
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.offline(False)
    it.open("/my")
    it.page.locator("[data-reason=unsent]").wait_for(state="detached")
    sheet = it.own("GET", f"/my/contributions/{it.arrived(before).pop()}")["attributes"]
    assert sheet["answers"] == {"steps": 10000, "hours": 7.5, "change": -1.234, "effort": 6.5}


def test_rp211_in_an_english_browser_with_a_network_the_same_is_asked_in_place(phone, ada, numbers):
    it = phone(locale="en-GB")
    _, path = asked(ada, it, numbers)
    it.open(path + "?from=server")
    number(it, "hours").press_sequentially("7,5")
    number(it, "steps").press_sequentially("1,500")
    it.page.locator(".answer__bar button[value=next]").click()
    it.page.get_by_role("button", name="1500", exact=True).click()
    with it.page.expect_navigation():
        it.page.locator(".answer__bar button[value=next]").click()
    draft = it.own("GET", f"/my/drafts/{path.split('/')[-1]}")["attributes"]["answers"]
    assert draft["hours"] == 7.5 and draft["steps"] == 1500


def test_a_form_gets_onto_the_device_in_visits_that_are_shorter_than_its_way(phone, ada):
    """Each visit ends before a form is here: keeping goes on where a page is left."""
    it = phone()
    # Of a questionnaire that the device cannot have: what is asked in the next days is kept already.
    key = f"new-{uuid.uuid4().hex[:8]}"
    ada("POST", "/questionnaires/import", {
        "format": "intersession-questionnaire/1", "key": key, "title": {"de": "Neu"}, "sections": [
            {"key": "a", "text": {"de": "Heute"}, "questions": [{"key": "well", "type": "yes_no", "text": {"de": "Gut?"}}]}]})
    made = ada("POST", f"/patients/{file_of(ada)}/assignments", {"questionnaire_key": key})["id"]
    version = it.own("GET", f"/my/assignments/{made}")["attributes"]["questionnaire_id"]
    under_way = []
    it.context.route(f"**/my/offline/forms/{version}", lambda route: under_way.append(route))
    it.learns(f"/my/assignments/{made}")
    for _ in range(5):
        it.open("/my")
        eventually(lambda: it.page.evaluate("1") and under_way)
    # No page of ours is open any more: a picture runs no scripts.
    it.open("/assets/icons/mark.svg")
    # One that was given up with its visit is asked for once more, and goes through.
    it.context.unroute(f"**/my/offline/forms/{version}")
    for route in under_way:
        with contextlib.suppress(Error):
            route.continue_()
    it.keeps_form(version)


@pytest.mark.parametrize("seen", ["/my", "itself"])
def test_fd55_what_was_just_seen_is_there_without_a_network_at_once(phone, ada, seen):
    """The plan is younger than a minute, and knows nothing of what was given since."""
    it = phone()
    asked(ada, it)
    new = ada("POST", f"/patients/{file_of(ada)}/assignments", {"questionnaire_key": "wellbeing-5"})["id"]
    path = f"/my/assignments/{new}"
    version = it.own("GET", path)["attributes"]["questionnaire_id"]
    it.open(path if seen == "itself" else seen)
    it.until(f"({KNOWN})('{path}')")
    it.keeps_form(version)
    it.offline()
    it.open(path)
    it.shows_form()


def test_fd30_a_deadline_of_another_year_shows_it(phone):
    it = phone()
    said = it.page.evaluate("""async () => {
      const plan = document.querySelector('link[rel=modulepreload][href*="/plan.js"]').href
      const { when } = await import(new URL("state.js", plan))
      const now = new Date()
      return [1, 0].map((years) => when(new Date(now.getFullYear() + years, now.getMonth() === 5 ? 6 : 5, 15, 12)))
    }""")
    year = it.page.evaluate("new Date().getFullYear()")
    assert str(year + 1) in said[0] and str(year) not in said[1]


def test_fd24_without_a_network_a_random_prompt_is_said_by_its_day(phone, ada):
    it = phone()
    asked(ada, it)
    now = datetime.datetime.now(datetime.UTC)
    coming = [
        (one["attributes"]["assignment_id"], datetime.datetime.fromisoformat(one["attributes"]["available_from"]))
        for one in it.own("GET", "/my/dailies")
    ]
    coming = [(id, at) for id, at in coming if at > now + datetime.timedelta(minutes=5)]
    minutes = {at.astimezone(VIENNA).strftime("%H:%M") for _, at in coming}
    version = it.own("GET", f"/my/assignments/{coming[0][0]}")["attributes"]["questionnaire_id"]
    it.keeps_form(version)
    it.offline()
    for path, place in [("/my", "[data-list=coming-when-kept]"), ("/my/offline", "[data-list=coming]")]:
        it.open(path)
        it.page.locator(place).wait_for()
        rows = it.page.locator(f"{place} li").all_inner_texts()
        said = [row for row in rows if "Zeit" in row or "später heute" in row]
        assert said and not any(minute in row for row in said for minute in minutes), rows
    it.open(f"/my/assignments/{coming[0][0]}")
    it.shows_form()
    assert coming[0][1].astimezone(VIENNA).strftime("%H:%M") not in it.page.content()


def test_fd30_more_is_renewed_by_pairing_and_names_what_cannot_be_had(phone, ada):
    # Her therapy has ended.
    it = phone("eva@example.org")
    it.forget_plan()
    it.open("/my/offline")
    it.until(KEPT_MORE_NAMES % "/pair")
    code = ada("GET", f"/patients/{ada('POST', '/patients', {})['id']}")["attributes"]["pairing_code"]["code"]
    it.open("/pair")
    it.page.fill("#code", code)
    it.page.click("main form .button--primary")
    it.page.wait_for_url("**/my/pairing*")
    if it.page.locator("#birth_date").count():
        it.page.fill("#birth_date", "1990-04-01")
        it.page.select_option("#gender", "female")
    it.page.click("main form .button--primary")
    it.page.wait_for_url("**/my")
    it.until(KEPT_MORE_NAMES % "/my/therapist")
    it.offline()
    it.open("/my/more")
    it.page.locator("a[href='/my/therapist']").wait_for()
    link = it.page.locator("a[href='/my/feedback']")
    link.locator("[data-absent]").wait_for()
    name = link.evaluate("(link) => link.firstChild.textContent.trim()")
    assert "nur mit Verbindung" in link.inner_text()
    assert it.page.locator("a[href='/my/words'] [data-absent]").count() == 0
    link.click()
    it.says(f"„{name}“ gibt es nur mit Verbindung.")


def test_lf6_a_page_opened_by_its_address_takes_no_name_from_a_link_within_a_page(phone):
    it = phone()
    it.open("/my")
    it.until(KEPT_MORE_NAMES % "/my/therapist")
    it.offline()
    for _ in range(2):
        it.open("/my/feedback")
        it.says("Diese Seite gibt es nur mit Verbindung.")
        # Followed, the link to the content has the address of the page that is not there.
        it.page.locator("a.skip").focus()
        it.page.keyboard.press("Enter")
        it.page.wait_for_function("location.hash === '#main'")


def test_pw6_a_draft_of_the_device_and_one_of_the_app_go_on_together(phone, ada):
    it = phone()
    _, path = asked(ada, it, "wellbeing-5")
    it.offline()
    it.open(path)
    first = it.page.locator("[data-question]:visible").first
    first.locator("label").nth(1).click()
    key = first.get_attribute("data-question")
    it.page.locator(".answer__bar [data-go=next]").click()
    it.open(path)
    it.says("Sie haben schon begonnen")
    assert it.page.locator(f"[data-question='{key}'] input:checked").count() == 1
    it.offline(False)
    it.page.locator("[data-go=later]").click()
    it.page.wait_for_url("**/my")
    draft = it.own("GET", f"/my/drafts/{path.split('/')[-1]}")["attributes"]["answers"]
    assert key in draft


def answered_elsewhere(it, assignment):
    """On the other phone, with the app."""
    wanted = it.own("GET", f"/my/assignments/{assignment}")["attributes"]["questionnaire_id"]
    questions = [one for part in it.own("GET", f"/questionnaires/{wanted}")["attributes"]["sections"] for one in part["questions"]]
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    it.own("PUT", f"/my/contributions/{uuid.uuid4()}", {
        "assignment_id": assignment, "started_at": now, "completed_at": now, "timezone": "Europe/Vienna",
        "answers": {one["key"]: 1 for one in questions if one["type"] == "single"}})


def test_pw6_what_is_refused_is_said_and_stays_until_somebody_has_seen_why(phone, ada):
    it = phone()
    _, path = asked(ada, it)
    it.offline()
    it.open(path)
    it.fills_in()
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    answered_elsewhere(it, path.split("/")[-1])
    it.offline(False)
    it.open("/my")
    it.says("Eine Eingabe wurde nicht angenommen")
    it.open("/my/offline")
    it.says("Nicht angenommen")
    it.page.locator("details summary").click()
    # What somebody reads is not folded up, and keeps the keyboard, when the page looks anew.
    it.page.evaluate(LOOKED_AGAIN)
    assert it.page.evaluate("document.activeElement.localName") == "summary"
    assert "Etwas aus der Sitzung kam mir wieder in den Sinn.\neinmal" in it.text()
    it.page.click("text=Gelesen, hier entfernen")
    it.page.locator("[data-list=refused]").wait_for(state="hidden")
    it.open("/my")
    assert it.page.locator("[data-reason=refused]").count() == 0


def test_pw6_signing_out_asks_and_takes_everything_along(phone, ada):
    it = phone()
    _, path = asked(ada, it)
    it.offline()
    it.open(path)
    it.fills_in()
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.open("/my/more")
    it.page.click("form[action='/logout'] button")
    it.says("Eine Eingabe ist noch nicht gesendet und geht verloren")
    it.page.click("dialog[open] button[value=stay]")
    it.says("Eine Eingabe ist noch nicht gesendet.")
    it.page.click("form[action='/logout'] button")
    it.page.locator("dialog[open]").wait_for()
    it.offline(False)
    it.page.click("dialog[open] button[value=leave]")
    it.page.wait_for_url("**/login")
    assert it.page.evaluate("caches.keys().then((all) => all.filter((name) => name.startsWith('own ')).length)") == 0
    it.until("indexedDB.databases().then((all) => all.length === 0)")


# What lies on a device that nobody has used, after everything that only looks; then while a database is let go that another tab
# has open still; then once something is kept.
LOOKED = """async () => {
  const page = document.querySelector('script[src*="/waiting.js"]').src
  const [store, outbox] = await Promise.all(["store.js", "outbox.js"].map((name) => import(new URL(name, page))))
  const names = async () => (await indexedDB.databases()).map(({ name }) => name)
  const asked = (request, event) => new Promise((done) => (request[event] = done))
  await store.find("facts", "current")
  await store.all("drafts")
  await store.change([{ store: "plans", key: "gone" }])
  const looked = await names()
  await Promise.all([store.find("facts", "one"), store.change([{ store: "facts", key: "one", value: 1 }])])
  const kept = await store.find("facts", "one")
  const other = indexedDB.open("intersession")
  await asked(other, "onsuccess")
  const letting = indexedDB.deleteDatabase("intersession")
  await asked(letting, "onblocked")
  const [gone, waits] = [asked(letting, "onsuccess"), outbox.waits()]
  other.result.close()
  await gone
  return { looked, kept, waits: await waits, left: await names() }
}"""


def test_pw6_what_only_looks_leaves_no_database(chromium, house):
    """Signing out takes everything along; a page or a worker that looks a moment later must not have it there again."""
    context = chromium.new_context(locale="de-AT")
    page = context.new_page()
    page.goto(house[0] + "/login")
    assert browsers.ask(page, LOOKED) == {"looked": [], "kept": 1, "waits": False, "left": []}


def answered_offline(phone, ada, **options):
    """A phone with a form filled in while there was no connection, not sent yet; how many sheets there were, and where the form is."""
    it = phone(**options)
    before = it.sheets()
    _, path = asked(ada, it)
    it.offline()
    it.open(path)
    it.fills_in()
    return it, before, path


def change(own, old, new):
    own("PUT", "/my/password", {"current_password": old, "password": new, "password_confirmation": new})


def test_pw6_a_session_that_ended_keeps_what_lies_here_and_shows_it_to_nobody_else(phone, ada):
    it, before, _ = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    # Ended elsewhere: a stolen phone, another one of hers.
    new = PASSWORD + " neu"
    change(it.own, PASSWORD, new)
    # The page that is open learns of it, and gives way.
    it.offline(False)
    it.page.wait_for_url("**/login**")
    it.sign_in("tom@example.org")
    it.says("noch etwas Ungesendetes von jemand anderem")
    assert "Im Tunnel" not in it.page.content()
    it.open("/my/offline")
    assert it.page.locator("[data-list=unsent]:visible").count() == 0
    it.context.clear_cookies()
    it.open("/login")
    it.page.fill("#email", "pia@example.org")
    it.page.fill("#password", new)
    it.page.check("#stay_signed_in")
    it.page.click("main button")
    it.page.wait_for_url("**/my")
    it.page.locator("[data-reason=foreign]").wait_for(state="detached")
    it.page.locator("[data-reason=unsent]").wait_for(state="detached")
    it.page.evaluate("navigator.locks.request('intersession-outbox', () => true)")
    it.own = pia = API(it.address, "pia@example.org", new)
    assert len(it.arrived(before)) == 1
    change(pia, new, PASSWORD)


def test_pw6_who_deletes_an_account_takes_nothing_of_others_along(phone, ada):
    it, before, _ = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.session_ends()
    it.offline(False)
    it.page.wait_for_url("**/login**")
    it.sign_in("jan@example.org")
    it.says("noch etwas Ungesendetes von jemand anderem")
    jan = it.page.locator("[data-account]").get_attribute("data-account")
    pages = f"caches.has('own {jan}')"
    it.until(pages)
    it.open("/my/settings/deletion")
    for password in ("verschrieben", PASSWORD):
        it.page.fill("#password", password)
        it.page.get_by_role("button", name="Konto endgültig löschen").click()
        if password != PASSWORD:
            it.page.locator("#password-error").wait_for()
    it.page.wait_for_url("**/account-deleted")
    assert len(it.lies("outbox")) == 1 and not it.page.evaluate(pages)
    # And pia, when she is back, sends hers.
    it.sign_in("pia@example.org")
    it.page.locator("[data-reason=unsent]").wait_for(state="detached")
    it.own = API(it.address, "pia@example.org")
    assert len(it.arrived(before)) == 1


def test_pw6_a_session_that_ended_shows_no_page_that_was_kept(phone, ada):
    it = phone()
    asked(ada, it)
    it.keeps("/my/appointments")
    it.session_ends()
    it.open("/my")
    it.page.wait_for_url("**/login**")
    it.offline()
    it.open("/my/appointments")
    assert it.text("body").startswith("Keine Verbindung. No connection.")
    # It holds no script, and tries again all the same.
    it.offline(False)
    it.page.wait_for_url("**/login**")


def test_pw6_a_session_that_ended_shows_nothing_of_a_form_that_lies_here(phone, ada):
    it = phone()
    _, path = asked(ada, it)
    it.offline()
    it.open(path)
    it.page.locator("[data-question]:visible label").nth(1).click()
    it.page.locator(".answer__bar [data-go=next]").click()
    it.session_ends()
    it.offline(False)
    it.page.goto(it.address + path, wait_until="commit")
    it.page.wait_for_url("**/login?next=**")
    # The kept form has gone with the session, what was typed has not (FD-14).
    it.sign_in("pia@example.org")
    it.learns(path)
    it.keeps_form(it.own("GET", path)["attributes"]["questionnaire_id"])
    it.open(path)
    it.says("Sie haben schon begonnen")


def test_pw6_signing_out_without_a_network_says_that_it_did_not_happen(phone, ada):
    it = phone()
    asked(ada, it)
    it.keeps("/my/more")
    it.offline()
    it.open("/my/more")
    it.page.click("form[action='/logout'] button")
    it.says("Noch nicht abgemeldet")
    it.page.click("dialog[open] button")
    it.open("/my")
    it.says("Keine Verbindung zum Server")
    it.offline(False)
    it.open("/my/more")
    it.page.click("form[action='/logout'] button")
    it.page.wait_for_url("**/login")
    it.open("/my")
    it.page.wait_for_url("**/login**")


def test_pw6_signing_out_waits_for_no_tab_that_keeps_pages_for_ever(phone, ada):
    it = phone()
    asked(ada, it)
    it.keeps("/my/more")
    it.open("/my/more")
    other = it.context.new_page()
    other.goto(it.page.url)
    other.evaluate("""() => new Promise((held) => {
        navigator.locks.request("intersession-pages", () => { held(true); return new Promise(() => {}) })
    })""")
    it.page.click("form[action='/logout'] button")
    it.page.wait_for_url("**/login")
    assert not [name for name in it.page.evaluate("caches.keys()") if name.startswith("own ")]


def test_pw6_signing_out_sends_what_can_be_sent_or_says_that_it_could_not(phone, ada):
    it, before, _ = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.open("/my/more")
    it.page.click("form[action='/logout'] button")
    it.says("Eine Eingabe ist noch nicht gesendet und geht verloren")
    assert it.page.locator("dialog[open] a:visible").count() == 0
    it.page.click("dialog[open] button[value=send-first]")
    it.says("Senden ging gerade nicht")
    it.offline(False)
    it.page.click("dialog[open] button[value=send-first]")
    it.page.wait_for_url("**/login")
    assert len(it.arrived(before)) == 1


FOREIGN = [403, {"message": "abgelaufen", "errors": {}, "code": "foreign_form"}]
WRONG = [422, {"message": "Das passt nicht.", "errors": {}, "code": "invalid"}]


@pytest.mark.parametrize("instead", [
    {"sheets": [200, {}]}, {"sheets": [200, {"state": "welcome"}]}, {"sheets": [404, {}]},
    {"sheets": FOREIGN, "plan": [503, {}]}, {"sheets": FOREIGN, "plan": [200, {}]}, {"sheets": FOREIGN, "plan": [403, {}]}, {"sheets": FOREIGN},
])
def test_pw6_what_something_else_answers_lets_nothing_go_and_refuses_nothing(phone, ada, instead):
    it, before, _ = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.instead(**instead)
    it.offline(False)
    it.open("/my")
    it.synchronised()
    it.says("Eine Eingabe ist noch nicht gesendet.")
    assert len(it.lies("outbox")) == 1 and it.page.locator("[data-reason=refused]").count() == 0
    it.instead()
    it.open("/my")
    assert len(it.arrived(before)) == 1


def test_pw6_what_could_not_be_sent_goes_in_a_while_by_itself(phone, ada):
    """A network that is there before anything is reached, a server that begins again: no browser tells when that is over."""
    it, before, _ = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.instead(sheets=[503, {"message": "gleich wieder da", "errors": {}, "code": "busy"}])
    it.offline(False)
    it.until("window.heardInstead > 0")
    it.instead()
    # The page that said that there was no connection says that it has arrived.
    it.says("Ihre Antworten sind angekommen.")
    assert not it.page.locator("[data-part=waiting]").is_visible()
    it.page.locator("[data-reason=unsent]").wait_for(state="detached")
    assert len(it.arrived(before)) == 1


def test_pw6_what_was_refused_opens_again_and_stays_where_it_cannot(phone, ada):
    it, before, path = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.instead(sheets=WRONG)
    it.offline(False)
    it.open("/my/offline")
    it.says("Das passt nicht.")
    it.instead(sheets=WRONG, plan=[503, {}])
    it.page.click("text=Noch einmal öffnen")
    it.says("Dazu braucht es eine Verbindung.")
    assert len(it.lies("outbox")) == 1
    it.instead()
    it.page.click("text=Noch einmal öffnen")
    it.page.wait_for_url("**" + path)
    it.says("Sie haben schon begonnen")
    it.fills_in()
    it.instead(sheets=WRONG)
    it.sends()
    it.page.wait_for_url("**/my/offline")
    it.says("Das passt nicht.")
    it.instead()
    answered_elsewhere(it, path.split("/")[-1])
    assert len(it.arrived(before)) == 1
    it.page.click("text=Noch einmal öffnen")
    it.says("Dieser Fragebogen ist nicht mehr offen.")
    assert len(it.lies("outbox")) == 1


ENDED = [403, {"message": "Diese Therapie ist zu Ende.", "errors": {}, "code": "therapy_ended"}]


def test_rp102_a_sheet_that_nobody_takes_any_more_is_said_and_holds_nothing_up(phone, ada):
    it, before, _ = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.instead(sheets=ENDED)
    it.offline(False)
    it.open("/my/offline")
    it.says("Diese Therapie ist zu Ende.")
    it.instead()
    _, path = asked(ada, it, "wellbeing-5")
    it.open(path)
    it.fills_in()
    it.sends()
    assert len(it.arrived(before)) == 1
    # Pairing can come back.
    it.open("/my/offline")
    it.page.click("text=Noch einmal senden")
    it.page.locator("[data-list=refused]").wait_for(state="hidden")
    assert len(it.arrived(before)) == 2 and it.lies("outbox") == []


# A thousand sheets, of which the server refuses every third for good: what was sent, in which order, and what lies here then.
THOUSAND = """async (answer) => {
  const at = document.querySelector('link[rel=modulepreload][href*="/plan.js"]').href
  const [outbox, state] = await Promise.all(["outbox.js", "state.js"].map((one) => import(new URL(one, at))))
  const entry = (at) => ({ id: crypto.randomUUID(), subject: `x${at}`, path: "/my/offline/sheets", title: "x", at, fields: [["n", `${at}`]], lines: [] })
  const changes = await Promise.all(Array.from({ length: 1000 }, (_, at) => outbox.keeping(state.account, entry(at))))
  await outbox.keep(state.account, changes)
  const heard = []
  window.fetch = async (path, { body }) => {
    heard.push(Number(body.get("n")))
    return heard.length % 3 ? Response.json({ state: "taken" }) : Response.json(answer[1], { status: answer[0] })
  }
  const { sent, refused, isComplete } = await outbox.flush(state.account)
  const left = await outbox.entries(state.account)
  return [heard, sent.length, refused.length, isComplete, left.length, left.every((one) => one.mayResend && one.refusal)]
}"""


def test_rp102_of_a_thousand_sheets_every_third_is_refused_and_the_others_arrive(phone):
    it = phone()
    it.forget_plan()
    it.open("/my/offline")
    it.page.evaluate(KNOWN, "")
    assert it.page.evaluate(THOUSAND, ENDED) == [list(range(1000)), 667, 333, True, 333, True]


COMPLETED = """async (answer) => {
  const at = document.querySelector('link[rel=modulepreload][href*="/plan.js"]').href
  const [outbox, state] = await Promise.all(["outbox.js", "state.js"].map((one) => import(new URL(one, at))))
  for (const step of ["opening", "completion"]) {
    const path = `/my/interventions/${crypto.randomUUID()}/${step}`
    const entry = { id: crypto.randomUUID(), subject: path, path, title: `Atmen ${step}`, at: Date.now(), fields: [], lines: [] }
    await outbox.keep(state.account, [await outbox.keeping(state.account, entry)])
  }
  window.fetch = async () => Response.json(answer[1], { status: answer[0] })
  const { refused } = await outbox.flush(state.account)
  return refused.map(({ title, refusal, mayResend }) => [title, refusal, mayResend])
}"""


def test_rp102_that_something_was_done_is_said_where_pairing_is_missing(phone):
    it = phone()
    it.forget_plan()
    it.open("/my/offline")
    it.page.evaluate(KNOWN, "")
    answer = [403, {"message": "Nicht verbunden.", "errors": {}, "code": "not_paired"}]
    assert it.page.evaluate(COMPLETED, answer) == [["Atmen completion", "Nicht verbunden.", True]]
    it.open("/my/offline")
    it.says("Atmen completion")
    it.says("Nicht verbunden.")


def test_rp120_own_pages_work_where_the_tab_keeps_nothing(phone):
    it = phone()
    it.context.add_init_script("""Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("", "SecurityError") } })""")
    wrong = []
    it.page.on("pageerror", lambda error: wrong.append(str(error)))
    it.open("/my")
    it.page.wait_for_load_state("networkidle")
    it.page.click("main a[href^='/my/']")
    it.page.wait_for_load_state("networkidle")
    assert wrong == []


def test_pw6_a_form_in_which_all_was_left_open_is_refused_in_words_too(phone):
    it = phone()
    it.open("/my/offline")
    it.page.evaluate("""async () => {
      const at = document.querySelector('link[rel=modulepreload][href*="/outbox.js"]').href
      const [outbox, state] = await Promise.all([import(at), import(new URL("state.js", at))])
      const id = crypto.randomUUID()
      await outbox.keep(state.account, [await outbox.keeping(state.account, {
        id, subject: "x", path: "/my/offline/sheets", title: "Nichts davon", at: Date.now(), fields: [["id", id]], lines: [] })])
    }""")
    it.open("/my")
    it.says("Eine Eingabe wurde nicht angenommen.")


def test_tyt3_a_form_that_is_open_shows_what_another_device_answers_and_takes_nothing_back(phone, ada):
    it = phone()
    _, path = asked(ada, it, "wellbeing-5")
    it.open(path)
    it.shows_form()
    keys = [one.get_attribute("data-question") for one in it.page.locator("[data-question]").all()]
    it.page.locator(f"[data-question='{keys[0]}'] label").nth(1).click()
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    it.own("PUT", f"/my/drafts/{path.split('/')[-1]}", {"answers": {keys[1]: 2}, "answered_at": {keys[1]: now}})
    it.page.locator(".answer__bar [data-go=next]").click()
    it.page.locator(f"[data-question='{keys[1]}'] input:checked").wait_for(state="attached")
    it.page.locator("[data-go=later]").click()
    it.page.wait_for_url("**/my")
    draft = it.own("GET", f"/my/drafts/{path.split('/')[-1]}")["attributes"]["answers"]
    assert {keys[0], keys[1]} <= set(draft) and draft[keys[1]] == 2


def test_rp109_a_clock_that_is_set_while_a_form_is_open_puts_nothing_over_what_is_newer(phone, ada):
    it = phone()
    _, path = asked(ada, it, "wellbeing-5")
    it.open(path)
    it.shows_form()
    it.page.evaluate("const right = Date.now; Date.now = () => right.call(Date) + 3_600_000; dispatchEvent(new Event('online'))")
    it.says("geht um 60 Minuten vor")
    it.offline()
    first = it.page.locator("[data-question]:visible").first
    key = first.get_attribute("data-question")
    first.locator("label").nth(1).click()
    tapped = int(time.time())
    it.page.locator("[data-go=later]").click()
    it.page.wait_for_url("**/my")
    # Moments of answers are whole seconds, and no clock that is fast gets ahead of the server's: the other device answers in a later one.
    eventually(lambda: time.time() >= tapped + 1)
    later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 60))
    it.own("PUT", f"/my/drafts/{path.split('/')[-1]}", {"answers": {key: 4}, "answered_at": {key: later}})
    it.offline(False)
    it.open(path)
    it.page.locator(f"[data-question='{key}'] input[value='4']:checked").wait_for(state="attached")


def test_pw6_where_somebody_else_signs_in_without_staying_no_page_goes_into_the_wrong_hands(phone, ada):
    it = phone()
    asked(ada, it)
    it.context.clear_cookies()
    it.stays = False
    it.sign_in("tom@example.org")
    for page in ("/my", "/my/more", "/my/offline", "/my"):
        it.open(page)
        it.page.evaluate("navigator.locks.request('intersession-outbox', () => true)")
    # Tom does not stay, and what was kept for Pia has gone (FD-14).
    assert it.page.evaluate(WHOSE) == []
    it.until("""() => new Promise((done) => {
      const open = indexedDB.open("intersession")
      open.onsuccess = () => {
        const one = open.result.transaction("facts").objectStore("facts").get("current")
        one.onsuccess = () => { open.result.close(); done(one.result === undefined) }
      }
    })""")
    it.offline()
    it.open("/my")
    assert it.text("body").startswith("Keine Verbindung. No connection.")


def test_pw6_a_page_whose_session_is_over_does_not_begin_again_and_again(phone, ada):
    it = phone()
    _, second = asked(ada, it, "wellbeing-5")
    _, first = asked(ada, it)
    it.offline()
    it.open(first)
    it.fills_in()
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.session_ends()
    # That nobody is signed in is told by what waits alone, and the worker has the form.
    it.instead(plan=[503, {}])
    # The page that is open would learn of it as soon as there is a network; here it is the next one.
    it.page.goto("about:blank")
    it.offline(False)
    seen = []
    it.page.on("framenavigated", lambda frame: seen.append(frame.url))
    it.page.goto(it.address + second, wait_until="commit")
    it.page.wait_for_url("**/login**")
    assert len(seen) <= 3, seen


def test_pw6_two_tabs_send_one_sheet(phone, ada):
    it, before, _ = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    other = it.context.new_page()
    other.goto(it.address + "/my")
    it.open("/my")
    it.offline(False)
    for page in (other, it.page):
        page.evaluate("dispatchEvent(new Event('online'))")
    it.page.locator("[data-reason=unsent]").wait_for(state="detached")
    other.locator("[data-reason=unsent]").wait_for(state="detached")
    assert len(it.arrived(before)) == 1
    sent = [body for url, body, _ in it.requests if url.endswith("/my/offline/sheets") and "action=send" in body]
    assert len(sent) == 1


# A device without room: what is to be kept fails as IndexedDB fails then, when it is to be made durable. Chromium's own limit does not
# hold for windows that leave nothing behind, which those of tests are. There is room once the kept pages are gone.
FULL = """() => {
  window.hasRoom = false
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (...all) {
    const { transaction } = this
    if (!window.hasRoom && !transaction.isFull) {
      transaction.isFull = true
      Object.defineProperty(transaction, "error", { get: () => new DOMException("", "QuotaExceededError") })
      queueMicrotask(() => transaction.abort())
    }
    return put.apply(this, all)
  }
  const remove = CacheStorage.prototype.delete
  CacheStorage.prototype.delete = function (name) {
    if (window.pagesHelp && name.startsWith("own ")) window.hasRoom = true
    return remove.call(this, name)
  }
}"""


def test_pw6_a_full_store_says_so_and_what_was_typed_stays_until_there_is_room(phone, ada):
    it, before, _ = answered_offline(phone, ada)
    it.page.evaluate(FULL)
    it.sends()
    it.says("Auf diesem Gerät ist kein Platz mehr.")
    assert it.page.locator("[data-go=send]:visible").count() == 1 and it.sheets() == before
    # The answers are in the form still; with room again they are kept, and arrive.
    it.page.evaluate("window.hasRoom = true")
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.offline(False)
    it.open("/my")
    assert len(it.arrived(before)) == 1


def test_pw6_where_there_is_little_room_answers_stay_and_pages_go(phone, ada):
    it, before, _ = answered_offline(phone, ada)
    kept = "caches.keys().then((all) => all.filter((name) => name.startsWith('own ')).length)"
    assert it.page.evaluate(kept) == 1
    it.page.evaluate(FULL)
    it.page.evaluate("window.pagesHelp = true")
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    assert it.page.evaluate(kept) == 0
    it.offline(False)
    it.open("/my")
    assert len(it.arrived(before)) == 1


@pytest.mark.parametrize(("hours", "words"), [(-2, "geht um 120 Minuten nach"), (3, "geht um 180 Minuten vor")])
def test_pw6_a_clock_that_is_off_is_noticed_when_it_synchronises(phone, hours, words):
    it = phone()
    it.page.clock.set_fixed_time(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours))
    it.open("/my/offline")
    it.says(words)


class Restarted:
    """A server whose files are changed, on one port and one folder of data."""

    def __init__(self, folder):
        self.folder, self.port = folder, "0"
        for name in ("templates", "static"):
            shutil.copytree(ROOT / name, folder / "resources" / name)
        self.common = ["--data", str(folder / "data"), "--resources", str(folder / "resources"), "--timezone", "Europe/Vienna"]
        seeded(folder / "data")
        self.start()

    def start(self):
        self.process, self.address = launch("--port", self.port, "--second-factor", "optional", *self.common)
        self.port = self.address.rsplit(":", 1)[1]

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=15) == 0

    def becomes(self, mark):
        """The same program with other files: every name with a hash of its own changes."""
        self.stop()
        for path in (self.folder / "resources/static/own").glob("*.js"):
            text = (ROOT / "static/own" / path.name).read_text()
            path.write_text(text + (f"// {mark}\n" if mark else ""))
        sheet = "static/css/pages/own-offline.css"
        (self.folder / "resources" / sheet).write_text((ROOT / sheet).read_text() + (f"/* {mark} */\n" if mark else ""))
        self.start()


@pytest.fixture
def updated(chromium, tmp_path):
    """A server that becomes another, a phone, and the therapist."""
    server = Restarted(tmp_path)
    try:
        it = Phone(chromium, server.address)
        yield server, it, API(server.address, "ada@example.org")
        browsers.close(it.context)
    finally:
        server.stop()


def test_pw6_a_worker_of_yesterday_and_a_server_of_today_and_the_other_way_round(updated):
    server, it, ada = updated
    for mark in ("today", None):
        before = it.sheets()
        _, path = asked(ada, it)
        it.offline()
        it.open(path)
        it.fills_in()
        # While the form is open, and nothing of it has been sent, the server becomes another.
        server.becomes(mark)
        it.sends()
        it.says("Im Moment gibt es keine Verbindung")
        it.offline(False)
        it.open("/my")
        assert len(it.arrived(before)) == 1
        it.open("/my/offline")
        it.page.locator("h1").wait_for()


def test_pw6_a_page_of_today_is_kept_once_its_style_sheet_and_scripts_lie_here_too(updated):
    server, it, ada = updated
    _, path = asked(ada, it)
    before = it.page.evaluate(NAMED)
    assert all(before.values()) and len(before) == 3
    server.becomes("today")
    # Of what the worker of today fetches one file does not come.
    it.context.route("**/assets/own/*/qr.js", lambda route: route.abort())
    it.learns(path)
    it.page.evaluate(KEEP_PAGES)
    assert it.page.evaluate(NAMED) == before
    it.offline()
    it.open(path)
    it.shows_form()
    it.offline(False)
    # Now it comes, and with it the pages of today.
    it.context.unroute("**/assets/own/*/qr.js")
    it.open("/my/offline")
    it.page.evaluate(KEEP_PAGES)
    today = it.page.evaluate(NAMED)
    assert all(today.values()) and len(today) == 3 and today != before


def test_pw6_after_an_update_what_is_kept_has_its_style_sheet_and_scripts_without_a_network(updated):
    server, it, ada = updated
    _, path = asked(ada, it)
    # The plan of yesterday is new enough: what is kept stays as it is.
    server.becomes("today")
    it.open("/my")
    it.fetches_worker()
    it.changes_worker()
    assert it.page.evaluate(SHELLS) == 2
    # What the browser keeps by itself it may let go at any time; only the worker's counts.
    it.context.new_cdp_session(it.page).send("Network.clearBrowserCache")
    it.offline()
    it.open(path)
    it.shows_form()
    assert it.page.evaluate("getComputedStyle(document.querySelector('.brand')).display") != "inline"
    it.fills_in()
    assert it.page.locator(".answer__part:visible").count() == 0
    it.offline(False)
    # Once it has asked what there is today everything is of today, and the old shell is gone.
    it.learns(path)
    it.until(SHELLS + ".then((count) => count === 1)")
    it.offline()
    it.open(path)
    it.shows_form()


def test_pw6_a_newer_worker_waits_while_somebody_looks_or_a_form_is_open(updated):
    server, it, ada = updated
    _, path = asked(ada, it)
    server.becomes("today")
    it.open(path)
    it.shows_form()
    it.fetches_worker()
    other = it.context.new_page()
    for closes in (False, True):
        other.goto(it.address + "/my")
        # What comes last on this page comes after the worker.
        other.locator("[data-behaviour~=install]").wait_for()
        if closes:
            it.page.close()
        else:
            # A form is open in the first tab.
            it.looks_away(other)
        assert other.evaluate(WAITS)
        # What is left for another page is not what nobody looks at.
        other.goto(it.address + "/my/more")
        assert other.evaluate(WAITS)
    other.goto(it.address + "/my")
    other.locator("[data-behaviour~=install]").wait_for()
    it.changes_worker(other)


def test_pw4_the_app_installs_and_names_nobody(phone):
    it = phone()
    it.open("/my")
    address = it.page.locator("link[rel=manifest]").get_attribute("href")
    manifest = it.page.evaluate("fetch(new URL(document.querySelector('link[rel=manifest]').href)).then((answer) => answer.json())")
    assert address == "/my/manifest.json" and (manifest["display"], manifest["scope"]) == ("standalone", "/my")
    for icon in manifest["icons"]:
        width = it.page.evaluate(
            "(src) => new Promise((done) => { const one = new Image(); one.onload = () => done(one.width); one.src = src })", icon["src"])
        assert f"{width}x{width}" == icon["sizes"]
    session = it.context.new_cdp_session(it.page)
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in ([], [{"errorId": "in-incognito", "errorArguments": []}])


@pytest.mark.parametrize(("scheme", "width"), MODES)
def test_a5_axe_finds_nothing_on_what_lies_on_the_device(phone, ada, scheme, width):
    it = phone(color_scheme=scheme)
    it.page.set_viewport_size({"width": width, "height": 844})
    _, path = asked(ada, it)

    def clean(what):
        assert violations(it.page, what, tags=None) == []
        assert it.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what

    for page in ("/my/words", "/my/settings/push"):
        it.open(page)
        clean(page)
    it.offline()
    it.open(path)
    it.shows_form()
    clean("form")
    it.fills_in()
    clean("review")
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    clean("sent")
    for page in ("/my", "/my/offline"):
        it.open(page)
        it.says("Eine Eingabe ist noch nicht gesendet.")
        clean(page)
    it.offline(False)
    it.open("/my")
    it.page.locator("[data-reason=unsent]").wait_for(state="detached")
