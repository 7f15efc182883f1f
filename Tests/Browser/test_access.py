"""A5: the participants' pages for everybody: sound HTML, by keyboard alone, and at twice the size of text."""

import re

import pytest
from accessibility import violations
from browsers import MODES, PHONE
from playwright.sync_api import expect
from test_journeys import API
from test_participants import OWN
from test_portal import html_errors, reach


@pytest.fixture
def asked(clinic):
    """A questionnaire that was assigned to Mia just now, and a link to it."""
    ada = API(clinic, "ada@example.org")
    patients = ada("GET", "/patients?limit=200")
    mia = next(patient["id"] for patient in patients if patient["attributes"]["codename"] == "C448213")
    assignment = ada("POST", f"/patients/{mia}/assignments", {"questionnaire_key": "between-sessions"})["id"]
    link = ada("POST", f"/patients/{mia}/assignments/{assignment}/link")["attributes"]["url"]
    return f"/my/assignments/{assignment}", link.removeprefix(clinic)


def test_a5_the_checker_of_html_finds_no_error_on_own_pages(visit, asked, tmp_path):
    person = visit(**PHONE)
    places = ["/register", "/pair", "/login", "/login/device", asked[1], asked[1] + "/form"]
    written = [person.open(path).body() for path in places]
    person.sign_in("mia@example.org")
    more = [asked[0], asked[0] + "?part=review", "/my/settings/profile", "/my/settings/email", "/my/settings/password",
            "/my/settings/notifications", "/my/settings/sensors", "/my/settings/deletion", "/my/settings/access-log"]
    for path in [*OWN, *more]:
        answer = person.open(path)
        assert answer.status == 200, path
        places.append(path)
        written.append(answer.body())
    assert html_errors(places, written, tmp_path) == []


@pytest.mark.parametrize(("scheme", "width"), MODES)
def test_a5_axe_finds_nothing_where_somebody_fills_in(visit, asked, scheme, width):
    person = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    places = ["/register", "/pair", "/login", "/login/device", asked[1], asked[1] + "/form"]
    for path in places:
        check(person, path)
    person.sign_in("mia@example.org")
    for path in [asked[0], asked[0] + "?part=review", "/my/settings/email", "/my/settings/deletion", "/my/settings/profile"]:
        check(person, path)


def everything(person, starts):
    """Every page that links lead to, one of a kind."""
    found, waiting = {}, list(starts)
    while waiting:
        path = waiting.pop(0)
        kind = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", ":id", path.split("?")[0])
        if kind in found or kind.endswith((".ics", ".vcf", "/copy", "/export")):
            continue
        answer = person.open(path)
        assert answer.status == 200, path
        found[kind] = (path, answer.body())
        links = person.page.locator("main a[href^='/my']")
        waiting += [link.get_attribute("href").split("#")[0] for link in links.all() if link.get_attribute("download") is None]
    return found


def test_a5_every_page_that_own_links_lead_to(visit, tmp_path):
    person = visit(**PHONE)
    person.sign_in("nina@example.org")
    # What is new no more stands on the list alone, which the foot of the screen leads to.
    found = everything(person, ["/my", "/my/more", "/my/interventions"])
    kinds = {"/my/contributions/:id", "/my/interventions/:id", "/my/studies/:id/leaving", "/my/settings/privacy/revocation",
             "/my/appointments/:id"}
    assert kinds <= set(found), kinds - set(found)
    places = [path for path, _ in found.values()]
    assert html_errors(places, [body for _, body in found.values()], tmp_path) == []
    for path in places:
        check(person, path)
    assert person.complaints == [] and person.elsewhere == []


def check(person, path):
    assert person.open(path).status == 200, path
    assert violations(person.page, path, tags=None) == []
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_a5_a_questionnaire_by_keyboard_alone(visit, asked):
    person = visit()
    page = person.page
    person.sign_in("mia@example.org")
    person.open(asked[0])
    for _ in range(20):
        if page.locator("button[value=send]").count() > 0:
            break
        part = page.locator("input[name=part]").input_value()
        for question in page.locator("[data-question]").all():
            if not question.is_visible():
                continue
            choices = question.locator("input[type=radio]")
            if choices.count() > 0:
                to(page, choices.first.get_attribute("name"))
                page.keyboard.press("Space")
            else:
                to(page, question.locator("input, textarea").first.get_attribute("name"))
                page.keyboard.type("1")
        reach(page, "Weiter")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert page.locator(f"input[name=part][value='{part}']").count() == 0
    reach(page, "Absenden")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "Vielen Dank" in page.locator("main").inner_text()


def to(page, name):
    """Tab by tab to a field, which shows that it has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.name ?? ''")
        if focused == name:
            shown = page.evaluate("""() => {
                const it = document.activeElement
                const rings = [it, it.closest("label")].filter(Boolean).map((one) => getComputedStyle(one))
                return rings.some((ring) => ring.outlineStyle !== "none" || ring.boxShadow !== "none")
            }""")
            assert shown, f"nothing shows that {name} has the focus"
            return
    raise AssertionError(f"{name} cannot be reached by keyboard")


@pytest.mark.journey
def test_a5_a_questionnaire_at_twice_the_size_of_text(visit, asked, clinic):
    person = visit(**PHONE)
    page = person.page
    person.sign_in("mia@example.org")

    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})

    def large():
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        over = page.evaluate("""() => [...document.querySelectorAll("body *")].filter(
            (it) => it.getBoundingClientRect().right > document.documentElement.clientWidth + 1
        ).map((it) => it.outerHTML.slice(0, 80)).slice(-3)""")
        assert wide <= 0, f"{page.url} is {wide} px too wide: {over}"
        # Words are cut where they do not fit into their box, and hidden where two things to tap lie on each other.
        cut = page.evaluate("""() => {
            const seen = (it) => it.checkVisibility() && !it.closest(".hidden, thead") && it.getClientRects().length > 0
            const small = [...document.querySelectorAll("main :is(a, button, label, p, h1, h2, h3, legend, li), .own__nav a")]
                .filter((it) => seen(it) && it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== "inline")
            const taps = [...document.querySelectorAll("main :is(a.button, button, .ask__choice, .ask__step, textarea, input[data-number])")]
                .filter((it) => seen(it) && !it.closest(".own__nav")).map((it) => [it, it.getBoundingClientRect()])
            const over = taps.filter(([one, a], index) => taps.slice(index + 1).some(([other, b]) =>
                !one.contains(other) && !other.contains(one) && a.left < b.right - 1 && b.left < a.right - 1
                && a.top < b.bottom - 1 && b.top < a.bottom - 1)).map(([one]) => one)
            return [...small, ...over].map((it) => it.outerHTML.slice(0, 90))
        }""")
        assert cut == []

    for path in ["/my", "/my/results", "/my/appointments", "/my/settings"]:
        person.open(path)
        large()
    person.open(asked[0])
    for _ in range(20):
        large()
        if page.locator("button[value=send]").count() > 0:
            break
        for question in page.locator("fieldset:visible").all():
            radios = question.locator("input[type=radio]")
            if radios.count() > 0:
                radios.first.check()
        for number in page.locator("main form input[data-number]:visible").all():
            number.fill("1")
        with page.expect_navigation():
            page.click("main .answer__bar .button--primary")
    page.click("button[value=send]")
    expect(page.locator("main")).to_contain_text("Vielen Dank")
    sheets = API(clinic, "mia@example.org")("GET", "/my/contributions?limit=200")
    assert asked[0].removeprefix("/my/assignments/") in [sheet["attributes"]["assignment_id"] for sheet in sheets]
