"""The browser in front of a person (RP-15, RP-16, RP-22): it lives by another clock than the practice, it says of itself that it is a
Mac, and it lets go of what it had promised to remind of."""

import base64
import hashlib
import json
import re

import browsers
import pytest
from browsers import PHONE
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import expect
from test_journeys import API, SECRET, eventually, file_of, fill_in, link_in_mail
from test_offline import Phone, ada, asked, house, phone  # noqa: F401

AWAY = "America/Sao_Paulo"
# What an iPad says of itself is a Mac's (matomo-org/device-detector #6398).
SAFARI = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15"


class Fingers(Phone):
    """What calls itself a Mac, with a screen that takes so many fingers at once."""

    fingers = 0

    def begin(self, chromium, **options):
        super().begin(chromium, user_agent=SAFARI, viewport={"width": 820, "height": 1180}, is_mobile=False, **options)
        self.context.add_init_script(f"""Object.defineProperty(navigator, "maxTouchPoints", {{ value: {self.fingers} }})
          delete globalThis.PushManager""")


class Pad(Fingers):
    fingers = 5


def zone_of(own):
    return own("GET", "/my/profile")["attributes"]["timezone"]


def registers(person, email):
    page = person.page
    page.fill("#email", email)
    for field in ("#password", "#password_confirmation"):
        page.fill(field, SECRET)
    page.check("#privacy_accepted")


def account_of(person, house, email):
    person.open(link_in_mail(house[1], email, "/verify-email"))
    person.page.click("main form button")
    return API(house[0], email, SECRET)


def test_rp15_on_the_way_into_a_study_the_account_gets_the_zone_of_the_device(visit, house):
    lena = API(house[0], "lena@example.org")
    lena("POST", "/studies", {"name": "von-weit", "title": {"de": "Von weit her"}, "running": True, "consent_text": {"de": "Ich nehme teil."}})
    person = visit(house[0], timezone_id=AWAY, **PHONE)
    person.open("/studies/von-weit")
    person.page.click("main .button--primary")
    registers(person, "weit@example.org")
    # The device knows; nobody is asked.
    assert not person.page.locator("#timezone").is_visible()
    person.page.click("main form .button--primary")
    assert zone_of(account_of(person, house, "weit@example.org")) == AWAY
    assert person.complaints == []


def test_rp15_without_scripts_the_zone_is_a_choice(visit, house):
    person = visit(house[0], timezone_id=AWAY, java_script_enabled=False, **PHONE)
    person.open("/register")
    registers(person, "wahl@example.org")
    assert person.page.input_value("#timezone") == "Europe/Vienna"
    person.page.select_option("#timezone", "Europe/Lisbon")
    person.page.click("main form .button--primary")
    assert zone_of(account_of(person, house, "wahl@example.org")) == "Europe/Lisbon"


def test_rp15_today_says_once_that_the_device_goes_by_another_clock(phone):
    it = phone(timezone_id=AWAY)
    line = it.page.locator("[data-behaviour~=zone]")
    expect(line).to_contain_text(re.compile(r"Die Uhr dieses Geräts \(\w+\.?, \d\d:\d\d\) geht anders als die Ihres Kontos \(\w+\.?, \d\d:\d\d\)"))
    line.locator("[data-go=no]").click()
    expect(line).to_be_hidden()
    it.open("/my")
    # What comes later on this page comes after it.
    it.page.locator("[data-behaviour~=install]").wait_for()
    expect(line).to_be_hidden()
    assert zone_of(it.own) == "Europe/Vienna"


def test_rp15_today_changes_the_account_with_one_tap(phone):
    it = phone("tom@example.org", timezone_id=AWAY)
    it.page.locator("[data-behaviour~=zone] button.button").first.click()
    it.page.locator(".flash").wait_for()
    assert zone_of(it.own) == AWAY
    it.open("/my")
    it.page.locator("[data-behaviour~=install]").wait_for()
    expect(it.page.locator("[data-behaviour~=zone]")).to_be_hidden()


