"""FD-12, FD-14, FD-17, FD-18: a device of one's own. The browser is closed and opened again with the profile it had; what it keeps
goes as soon as it learns that its session was ended; what waits to be sent does not."""

import contextlib

import browsers
import pytest
from conftest import PASSWORD, Visitor
from test_offline import LYING, Phone, ada, answered_offline, asked, house, phone  # noqa: F401

# The caches that hold something of somebody.
KEPT = "async () => (await caches.keys()).filter((name) => /^(own|sounds) /.test(name))"


@contextlib.contextmanager
def profile(chromium_type, folder, **options):
    """A Chromium with a folder of its own, which the next one finds as this one left it."""
    context = chromium_type.launch_persistent_context(
        str(folder), executable_path="/usr/bin/chromium", args=["--no-sandbox"], locale="de-AT", **options
    )
    try:
        yield context
    finally:
        context.close()


def sign_in(visitor, stays=True, email="pia@example.org"):
    visitor.open("/login")
    visitor.page.fill("#email", email)
    visitor.page.fill("#password", PASSWORD)
    if stays:
        visitor.page.check("#stay_signed_in")
    visitor.page.click("main button.button--primary")
    visitor.page.wait_for_url("**/my")


def test_fd_12_who_stays_signed_in_finds_it_so_when_the_browser_is_opened_again(chromium, clinic, tmp_path):
    """And who did not tick it is signed out by closing the browser."""
    for stays in (True, False):
        folder = tmp_path / str(stays)
        with profile(chromium.browser_type, folder) as context:
            sign_in(Visitor(context, clinic), stays)
        with profile(chromium.browser_type, folder) as context:
            visitor = Visitor(context, clinic)
            visitor.open("/my")
            assert visitor.page.url.endswith("/my") == stays
            # Beside the session lies the cookie by which the browser is known (RP-205), which opens nothing.
            session = next(one for one in context.cookies() if one["name"].endswith("sid"))
            assert (session["expires"] > 0) == stays


def keeps_something(it):
    """A page, a sound, and the plan."""
    it.page.evaluate("""async () => {
        const own = document.querySelector("[data-account]").dataset.account
        await (await caches.open(`sounds ${own}`)).put("/api/v1/sounds/files/x", new Response("x"))
    }""")
    assert len(it.page.evaluate(KEPT)) == 2 and it.lies("plans")


def keeps_nothing(it):
    it.until("caches.keys().then((all) => !all.some((name) => /^(own|sounds) /.test(name)))")
    assert it.lies("plans") == []


def test_fd_14_what_is_kept_goes_when_the_device_learns_that_its_session_was_ended(phone, ada):
    """A device removed elsewhere: by opening a page, and by a page that is open. What was typed stays."""
    it, _, _ = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    keeps_something(it)
    it.session_ends()
    it.offline(False)
    it.page.wait_for_url("**/login**")
    keeps_nothing(it)
    assert len(it.lies("outbox")) == 1
    other = phone()
    asked(ada, other)
    keeps_something(other)
    other.session_ends()
    other.open("/my")
    other.page.wait_for_url("**/login**")
    keeps_nothing(other)


