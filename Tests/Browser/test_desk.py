"""Whose file is open, and getting about between files: PR-6 to PR-8, as a therapist uses them."""

import datetime
import re
import subprocess
import uuid

import pytest
from browsers import today, until
from conftest import serving
from playwright.sync_api import expect
from servers import gallery
from test_journeys import API, eventually, file_of


def test_pr_7_the_bar_stays_on_top_and_covers_nothing_that_has_the_focus(visit):
    for width, height in [(1280, 700), (390, 700)]:
        visitor = visit(viewport={"width": width, "height": height})
        visitor.sign_in()
        patient = visitor.open_patient()
        page = visitor.page
        visitor.open(patient + "/timeline")
        assert page.title().startswith("Frau Winter C020480 · ")
        page.evaluate("scrollTo(0, 3000)")
        assert page.evaluate("scrollY") > 500
        bar = page.locator(".patient-bar")
        assert bar.bounding_box()["y"] >= 0 and "Frau Winter" in bar.inner_text()
        # Backwards from the end: what comes into view from above must not come to lie below the bar.
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.locator("footer a").last.focus()
        for _ in range(40):
            page.keyboard.press("Shift+Tab")
            covered = page.evaluate(
                """() => {
                  const here = document.activeElement
                  const bar = document.querySelector(".patient-bar")
                  if (bar.contains(here) || !here.closest("main")) return false
                  return here.getBoundingClientRect().top < bar.getBoundingClientRect().bottom - 1
                    && here.getBoundingClientRect().bottom > 0
                }""")
            assert not covered, page.evaluate("document.activeElement.outerHTML")
        assert bar.bounding_box()["height"] <= (60 if width > 400 else 90)


def test_pr_8_the_switcher_finds_a_patient_by_name_and_the_keys_do_the_rest(visit):
    visitor = visit()
    visitor.sign_in()
    page = visitor.page
    page.wait_for_url(visitor.address + "/")
    page.keyboard.press("/")
    page.keyboard.type("berg")
    page.locator(".switcher__found a", has_text="Frau Berg C448213").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/patients/*")
    assert page.title().startswith("Frau Berg C448213")
    page.keyboard.press("b")
    page.wait_for_url("**/briefing")
    visitor.open("/patients")
    page.keyboard.press("j")
    page.keyboard.press("j")
    rows = page.locator("tbody tr")
    assert rows.nth(1).locator("a").first.evaluate("link => link === document.activeElement")
    page.keyboard.press("k")
    assert rows.nth(0).locator("a").first.evaluate("link => link === document.activeElement")
    page.keyboard.press("?")
    assert page.locator("[data-behaviour~=keys]").is_visible() and "nächste Zeile" in page.inner_text("[data-behaviour~=keys]")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url(visitor.address + "/")
    page.keyboard.press("Control+k")
    page.keyboard.type("term")
    page.locator(".switcher__found a", has_text="Termine").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/appointments")
    assert visitor.complaints == []


def test_fd_4_on_today_j_goes_to_the_sessions_first_and_b_opens_whose_row_has_the_focus(visit):
    # What other tests have read of a clinic is no news any more.
    with serving("optional") as address:
        rows_open_their_own(visit(address))


def rows_open_their_own(visitor):
    visitor.sign_in()
    page = visitor.page
    page.wait_for_url(visitor.address + "/")
    # Nobody has the focus: nothing is opened.
    page.keyboard.press("b")
    focused = "document.activeElement.closest('li')?.querySelector('[data-key=b]')?.getAttribute('href') ?? null"
    sessions = page.eval_on_selector_all("[data-rows=first] > li [data-key=b]", "links => links.map(link => link.getAttribute('href'))")
    assert len(sessions) > 1 and page.url == visitor.address + "/"
    for path in sessions:
        page.keyboard.press("j")
        assert page.evaluate(focused) == path
    page.keyboard.press("b")
    page.wait_for_url("**" + sessions[-1])
    # Every other list is reached after them, and its rows open their own, too.
    visitor.open("/")
    rows = page.locator(":is(.rows, .visits, .unseen__list) > li").count()
    for _ in range(rows):
        page.keyboard.press("j")
    page.locator("#news ~ ul > li a").first.focus()
    path = page.evaluate(focused)
    page.keyboard.press("b")
    page.wait_for_url("**" + path)


