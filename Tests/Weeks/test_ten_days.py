"""Ten days of one practice (`found.md`): Ada treats, Ben stands in for her, Pat answers on her phone. Each evening all browsers are
closed and the server stops; each morning the clock is a day further on. What lasts is looked at every midnight."""

import datetime
import re
import time
import urllib.error

import pytest
from lived import API, PASSWORD, PHONE, House, Person
from playwright.sync_api import sync_playwright

SECRET = "vier Wörter ohne jeden Sinn"
EMAIL = "pat@example.org"
RISK = "strain-week"
PLAIN = "between-sessions"


class Practice:
    """Three people and what is true of them, kept beside the server's own rows."""

    def __init__(self, playwright, folder):
        self.house = House(folder / "data")
        self.house.opens()
        self.ada = Person(playwright, self.house, folder, "ada", viewport={"width": 1280, "height": 900})
        self.ben = Person(playwright, self.house, folder, "ben", viewport={"width": 1280, "height": 900})
        self.pat = Person(playwright, self.house, folder, "pat", **PHONE)
        self.people = [self.ada, self.ben, self.pat]
        self.patient = self.app = None
        # How many sheets Pat has sent, whether her phone is signed in, and who may open her file.
        self.sent, self.stays, self.in_charge = 0, False, {"ada@example.org"}
        # Sheets with an answer that has to be seen, until it was.
        self.unseen = set()
        self.days = 0

    def morning(self):
        for person in self.people:
            person.opens()
        for person, email in [(self.ada, "ada@example.org"), (self.ben, "ben@example.org")]:
            person.signs_in(email)

    def night(self):
        for person in self.people:
            person.closes()
        self.midnight()
        self.house.closes()
        self.house.verify()
        self.days += 1
        self.house.sleeps()
        self.house.opens()

    def midnight(self):
        """What has to hold whatever the day has brought."""
        if self.patient is None:
            return
        staff = {email: API(self.house, email) for email in ["ada@example.org", "ben@example.org"]}
        for email, api in staff.items():
            may = api.status("GET", f"/patients/{self.patient}") == 200
            assert may == (email in self.in_charge), f"{email} may open the file: {may}, day {self.days}"
            told = {one["contribution_id"] for one in api("GET", "/today")["attributes"]["must_be_seen"]
                    if one["patient_id"] == self.patient}
            assert told == (self.unseen if may else set()), f"{email} is told {told}, day {self.days}"
        if self.app is not None:
            sheets = self.app("GET", "/my/contributions?limit=200")
            assert len(sheets) == self.sent, f"{len(sheets)} sheets for {self.sent} that were sent, day {self.days}"
        stored = self.house.rows(
            "SELECT count(*) FROM contributions WHERE therapy_id = ? AND must_be_seen = 1 AND seen_at IS NULL", self.patient)
        assert stored[0][0] == len(self.unseen)

    # MARK: What people do

    def day(self, act):
        self.morning()
        act()
        self.night()

    def is_at_home(self, path="/my"):
        """A phone that stays signed in opens on the person's own day, with no name and no password."""
        self.pat.open(path)
        assert self.pat.path.split("?")[0] == path, f"day {self.days}: {self.pat.path}"

    def sessions(self):
        """When the sessions are that Ada's file has."""
        found = API(self.house, "ada@example.org")("GET", f"/patients/{self.patient}/sessions?limit=200")
        return [one["attributes"]["starts_at"] for one in found]

    def asks(self, key):
        return API(self.house, "ada@example.org")("POST", f"/patients/{self.patient}/assignments", {
            "questionnaire_key": key, "due_at": (self.house.now + datetime.timedelta(days=12)).strftime("%Y-%m-%dT%H:%M:%SZ")})["id"]

    def arrives(self):
        """What waits on the phone is sent by itself once a page is open."""
        self.sent += 1
        end = time.monotonic() + 60
        while len(self.app("GET", "/my/contributions?limit=200")) != self.sent:
            assert time.monotonic() < end, f"nothing arrived, day {self.days}"


@pytest.fixture
def practice(tmp_path):
    with sync_playwright() as playwright:
        made = Practice(playwright, tmp_path)
        yield made
        for person in made.people:
            person.closes()
        if made.house.server:
            made.house.server.kill()


def test_ten_days_of_three_people(practice):
    it = practice
    for act in [first_day, half_a_sheet, the_other_half, in_a_tunnel, out_of_the_tunnel, a_colleague_stands_in,
                seen_by_the_one_who_stands_in, back_from_holiday, a_link_on_another_device, the_phone_is_taken_off]:
        it.day(lambda: act(it))
    assert it.days == 10 and it.sent == 5


