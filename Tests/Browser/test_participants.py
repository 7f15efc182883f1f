"""Patients and participants in the browser (PW-1 … PW-5): with scripts and without, on a phone."""

import datetime
import re

import pytest
from accessibility import violations
from browsers import CROSSED, MODES, PHONE, today
from playwright.sync_api import expect
from test_journeys import API, fill_in


@pytest.fixture(params=[True, False], ids=["scripts", "no-scripts"])
def phone(request, visit):
    return visit(java_script_enabled=request.param, **PHONE)


def test_pw1_a_patient_begins_at_her_own_day(phone):
    phone.sign_in("pia@example.org")
    assert phone.page.url.endswith("/my")
    assert phone.page.locator("h1").inner_text().startswith("Guten")
    entries = phone.page.locator(".own__nav a")
    assert [name.strip() for name in entries.all_inner_texts()] == ["Heute", "Verlauf", "Üben", "Termine", "Mehr"]
    for box in [entries.nth(i).bounding_box() for i in range(5)]:
        assert box["height"] >= 44 and box["width"] >= 44
    assert "nicht rund um die Uhr" in phone.page.locator("footer").inner_text()
    assert phone.complaints == [] and phone.elsewhere == []


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_pw3_nothing_is_wider_than_the_screen(visit, width):
    person = visit(viewport={"width": width, "height": 800})
    person.sign_in("pia@example.org")
    for path in ["/my", "/my/more", "/my/results", "/my/interventions", "/my/appointments", "/my/contributions",
                 "/my/settings", "/my/studies", "/my/therapist", "/my/notices", "/my/feedback", "/my/device-code"]:
        answer = person.open(path)
        assert answer.status == 200, path
        assert person.page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert person.page.locator("h1").count() == 1, path
    assert person.complaints == [] and person.elsewhere == []


def test_pw5_the_link_of_the_sheet_fills_in_the_code_and_tells_no_server(visit):
    person = visit(**PHONE)
    asked = []
    person.page.on("request", lambda request: asked.append(request.url))
    person.open("/pair#39420603")
    assert person.page.locator("#code").input_value() == "3942 0603"
    assert all("39420603" not in url.split("#")[0] for url in asked)
    assert "39420603" not in person.page.url


def test_io1_register_in_the_browser(phone):
    phone.open("/register")
    phone.page.fill("#email", f"neu-{id(phone)}@example.org")
    for field in ["#password", "#password_confirmation"]:
        phone.page.fill(field, "vier Wörter ohne jeden Sinn")
    phone.page.check("#privacy_accepted")
    phone.page.click("main form button")
    assert phone.page.url.endswith("/register/confirmation")
    assert "@example.org" in phone.page.locator("main").inner_text()
    assert phone.complaints == [] and phone.elsewhere == []


def test_pw4_a_second_browser_is_let_in_by_the_first(visit):
    first, second = visit(**PHONE), visit(**PHONE)
    first.sign_in("tom@example.org")
    first.open("/my/device-code")
    first.page.click("main button")
    code = first.page.locator(".own__code").inner_text()
    assert re.fullmatch(r"\d{4} \d{4}", code)
    second.open("/login/device")
    second.page.fill("#code", code)
    second.page.click("main button")
    first.open("/my/device-code")
    first.page.click("text=Ja, das bin ich")
    second.page.click("main .button--primary")
    assert second.page.url.endswith("/my")
    assert first.complaints == [] and second.complaints == []


OWN = ["/my", "/my/more", "/my/results", "/my/interventions", "/my/appointments", "/my/appointments/new", "/my/contributions",
       "/my/settings", "/my/settings/devices", "/my/settings/privacy", "/my/studies", "/my/therapist", "/my/notices",
       "/my/feedback", "/my/device-code", "/my/questionnaires", "/my/tinnitus"]


# Frame, charts and calendar.
OWN_CROSSED = ["/my", "/my/results", "/my/appointments"]


@pytest.mark.parametrize(("scheme", "width"), MODES + CROSSED)
def test_a5_axe_finds_nothing_on_own_pages(visit, scheme, width):
    person = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    person.sign_in("pia@example.org")
    for path in OWN if (scheme, width) in MODES else OWN_CROSSED:
        assert person.open(path).status == 200, path
        assert violations(person.page, path, tags=None) == []


@pytest.mark.parametrize("phone", [pytest.param(True, marks=pytest.mark.journey), False], indirect=True, ids=["scripts", "no-scripts"])
def test_a1_fill_in_a_questionnaire_and_find_it_again(phone, visit, clinic):
    """IO-8, TYS-9: what is open is answered, one group a screen, and stands among the own questionnaires; the therapist sees it."""
    own = API(clinic, "mia@example.org")
    before = {sheet["id"] for sheet in own("GET", "/my/contributions?limit=200")}
    ada = visit()
    ada.sign_in()
    patient = ada.open_patient("C448213")
    ada.assign(patient, "between-sessions")
    phone.sign_in("mia@example.org")
    title = "Zwischen den Sitzungen"
    # Beside it there may be what a study asks at this hour.
    phone.page.locator("main a[href^='/my/assignments/']", has_text=title).first.click()
    fill_in(phone.page)
    phone.open("/my/contributions")
    assert title in phone.page.locator("main").inner_text()
    [sheet] = {one["id"] for one in own("GET", "/my/contributions?limit=200")} - before
    ada.open(patient + "/timeline?kind=contribution")
    ada.page.locator(f"a.entry__title[href$='{sheet}']").click()
    expect(ada.page.locator("main")).to_contain_text(title)
    assert phone.complaints == [] and phone.elsewhere == []


@pytest.mark.parametrize("scripts, days", [(True, 8), (False, 9)], ids=["scripts", "no-scripts"])
def test_fd_29_a_session_of_the_practice_is_seen_and_taken_over(visit, scripts, days):
    day = today() + datetime.timedelta(days=days)
    pia = visit(java_script_enabled=scripts, viewport={"width": 320, "height": 700}, color_scheme="dark" if scripts else "light")
    pia.sign_in("pia@example.org")
    # Other tests note sessions of hers, too.
    pia.open("/my/appointments")
    marked = pia.page.locator(".own-month__visit--noted").count()
    ada = visit()
    ada.sign_in()
    patient = ada.open_patient()
    ada.open(patient + "/sessions/new")
    ada.page.fill("#starts_at", f"{day}T07:00")
    ada.page.click("main .sheet button")
    ada.page.wait_for_selector(".flash")
    pia.open("/my/appointments")
    noted = pia.page.locator("section[aria-labelledby=noted] li", has_text="07:00 bis 07:50")
    assert f"in {days} Tagen" in noted.inner_text()
    assert pia.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert pia.page.locator(".own-month__visit--noted").count() <= marked + 1
    noted.locator("button").click()
    pia.page.wait_for_selector(".flash")
    assert noted.count() == 0
    assert pia.page.locator("section[aria-labelledby=coming]").inner_text().count("07:00 bis 07:50") >= 1
    ada.open(patient + "/appointments")
    assert ada.page.locator("section[aria-labelledby=coming] .rows > li", has_text="07:00 – 07:50").count() == (1 if scripts else 2)
    assert pia.complaints == [] and pia.elsewhere == []