def test_pr_8_keys_never_fire_in_fields_and_can_be_switched_off(visit):
    visitor = visit()
    visitor.sign_in("ben@example.org")
    page = visitor.page
    visitor.open("/patients")
    page.fill("#q", "")
    page.focus("#q")
    page.keyboard.type("jkbv/?gt")
    assert page.input_value("#q") == "jkbv/?gt" and page.url.endswith("/patients")
    visitor.open("/search")
    page.click("text=Tasten ausschalten")
    page.locator("main").click()
    page.keyboard.press("v")
    page.keyboard.press("/")
    assert page.locator("dialog[open]").count() == 0 and page.url.endswith("/search#keys")
    # With a modifier it is no single key.
    page.keyboard.press("Control+k")
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    page.click("text=Tasten einschalten")
    page.locator("main").click()
    page.keyboard.press("/")
    assert page.locator("dialog[open]").count() == 1


@pytest.mark.parametrize("scripts", [True, False])
def test_pr_6_one_key_or_button_hides_the_names_for_a_shared_screen(visit, scripts):
    visitor = visit(java_script_enabled=scripts)
    visitor.sign_in("ben@example.org")
    page = visitor.page
    visitor.open("/patients")
    assert "Frau Stein" in page.content()
    if scripts:
        page.keyboard.press("v")
    else:
        page.click("text=Namen verbergen")
    page.locator(".flash").wait_for()
    assert page.url.endswith("/patients") and "Frau Stein" not in page.content()
    if not scripts:
        # The same as a page.
        visitor.open("/search")
        page.fill("#q", "C676152")
        page.click("main .search button")
        assert "C676152" in page.inner_text("main .rows") and "Stein" not in page.inner_text("main .rows")
    page.click("text=Namen zeigen")
    assert "Merknamen und Notizen sind wieder zu sehen." in page.inner_text(".flash")
    visitor.open("/patients")
    assert "Frau Stein" in page.content()


def test_pr_4_the_scale_page_is_reached_by_two_clicks_and_prints_on_one_page(visit, tmp_path):
    visitor = visit()
    visitor.sign_in()
    page = visitor.page
    visitor.open_patient()
    page.click(".card__title a >> nth=0")
    page.wait_for_url("**/scales/**")
    assert page.locator(".scale__number").inner_text() and page.locator(".items__cell").count() > 10
    pdf = tmp_path / "scale.pdf"
    page.pdf(path=str(pdf), prefer_css_page_size=True, format="A4", print_background=True)
    facts = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
    assert re.search(r"Pages:\s+1\n", facts), facts
    words = subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True, text=True).stdout
    assert "C020480" in words and "Drucken" not in words and "Werte als Tabelle" not in words
    assert visitor.complaints == []


def test_pr_5_figures_are_read_out_under_the_pointer_and_by_arrow_keys(visit):
    visitor = visit()
    visitor.sign_in()
    page = visitor.page
    visitor.open(visitor.open_patient() + "/scales/between-sessions/intensity")
    plot = page.locator(".chart__plot").first
    plot.hover(position={"x": 5, "y": 100})
    first = page.locator(".chart__readout").first.inner_text()
    plot.focus()
    page.keyboard.press("End")
    last = page.locator(".chart__readout").first.inner_text()
    assert "6 von 6" in first and "6 von 6" in last and first != last
    page.keyboard.press("ArrowLeft")
    assert page.locator(".chart__readout").first.inner_text() not in (first, last)
    page.keyboard.press("Tab")
    assert not page.locator(".chart__readout").first.is_visible()
    # What can be pressed is large enough.
    for box in page.locator(".chart__numbers rect").all():
        size = box.bounding_box()
        assert round(size["width"], 1) >= 24 and round(size["height"], 1) >= 24


@pytest.mark.journey
def test_pr_9_what_a_patient_answers_stands_on_today_in_the_timeline_and_in_the_briefing(visit, clinic):
    ada, mia = API(clinic, "ada@example.org"), API(clinic, "mia@example.org")
    asked = ada("POST", f"/patients/{file_of(ada, 'C448213')}/assignments", {"questionnaire_key": "wellbeing-5"})["id"]
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    # Five times four, four times over.
    sheet = mia("PUT", f"/my/contributions/{uuid.uuid4()}", {
        "assignment_id": asked, "started_at": now, "completed_at": now, "timezone": "Europe/Vienna",
        "answers": dict.fromkeys(["enjoyed", "calm", "energy", "slept", "company"], 4)})["id"]
    visitor = visit()
    visitor.sign_in()
    page = visitor.page
    expect(page.locator("section[aria-labelledby=news] .visit", has_text="C448213")).to_contain_text("→ 80 von 100")
    page.locator("main .visit:visible", has_text="C448213").locator(".visit__who a").first.click()
    page.get_by_role("link", name="Zeitachse").first.click()
    expect(page.locator(f".entry:has(a[href$='{sheet}'])")).to_contain_text("Wohlbefinden 80")
    page.locator(".person__actions a[href$='/briefing']").click()
    expect(page.locator(".briefing__moved li", has_text="Wohlbefinden in fünf Fragen")).to_contain_text("80 von 100")
    assert visitor.complaints == []