def test_rp15_a_sheet_of_the_device_carries_the_zone_it_was_filled_in_in(phone, ada):
    it = phone(timezone_id=AWAY)
    before = it.sheets()
    _, path = asked(ada, it)
    it.offline()
    it.open(path)
    it.fills_in()
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.offline(False)
    it.open("/my")
    [sheet] = it.arrived(before)
    assert it.own("GET", f"/my/contributions/{sheet}")["attributes"]["timezone"] == AWAY


def test_rp15_a_sheet_of_a_page_carries_the_zone_it_was_filled_in_in(visit, ada, house):
    made = ada("POST", f"/patients/{file_of(ada)}/assignments", {"questionnaire_key": "wellbeing-5"})["id"]
    person = visit(house[0], timezone_id=AWAY, **PHONE)
    person.sign_in("pia@example.org")
    person.open(f"/my/assignments/{made}")
    fill_in(person.page, 3)
    sheet = person.page.url.split("sheet=")[1]
    assert API(house[0], "pia@example.org")("GET", f"/my/contributions/{sheet}")["attributes"]["timezone"] == AWAY


def test_rp15_two_names_of_one_clock_are_no_other_zone(phone):
    it = phone(timezone_id="Europe/Berlin")
    it.page.locator("[data-behaviour~=install]").wait_for()
    expect(it.page.locator("[data-behaviour~=zone]")).to_be_hidden()


@pytest.mark.parametrize("kind", [Pad, Fingers])
def test_rp16_an_ipad_is_no_mac_in_the_list_of_devices_and_where_it_is_told_how_to_install(chromium, house, kind):
    it = kind(chromium, house[0])
    hint = it.page.locator("[data-behaviour~=install]")
    expect(hint).to_contain_text("Teilen" if kind is Pad else "Menü Ihres Browsers")
    it.open("/my/settings/push")
    it.says("Tippen Sie auf „Teilen“" if kind is Pad else "Dieser Browser kann keine Erinnerungen zustellen")
    newest = next(one["attributes"] for one in it.own("GET", "/my/devices") if one["attributes"]["browser"] == "safari")
    assert newest["system"] == ("ios" if kind is Pad else "macos")
    browsers.close(it.context)


POINT = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

# What a browser has from its relay, which this Chromium has none of: one subscription, kept beside the pages of the context.
RELAY = """((scope, memory, point) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer
  const given = () => {
    const kept = JSON.parse(memory.get() ?? "null")
    return kept && {
      endpoint: kept.endpoint, options: { applicationServerKey: bytes(kept.key) },
      getKey: (name) => bytes(name === "auth" ? btoa("sixteen letters!") : point),
      unsubscribe: async () => { memory.set("null"); return true },
    }
  }
  const manager = {
    getSubscription: async () => given(),
    subscribe: async ({ applicationServerKey }) => {
      const key = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
      memory.set(JSON.stringify({ key, endpoint: `https://push.example.org/${crypto.randomUUID()}` }))
      return given()
    },
  }
  Object.defineProperty(scope.ServiceWorkerRegistration.prototype, "pushManager", { get: () => manager, configurable: true })
})"""
IN_PAGES = f"""{RELAY}(globalThis, {{ get: () => localStorage.getItem("relay"), set: (text) => localStorage.setItem("relay", text) }},
  "{base64.b64encode(POINT).decode()}")"""
IN_WORKER = f"""(kept) => {{
  self.relay = kept;
  {RELAY}(self, {{ get: () => self.relay, set: (text) => (self.relay = text) }}, "{base64.b64encode(POINT).decode()}")
  // Only a browser may dispatch one that is waited for.
  const event = new Event("pushsubscriptionchange")
  event.waitUntil = (work) => (self.work = work)
  dispatchEvent(event)
  return self.work.then(() => self.relay)
}}"""


@pytest.fixture
def reminded(phone):
    """A phone on which reminders were turned on."""
    it = phone(permissions=["notifications"])
    it.context.add_init_script(IN_PAGES)
    it.open("/my/settings/push")
    it.page.locator("[data-go=on]:visible").click()
    it.says("Dieses Gerät erinnert Sie ab jetzt.")
    assert push(it) == "on"
    it.forget_plan()
    it.open("/my")
    return it


