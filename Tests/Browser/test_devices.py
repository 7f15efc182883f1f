"""FD-12, FD-14, FD-17, FD-18: a device of one's own. The browser is closed and opened again with the profile it had; what it keeps
goes as soon as it learns that its session was ended; what waits to be sent does not."""

import contextlib

from conftest import PASSWORD, Visitor
from test_offline import LYING, ada, answered_offline, asked, house, phone  # noqa: F401

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
            assert (context.cookies()[0]["expires"] > 0) == stays


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