def test_pr_13_three_months_of_timeline_on_a_phone_stay_below_four_thousand_pixels(visit):
    visitor = visit(viewport={"width": 390, "height": 844})
    visitor.sign_in()
    visitor.open(visitor.open_patient() + "/timeline")
    page = visitor.page
    assert page.locator(".intervals > section > h2 > a").count() >= 8
    assert page.evaluate("document.documentElement.scrollHeight") < 4000
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert visitor.complaints == []


def test_fd_7_a_note_that_is_left_is_asked_for_and_stands_there_on_return(visit):
    visitor = visit()
    visitor.sign_in()
    page = visitor.page
    visitor.open("/appointments?month=" + today().isoformat()[:7])
    page.locator("section[aria-labelledby=past] .rows__title a").first.click()
    address = page.url
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.click("#note")
    page.keyboard.type("Bericht vom Bruder")
    page.click(".navigation a >> nth=0")
    page.wait_for_url(visitor.address + "/")
    assert asked == ["beforeunload"]
    # It is kept while the page is left, whose requests a browser does not always tell of: the server is asked instead.
    eventually(lambda: "Bericht vom Bruder" in page.request.get(address).text())
    page.goto(address)
    assert page.input_value("#note").endswith("Bericht vom Bruder")
    page.locator(".notice", has_text="Noch nicht gespeichert").wait_for()
    # What is saved asks nothing.
    page.click("#note")
    page.keyboard.type(".")
    page.click("text='Speichern'")
    page.locator(".flash", has_text="Gespeichert").wait_for()
    assert asked == ["beforeunload"] and page.locator(".notice", has_text="Noch nicht gespeichert").count() == 0


@pytest.mark.parametrize("width", [320, 390])
def test_fd_42_the_number_of_open_alerts_is_in_sight_on_every_page_of_staff(chromium, width):
    texts = {int(path.name.split(".")[0].rsplit("-", 1)[1]): (path, path.read_text()) for path in gallery().glob("*.de.light.html")}
    # Pages without the frame name no person.
    desks = {number: path for number, (path, text) in texts.items()
             if 'class="frame__name">Ada Lindner<' in text}
    counts = {number: texts[number][1].count("navigation__count") for number in desks}
    # Walking through the gallery takes care of the last alert at some point, and none comes after it: before, no page is without.
    last = max(number for number, count in counts.items() if count == 2)
    pages = [desks[number] for number in sorted(counts) if number <= last]
    assert len(pages) > 120
    page = chromium.new_page(viewport={"width": width, "height": 700})
    # Wherever the page has been moved to: seen whole, and with nothing lying on it.
    seen = """end => {
      scrollTo(0, end ? document.documentElement.scrollHeight : 0)
      return ["/", "/alerts"].map(path => {
        const count = document.querySelector(`.navigation a[href="${path}"] .navigation__count`)
        if (!count) return false
        const box = count.getBoundingClientRect()
        const points = [[box.left + 1, box.top + box.height / 2], [box.right - 1, box.top + box.height / 2]]
        return box.top >= 0 && box.bottom <= innerHeight && points.every(([x, y]) => document.elementFromPoint(x, y) === count)
      })
    }"""
    missing = {}
    for path in pages:
        page.goto(path.as_uri())
        found = page.evaluate(seen, False) + page.evaluate(seen, True)
        if not all(found):
            missing[path.name] = found
    page.close()
    assert missing == {}


