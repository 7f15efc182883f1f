"""Signing in with two factors, the end of a session, and the pages of administrators, in a real browser."""

import base64
import hashlib
import hmac
import struct
import subprocess
import time

import pytest
from accessibility import violations
from browsers import MODES, close
from servers import COMMON, launch

ADMIN = [
    "/admin", "/admin/accounts", "/admin/accounts/new", "/admin/audit-log", "/admin/information",
    "/admin/information/privacy", "/admin/system", "/profile", "/profile/password", "/profile/second-factor",
    "/profile/devices", "/info/privacy", "/info/imprint",
]


def code(secret, step=None):
    """RFC 6238, written once more, so that the server is not checked against itself."""
    key = base64.b32decode(secret.replace(" ", ""))
    digest = hmac.new(key, struct.pack(">Q", step or int(time.time()) // 30), hashlib.sha1).digest()
    offset = digest[-1] & 15
    number = struct.unpack(">I", digest[offset:offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


@pytest.mark.parametrize(("scheme", "width"), MODES)
def test_j1_the_pages_of_administrators(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    visitor.sign_in("uma@example.org")
    visitor.open("/admin/accounts")
    account = visitor.page.locator("tbody a").first.get_attribute("href")
    found = []
    for path in [*ADMIN, account]:
        assert visitor.open(path).status == 200, path
        found += violations(visitor.page, path)
        over = visitor.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{path} is {over} px too wide at {width}"
    assert found == [] and visitor.complaints == [] and visitor.elsewhere == []


@pytest.mark.parametrize("email, scripts", [pytest.param("ada@example.org", True, marks=pytest.mark.journey), ("ben@example.org", False)])
def test_c5_two_factors_from_the_first_login_on(visit, strict_clinic, email, scripts):
    visitor = visit(strict_clinic, java_script_enabled=scripts, viewport={"width": 320, "height": 900})
    page = visitor.page
    visitor.sign_in(email)
    assert page.url.endswith("/login/second-factor")
    # Nothing else opens.
    visitor.open("/patients")
    assert "/login" in page.url
    visitor.open("/login/second-factor")
    if scripts:
        assert violations(page, "/login/second-factor") == []
    assert page.locator("svg.qr").count() == 1
    secret = page.locator("code.address").inner_text()
    page.fill("#code", "000000")
    page.keyboard.press("Enter")
    page.locator(".errors").wait_for()
    page.fill("#code", code(secret))
    page.keyboard.press("Enter")
    page.locator(".codes").wait_for()
    recovery = page.locator(".codes code").all_inner_texts()
    assert len(recovery) == 10
    if scripts:
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        assert violations(page, "/profile/recovery-codes") == []
    page.click("main a.button")
    page.wait_for_url(strict_clinic + "/")
    # The next time: a recovery code, typed by hand in small letters.
    page.click("[popovertarget=more-places]")
    page.click("text=Abmelden")
    page.wait_for_selector("#email")
    visitor.sign_in(email)
    assert page.locator("svg.qr").count() == 0
    page.fill("#code", recovery[3].lower())
    page.keyboard.press("Enter")
    page.wait_for_url(strict_clinic + "/")
    # The wrong code was refused, and the browser says so.
    assert all("422" in complaint for complaint in visitor.complaints)


def test_a_warning_before_the_session_ends_and_staying(visit):
    visitor = visit()
    page = visitor.page
    page.clock.install()
    visitor.sign_in()
    visitor.open("/patients/new")
    page.fill("#note", "Angst im Aufzug")
    dialog = page.locator("dialog.session")
    page.clock.fast_forward("27:30")
    assert not dialog.is_visible()
    page.clock.fast_forward("01:00")
    assert dialog.is_visible() and "zwei Minuten" in dialog.inner_text()
    with page.expect_response("**/session") as answer:
        page.keyboard.press("Enter")
    assert answer.value.status == 204
    assert not dialog.is_visible() and page.input_value("#note") == "Angst im Aufzug"
    page.clock.fast_forward("27:00")
    assert not dialog.is_visible()


def test_an_invitation_an_information_page_and_a_backup_without_javascript(visit):
    visitor = visit(java_script_enabled=False)
    page = visitor.page
    visitor.sign_in("uma@example.org")
    visitor.open("/admin/accounts/new")
    page.fill("#name", "Mira Holm")
    page.fill("#email", "mira@example.org")
    page.click("main form button")
    assert "mindestens eine Rolle" in page.locator(".errors").inner_text()
    assert page.input_value("#name") == "Mira Holm"
    page.check("#role-lead")
    page.click("main form button")
    assert "eingeladen" in page.locator("tr", has_text="Mira Holm").inner_text()
    visitor.open("/admin/information/about")
    page.fill("#text_de", "## Wer wir sind\n\n**Eine Praxis** <script>alert(1)</script>")
    page.click("main form button")
    visitor.open("/info/about")
    assert page.locator("article h2").inner_text() == "Wer wir sind"
    assert page.locator("article strong").inner_text() == "Eine Praxis"
    visitor.open("/admin/system")
    page.click("text=Jetzt sichern")
    assert "geprüft" in page.locator(".flash").inner_text()
    visitor.open("/admin/audit-log")
    page.select_option("#action", "staff.invited")
    page.click("text=Anzeigen")
    assert page.locator("tbody tr").count() == 1


@pytest.mark.parametrize("key", [["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], ["rsa:2048"]])
def test_rp_18_a_certificate_of_today_opens_a_page(chromium, tmp_path, key):
    """certbot asks for P-256."""
    pem = {name: str(tmp_path / name) for name in ("key", "certificate")}
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", *key, "-nodes", "-keyout", pem["key"], "-out", pem["certificate"], "-days", "2",
         "-subj", "/CN=127.0.0.1"], check=True, capture_output=True)
    process, address = launch(
        "--port", "0", "--data", str(tmp_path / "data"), *COMMON, "--tls-certificate", pem["certificate"], "--tls-key", pem["key"])
    try:
        context = chromium.new_context(ignore_https_errors=True)
        page = context.new_page()
        assert address.startswith("https://") and page.goto(address + "/login").status == 200
        assert page.locator("#email").is_visible()
        close(context)
    finally:
        process.kill()
        process.wait()
