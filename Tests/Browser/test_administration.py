"""The first hour of a clinic and what administrators do, in a real browser (PR-21, PR-23, PR-24)."""

import re
import subprocess

import pytest
from accessibility import violations
from browsers import MODES


def account(visitor, name="Ada Lindner"):
    visitor.open("/admin/accounts")
    visitor.page.click(f"text={name}")
    return visitor.page.url.removeprefix(visitor.address)


def pages(visitor):
    """Every page of an administrator, as paths."""
    ada = account(visitor)
    return [
        "/admin", "/welcome", "/admin/settings", "/admin/information", "/admin/information/new",
        "/admin/information/privacy", "/admin/hand-over", "/admin/hand-over?codename=C020480",
        "/admin/hand-over?codename=C999999", "/admin/accounts", "/admin/accounts/new", ada, ada + "/closure",
        "/admin/system", "/admin/audit-log", "/info/help", "/info/licences?lang=en",
    ]


@pytest.mark.parametrize(("scheme", "width"), MODES)
def test_j1_pages_of_administrators_are_accessible_and_nothing_overflows(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    visitor.sign_in("uma@example.org")
    found = []
    for path in pages(visitor):
        visitor.open(path)
        found += violations(visitor.page, path)
        over = visitor.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{path} is {over} px too wide at {width}"
    visitor.page.context.clear_cookies()
    visitor.sign_in()
    for path in ["/welcome", "/questionnaires/import", visitor.open_patient() + "/hand-over"]:
        visitor.open(path)
        found += violations(visitor.page, path)
    assert found == []


def test_pr_24_the_sheet_with_name_and_crisis_numbers_of_the_clinic_prints_on_one_page(visit, tmp_path):
    admin = visit()
    admin.sign_in("uma@example.org")
    admin.open("/admin/settings")
    admin.page.fill("#name", "Ambulanz für Psychotherapie am Lindenplatz")
    admin.page.click("main button.button--primary")
    assert admin.page.locator(".flash").inner_text().strip() == "Gespeichert."
    visitor = visit()
    visitor.sign_in()
    visitor.open("/profile")
    visitor.page.fill("#emergency_phone", "+43 1 5550 199")
    visitor.page.click("main .form .button--primary")
    visitor.open(visitor.open_patient("C115826") + "/pairing-sheet")
    pdf = tmp_path / "sheet.pdf"
    visitor.page.pdf(path=str(pdf), prefer_css_page_size=True)
    facts = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
    assert re.search(r"Pages:\s+1\n", facts) and "A4" in facts
    words = subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True, text=True).stdout
    for word in ["Ambulanz für", "144", "142", "Telefonseelsorge", "+43 1 5550 199"]:
        assert word in words, word


def test_pr_21_a_therapy_is_handed_over_without_javascript(visit):
    admin = visit(java_script_enabled=False)
    admin.sign_in("uma@example.org")
    admin.open("/admin/hand-over")
    admin.page.fill("#codename", "C862390")
    admin.page.click("main form button")
    admin.page.select_option("#email", "ben@example.org")
    admin.page.fill("#confirmation", "C448212")
    admin.page.click("main form button")
    assert admin.page.locator("#confirmation-error").is_visible()
    assert admin.page.input_value("#email") == "ben@example.org"
    admin.page.fill("#confirmation", "C862390")
    admin.page.click("main form button")
    assert "C862390 ist übergeben" in admin.page.locator(".flash").inner_text()
    ben = visit()
    ben.sign_in("ben@example.org")
    ben.open_patient("C862390")
    # The alias stayed behind with who gave it.
    assert ben.page.inner_text(".patient-bar h1") == "C862390"