def push(it):
    """Of the browser, as the list of devices says it."""
    return next(one["attributes"]["push"] for one in it.own("GET", "/my/devices") if one["attributes"]["browser"] == "chrome")


def endpoint(it):
    return json.loads(it.page.evaluate("localStorage.getItem('relay')"))["endpoint"]


def is_known(it, address):
    """Whether the server knows this subscription, by the mark that it gives of it."""
    plan = it.page.evaluate("fetch('/my/offline/plan', { headers: { Accept: 'application/json' } }).then((answer) => answer.json())")
    mark = base64.urlsafe_b64encode(hashlib.sha256(address.encode()).digest()).decode().rstrip("=")
    return plan["push"]["mark"] == mark


@pytest.mark.whole
def test_rp22_a_subscription_that_the_browser_renewed_is_told_at_the_next_start(reminded):
    before = endpoint(reminded)
    assert is_known(reminded, before)
    reminded.page.evaluate("""() => {
      const kept = JSON.parse(localStorage.getItem("relay"))
      localStorage.setItem("relay", JSON.stringify({ ...kept, endpoint: "https://push.example.org/renewed" }))
    }""")
    reminded.open("/my")
    eventually(lambda: is_known(reminded, "https://push.example.org/renewed"))
    assert push(reminded) == "on" and not reminded.page.locator("[data-behaviour~=reminders]").is_visible()


@pytest.mark.whole
def test_rp111_with_another_key_of_the_server_the_next_start_subscribes_anew(reminded):
    it = reminded
    before = endpoint(it)
    it.page.evaluate("""() => {
      const kept = JSON.parse(localStorage.getItem("relay"))
      localStorage.setItem("relay", JSON.stringify({ ...kept, key: btoa("the key of a server that was lost") }))
    }""")
    it.open("/my")
    eventually(lambda: endpoint(it) != before and is_known(it, endpoint(it)))
    assert push(it) == "on"


@pytest.mark.whole
def test_rp22_with_no_page_open_the_worker_renews_it(reminded):
    kept = reminded.page.evaluate("localStorage.getItem('relay')")
    worker = eventually(lambda: reminded.context.service_workers)[-1]
    # The browser has let it go.
    renewed = worker.evaluate(IN_WORKER, "null")
    assert renewed != kept and is_known(reminded, json.loads(renewed)["endpoint"])


@pytest.mark.whole
def test_rp22_where_permission_was_taken_back_today_says_so_and_one_tap_turns_them_on_again(reminded):
    it = reminded
    it.context.clear_permissions()
    it.page.evaluate("localStorage.setItem('relay', 'null')")
    it.open("/my")
    it.says("Der Browser hat die Erinnerungen auf diesem Gerät beendet.")
    assert push(it) == "ended"
    it.page.click("[data-behaviour~=reminders] [data-go=on]")
    it.says("Der Browser erlaubt diesen Seiten keine Mitteilungen.")
    it.context.grant_permissions(["notifications"])
    it.page.click("[data-behaviour~=reminders] [data-go=on]")
    it.says("Dieses Gerät erinnert Sie ab jetzt.")
    assert push(it) == "on" and is_known(it, endpoint(it))


@pytest.mark.whole
def test_rp22_who_goes_without_is_not_told_again(reminded):
    it = reminded
    it.context.clear_permissions()
    it.page.evaluate("localStorage.setItem('relay', 'null')")
    it.open("/my")
    it.page.click("[data-behaviour~=reminders] [data-go=off]")
    it.says("Dieses Gerät erinnert Sie nicht mehr.")
    assert push(it) == "off"
    it.forget_plan()
    it.open("/my")
    it.page.locator("[data-behaviour~=install]").wait_for()
    eventually(lambda: it.lies("plans"))
    assert not it.page.locator("[data-behaviour~=reminders]").is_visible() and push(it) == "off"