def test_fd_14_what_is_kept_goes_when_staff_sign_in(phone, ada):
    """On the patient's own device, which a therapist was handed. What was typed stays."""
    it, _, _ = answered_offline(phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    keeps_something(it)
    it.context.clear_cookies()
    it.offline(False)
    it.open("/login")
    it.page.fill("#email", "ada@example.org")
    it.page.fill("#password", PASSWORD)
    it.page.click("main button.button--primary")
    it.page.wait_for_selector(".navigation")
    keeps_nothing(it)
    assert len(it.lies("outbox")) == 1


def test_fd_14_what_is_kept_goes_when_somebody_else_signs_in(phone, ada):
    it = phone()
    asked(ada, it)
    keeps_something(it)
    # The cookie is gone, and nobody has told the device that the session was ended.
    it.context.clear_cookies()
    it.sign_in("tom@example.org")
    tom = it.page.locator("[data-account]").get_attribute("data-account")
    it.until(f"caches.has('own {tom}')")
    assert it.page.evaluate(KEPT) == [f"own {tom}"]
    assert it.lies("plans") == [tom]


class Profile:
    """What a phone begins its windows with: one folder, whenever it is opened."""

    def __init__(self, chromium, folder):
        self.type, self.folder = chromium.browser_type, folder

    def new_context(self, **options):
        return self.type.launch_persistent_context(
            str(self.folder), executable_path="/usr/bin/chromium", args=["--no-sandbox"], **options)


@pytest.fixture
def own_phone(chromium, house, tmp_path):
    """A phone whose browser can be closed and opened again."""
    made = []

    def make(**options):
        profile = Profile(chromium, tmp_path / "profile")
        made.append(Phone(profile, house[0], **options))
        made[-1].profile = profile
        return made[-1]

    yield make
    for one in made:
        browsers.close(one.context)


# The page of signing in has looked for what waits, and said what there is to say.
LOOKED = """async () => { await import(document.querySelector('script[src*="/waiting.js"]').src) }"""

WAITING = "Auf diesem Gerät wartet eine Eingabe"


def closed_meanwhile(own_phone, ada):
    """Answered without a network; the browser closed, the session ended elsewhere, the browser opened again."""
    it, before, path = answered_offline(own_phone, ada)
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    it.context.close()
    it.session_ends()
    it.begin(it.profile)
    return it, before, path


def offers(it, path):
    return it.page.locator(f"main a[href='{path}']").count()


@pytest.mark.parametrize(("first", "stays"), [("/login", True), ("/my", True), ("/login", False)])
def test_fd_17_login_says_that_a_sheet_waits_and_after_it_it_is_sent_once(own_phone, ada, first, stays):
    it, before, path = closed_meanwhile(own_phone, ada)
    it.open(first)
    it.page.wait_for_url("**/login**")
    it.says(WAITING)
    # That one waits, and not which, nor whose.
    assert "Zwischen den Sitzungen" not in it.text("body") and "Tunnel" not in it.page.content()
    it.statuses.clear()
    it.stays = stays
    it.sign_in("pia@example.org")
    assert len(it.arrived(before)) == 1
    it.page.locator(f"main a[href='{path}']").wait_for(state="detached")
    it.page.locator("[data-reason=unsent]").wait_for(state="detached")
    it.open("/my")
    assert offers(it, path) == 0 and len(it.sheets() - before) == 1
    assert [one for one in it.statuses if one[0] == 403] == []
    it.context.clear_cookies()
    it.open("/login")
    it.page.evaluate(LOOKED)
    assert not it.page.locator("[data-behaviour=waiting]").is_visible()


def test_fd_17_what_waits_is_not_offered_anew_before_it_is_sent(own_phone, ada):
    it, before, path = closed_meanwhile(own_phone, ada)
    it.open("/login")
    it.instead(sheets=[503, {"message": "gleich wieder da", "errors": {}, "code": "busy"}])
    it.sign_in("pia@example.org")
    it.says("Eine Eingabe ist noch nicht gesendet.")
    it.page.locator(f"main a[href='{path}']").wait_for(state="detached")
    assert it.sheets() == before
    it.instead()
    it.open("/my")
    assert len(it.arrived(before)) == 1
    it.page.locator("[data-reason=unsent]").wait_for(state="detached")
    assert offers(it, path) == 0


def test_fd_17_who_comes_back_to_its_own_page_is_thanked_there(own_phone, ada):
    it, before, path = closed_meanwhile(own_phone, ada)
    it.open(path)
    it.page.wait_for_url("**/login?next=**")
    it.says(WAITING)
    it.sign_in("pia@example.org", to=path)
    it.says("schon gesendet")
    assert len(it.arrived(before)) == 1


def test_fd_17_somebody_else_sends_nothing_of_it_and_a_device_where_nothing_waits_says_nothing(own_phone, ada, phone):
    it, before, _ = closed_meanwhile(own_phone, ada)
    it.open("/login")
    it.says(WAITING)
    it.sign_in("tom@example.org")
    it.says("noch etwas Ungesendetes von jemand anderem")
    assert it.sheets() == before and len(it.lies("outbox")) == 1
    other = phone()
    other.context.clear_cookies()
    other.open("/login")
    other.page.evaluate(LOOKED)
    assert not other.page.locator("[data-behaviour=waiting]").is_visible()


def test_fd_17_what_was_begun_before_the_session_ended_goes_on_at_once(own_phone, ada):
    """Its form went with the session, and is fetched by the page that is opened."""
    it = own_phone()
    _, path = asked(ada, it)
    it.offline()
    it.open(path)
    it.page.locator("[data-question]:visible label").nth(1).click()
    it.page.locator(".answer__bar [data-go=next]").click()
    it.context.close()
    it.session_ends()
    it.begin(it.profile)
    it.open(path)
    it.page.wait_for_url("**/login?next=**")
    it.sign_in("pia@example.org", to=path)
    it.says("Sie haben schon begonnen")


ANDROID = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


@pytest.mark.parametrize("scripts", [True, False])
def test_fd_18_a_device_is_let_in_and_goes_on_by_itself(visit, scripts):
    """With scripts both pages look by themselves, the one that shows the digits and the one that waits; without them the latter does."""
    first, second = visit(), visit(java_script_enabled=scripts, user_agent=ANDROID)
    sign_in(first)
    first.open("/my/device-code")
    first.page.click("text=Code zeigen")
    digits = first.page.locator(".own__code").inner_text()
    second.open("/login/device")
    second.page.fill("#code", digits)
    second.page.check("#stay_signed_in")
    second.page.click("main button.button--primary")
    second.page.get_by_text("Diese Seite geht dann automatisch weiter").wait_for()
    first.page.get_by_text("Firefox auf Android").wait_for()
    first.page.get_by_text("die Ziffern gerade selbst in das andere Gerät eingetippt").wait_for()
    first.page.click("text=Ja, das bin ich")
    second.page.wait_for_url("**/my")
    assert next(one for one in second.page.context.cookies() if one["name"] == "sid")["expires"] > 0
    first.open("/my/settings/devices")
    first.page.locator(".rows__title", has_text="Firefox auf Android").first.wait_for()
    assert first.complaints == [] and second.complaints == []


def test_fd_18_a_page_that_waits_says_when_nothing_waits_any_more(visit):
    first, second = visit(), visit()
    sign_in(first)
    first.open("/my/device-code")
    first.page.click("text=Code zeigen")
    digits = first.page.locator(".own__code").inner_text()
    second.open("/login/device")
    second.page.fill("#code", digits)
    second.page.click("main button.button--primary")
    first.page.get_by_text("Ja, das bin ich").wait_for()
    first.page.click("text=Nein, abbrechen")
    second.page.get_by_text("Es wird nicht mehr gewartet").first.wait_for()