def first_day(it):
    """Ada takes Pat in, Pat registers on her phone, pairs and stays signed in."""
    ada = API(it.house, "ada@example.org")
    patient = ada("POST", "/patients", {"note": "Dienstag"})
    it.patient = patient["id"]
    code = patient["attributes"]["pairing_code"]["code"].replace(" ", "")
    page = it.pat.page
    it.pat.open("/register")
    page.fill("#email", EMAIL)
    page.fill("#password", SECRET)
    page.fill("#password_confirmation", SECRET)
    page.check("#privacy_accepted")
    page.click("main form .button--primary")
    mail = next(text for text in it.house.mails() if EMAIL in text)
    it.pat.open(re.search(r"/verify-email\?token=[\w-]+", mail.replace("=\n", "").replace("=3D", "=")).group())
    page.click("main form .button--primary")
    it.pat.signs_in(EMAIL, SECRET, stays=True)
    it.pat.open(f"/pair#{code}")
    page.click("main form .button--primary")
    page.fill("#birth_date", "1990-04-01")
    page.select_option("#gender", "female")
    page.click("main form .button--primary")
    it.app = API(it.house, EMAIL, SECRET)
    it.stays = True
    it.first = it.asks(PLAIN)
    it.is_at_home()
    assert page.locator(f"a[href='/my/assignments/{it.first}']").count() >= 1


def half_a_sheet(it):
    """The browser was closed overnight; half of the answers are given, and the browser is closed over them."""
    it.is_at_home()
    it.pat.open(f"/my/assignments/{it.first}")
    it.pat.answers()
    it.pat.page.locator(".answer__bar .button--primary:visible").first.click()
    it.pat.page.wait_for_load_state("networkidle")
    enters_a_session(it)


def enters_a_session(it):
    """A key too many on the form as it opens enters nothing; then Ada enters the day after tomorrow's."""
    it.ada.open(f"/patients/{it.patient}/sessions/new")
    it.ada.page.locator("main form input:visible").first.press("Enter")
    it.ada.page.wait_for_load_state("networkidle")
    assert it.ada.page.locator("main .errors").count() == 1
    assert it.sessions() == []
    start = (it.house.now + datetime.timedelta(days=2)).replace(minute=0, second=0, microsecond=0)
    it.noted = [(start + datetime.timedelta(minutes=past)).strftime("%Y-%m-%dT%H:%M:%SZ") for past in (0, 50)]
    ada = API(it.house, "ada@example.org")
    ada("POST", f"/patients/{it.patient}/sessions", {"starts_at": it.noted[0], "ends_at": it.noted[1]})


def the_other_half(it):
    """What was begun goes on; once it is sent, Ada reads it on Today. Pat takes over what Ada has entered, and it is one session."""
    it.is_at_home()
    assert it.app("GET", "/my/appointments") == []
    it.pat.open("/my/appointments")
    it.pat.page.locator("section:has(#noted) form button").click()
    it.pat.page.wait_for_load_state("networkidle")
    assert it.pat.page.locator("#noted").count() == 0
    assert [one["attributes"]["starts_at"] for one in it.app("GET", "/my/appointments")] == it.noted[:1]
    assert it.sessions() == it.noted[:1]
    it.pat.sends(f"/my/assignments/{it.first}")
    it.arrives()
    it.ada.open("/")
    codename = API(it.house, "ada@example.org")("GET", f"/patients/{it.patient}")["attributes"]["codename"]
    assert codename in it.ada.text()


def in_a_tunnel(it):
    """Filled in without a network; the phone is switched off with it unsent."""
    it.is_at_home()
    it.tunnel = it.asks(PLAIN)
    it.pat.open("/my")
    keep(it.pat, f"/my/assignments/{it.tunnel}", it.app("GET", f"/my/assignments/{it.tunnel}")["attributes"]["questionnaire_id"])
    it.pat.offline()
    it.pat.sends(f"/my/assignments/{it.tunnel}")
    it.pat.page.get_by_text("Im Moment gibt es keine Verbindung").first.wait_for()


def out_of_the_tunnel(it):
    """A day later the phone has a network: it arrives once, and by itself."""
    it.is_at_home()
    it.arrives()


def a_colleague_stands_in(it):
    """Ada is away for two days; Pat answers what has to be seen, and Ben reads it where he begins his day."""
    ada = API(it.house, "ada@example.org")
    today = it.house.today
    ada("POST", "/covers", {
        "colleague_email": "ben@example.org", "patients": [it.patient], "from": str(today),
        "until": str(today + datetime.timedelta(days=1)), "access": "act"})
    it.in_charge.add("ben@example.org")
    it.risk = it.asks(RISK)
    it.is_at_home()
    it.pat.sends(f"/my/assignments/{it.risk}")
    it.arrives()
    it.unseen = {next(one["id"] for one in it.app("GET", "/my/contributions?limit=200")
                      if one["attributes"]["assignment_id"] == it.risk)}
    for one in [it.ada, it.ben]:
        one.open("/")
        assert one.page.locator(seen_form(it)).count() == 1


