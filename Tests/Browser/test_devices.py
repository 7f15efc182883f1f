"""FD-12, FD-14, FD-17, FD-18: a device of one's own. The browser is closed and opened again with the profile it had; what it keeps
goes as soon as it learns that its session was ended; what waits to be sent does not."""

import contextlib

from conftest import PASSWORD, Visitor


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