@pytest.mark.parametrize("path", ["/briefing", "/file?make=true"])
def test_fd_42_pages_for_paper_have_the_keys_and_the_ways_of_the_frame(visit, path):
    visitor = visit(viewport={"width": 390, "height": 844})
    visitor.sign_in("ben@example.org")
    page = visitor.page
    patient = visitor.open_patient("C676152")
    visitor.open(patient + path)
    address = page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert "Frau Stein" in page.content()
    page.keyboard.press("v")
    page.locator(".flash").wait_for()
    assert page.url == address and "Frau Stein" not in page.content()
    page.click("text=Namen zeigen")
    page.locator(".patient-bar", has_text="Frau Stein").wait_for()
    page.keyboard.press("?")
    assert page.locator("[data-behaviour~=keys]").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.locator("[data-behaviour~=switcher]").is_visible()
    page.keyboard.press("Escape")
    # The browser takes the focus back from a dialog a moment after it has closed.
    until(page, "document.activeElement === document.body")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url(visitor.address + "/")
    visitor.open(patient + path)
    page.click(".navigation a[href='/']")
    page.wait_for_url(visitor.address + "/")
    assert visitor.complaints == []


def test_fd_42_nothing_of_the_frame_is_on_the_paper(visit, tmp_path):
    visitor = visit()
    visitor.sign_in()
    patient = visitor.open_patient()
    visitor.open(patient + "/briefing")
    pdf = tmp_path / "briefing.pdf"
    visitor.page.pdf(path=str(pdf), prefer_css_page_size=True, format="A4", print_background=True)
    words = subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True, text=True).stdout
    assert "vor der" in words and not any(word in words for word in ("Heute\n", "Meldungen", "Suchen", "Namen verbergen", "Tasten"))


def test_pr_40_a_noted_session_is_dragged_and_moved_by_keyboard(visit):
    visitor = visit(viewport={"width": 1280, "height": 1000})
    visitor.sign_in()
    page = visitor.page
    patient = visitor.open_patient("C020480")
    monday = today() + datetime.timedelta(days=7 - today().weekday())
    day = lambda offset, time: f"{monday + datetime.timedelta(days=offset)}T{time}"
    visitor.open(patient + "/sessions/new")
    page.fill("[name=starts_at]", day(2, "11:00"))
    page.click("main form.form button")
    visitor.open(f"/appointments?week={monday}")
    page.locator("[data-move]", has_text="11:00").drag_to(page.locator(f"td[data-at='{day(3, '14:30')}']"))
    page.locator(".flash", has_text="14:30").wait_for()
    moved = page.locator("[data-move]", has_text="14:30")
    # It lasts as long as before, and there is a way without a mouse.
    assert "15:20" in moved.inner_text()
    moved.locator(".week__move").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/time")
    page.fill("[name=starts_at]", day(1, "08:15"))
    page.locator("[name=starts_at]").press("Enter")
    page.locator(".flash", has_text="08:15").wait_for()
    assert page.locator("[data-move]", has_text="08:15").is_visible()
    assert visitor.complaints == []


@pytest.mark.parametrize(("email", "code", "most"), [("ada@example.org", "C020480", 7), ("ben@example.org", "C371158", 29)])
def test_pr_39_the_file_is_short_and_every_page_says_whose_it_is(visit, tmp_path, email, code, most):
    """Twelve weeks, and two years."""
    visitor = visit()
    visitor.sign_in(email)
    patient = visitor.open_patient(code)
    visitor.open(patient + "/file?make=true")
    pdf = tmp_path / "file.pdf"
    visitor.page.pdf(path=str(pdf), prefer_css_page_size=True)
    words = subprocess.run(["pdftotext", "-layout", pdf, "-"], check=True, capture_output=True, text=True).stdout
    pages = words.split("\f")[:-1]
    assert 2 <= len(pages) <= most
    for number, page in enumerate(pages, 1):
        foot = page.rstrip().splitlines()[-1]
        assert code in foot and foot.replace(" ", "").endswith(f"{number}/{len(pages)}")
    # The first page can be read alone; nothing of the rest has slipped onto it.
    assert "Verlauf der Skalen" in pages[0] and "Was offen ist" in pages[0] and "Sitzungen\n" not in pages[0]


@pytest.mark.parametrize("width", [390, 1280])
def test_fd_47_the_switcher_opens_in_the_middle(visit, width):
    visitor = visit(viewport={"width": width, "height": 800})
    visitor.sign_in()
    visitor.page.wait_for_url(visitor.address + "/")
    visitor.page.keyboard.press("/")
    box = visitor.page.locator("[data-behaviour~=switcher]").bounding_box()
    room = visitor.page.evaluate("document.documentElement.clientWidth")
    assert abs(box["x"] - (room - box["x"] - box["width"])) <= 1 and box["y"] > 50