def seen_form(it):
    """Where what has to be seen is said to have been."""
    return f"main form[action='/patients/{it.patient}/contributions/{next(iter(it.unseen))}/seen']"


def seen_by_the_one_who_stands_in(it):
    """Seen once is seen for both."""
    it.ben.open("/")
    form = seen_form(it)
    it.ben.page.locator(form + " button").click()
    it.unseen = set()
    for one in [it.ada, it.ben]:
        one.open("/")
        assert one.page.locator(form).count() == 0
    # The last of the two days: at midnight Ben still stands in, in the morning he does not.
    it.is_at_home()


def back_from_holiday(it):
    """What was lent is over; Ben's bookmark leads nowhere."""
    it.in_charge.discard("ben@example.org")
    assert it.ben.open(f"/patients/{it.patient}").status == 404
    it.ben.open("/")
    it.is_at_home()
    it.own = it.asks(PLAIN)
    # Pat types on her own phone and does not send it yet.
    it.pat.open(f"/my/assignments/{it.own}")
    it.first_part = it.pat.page.input_value("main form input[name=part]")
    it.pat.answers(choose=1)
    it.pat.page.locator(".answer__bar .button--primary:visible").first.click()
    it.pat.page.wait_for_load_state("networkidle")


def a_link_on_another_device(it):
    """The link to the same sheet opens it empty in another browser, and what is sent there is told to Pat."""
    link = API(it.house, "ada@example.org")("POST", f"/patients/{it.patient}/assignments/{it.own}/link")["attributes"]["url"]
    it.ben.context.clear_cookies()
    it.ben.page.goto(link)
    it.ben.page.locator("main .button--primary").first.click()
    assert it.ben.page.input_value("main form input[name=part]") == it.first_part
    assert it.ben.page.locator("main input[type=radio]:checked").count() == 0
    for _ in range(40):
        send = it.ben.page.locator("button[value=send]:visible")
        if send.count():
            send.first.click()
            break
        it.ben.answers()
        it.ben.page.locator(".answer__bar .button--primary:visible").first.click()
    it.arrives()
    log = [one["attributes"] for one in it.app("GET", "/my/access-log?limit=200")]
    assert any("link" in str(one) for one in log), log[:5]


def the_phone_is_taken_off(it):
    """Another device of Pat's ends her phone's session: what was kept for showing goes, what she has not sent stays."""
    it.is_at_home()
    last = it.asks(PLAIN)
    it.pat.open("/my")
    keep(it.pat, f"/my/assignments/{last}", it.app("GET", f"/my/assignments/{last}")["attributes"]["questionnaire_id"])
    it.pat.offline()
    it.pat.sends(f"/my/assignments/{last}")
    it.pat.page.get_by_text("Im Moment gibt es keine Verbindung").first.wait_for()
    for device in it.app("GET", "/my/devices"):
        if not device["attributes"]["current"]:
            it.app("DELETE", f"/my/devices/{device['id']}")
    it.pat.new_tab()
    it.pat.offline(False)
    it.pat.open("/my")
    assert "/login" in it.pat.path
    it.pat.page.get_by_text("Auf diesem Gerät wartet eine Eingabe").wait_for()
    it.pat.until("async () => (await caches.keys()).every((name) => !name.startsWith('own '))")
    it.pat.signs_in(EMAIL, SECRET, stays=True)
    it.arrives()


# Waits until page and form lie in the caches: they are put there after the page is on the screen.
KEPT = """async (path) => {
  for (const name of await caches.keys()) {
    if (name.startsWith("own ") && (await (await caches.open(name)).match(path))) return true
  }
  return false
}"""

# Whether the plan on the device has an assignment; asked anew by a page, at most once a minute.
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

FORGET = """() => new Promise((done) => {
  const open = indexedDB.open("intersession")
  open.onsuccess = () => {
    const all = open.result.transaction("plans", "readwrite")
    all.objectStore("plans").clear()
    all.oncomplete = () => { open.result.close(); done(true) }
  }
})"""


def keep(person, path, version):
    """What a phone knows of a questionnaire once its page has been open for a minute."""
    person.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for _ in range(20):
        person.page.evaluate(FORGET)
        person.open("/my/offline")
        if person.page.evaluate(KNOWN, path):
            break
    else:
        raise AssertionError(f"{path} is not in the plan")
    person.until(KEPT, f"/my/offline/forms/{version}")
    person.until(KEPT, "/my")
