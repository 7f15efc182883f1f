"""Answering on a phone: one question a screen, the way on at the edge below, and nothing lost on the way."""

import browsers
import pytest
from accessibility import violations
from browsers import MODES, PHONE
from playwright.sync_api import expect
from test_journeys import API, file_of
from test_large_text import FAULTS, large
from test_offline import Phone
from test_portal import reach

OFTEN = ["nie", "selten", "manchmal", "oft", "sehr oft"]

# Two sections whose questions stand alone, by default and by choice; one of them has an answer that has to be seen.
SCREENS = {
    "format": "intersession-questionnaire/1", "key": "screens", "title": {"de": "Zwischen den Sitzungen, kurz"},
    "sections": [
        {"key": "days", "text": {"de": "Denken Sie an die letzten zwei Tage."},
         "options": [{"value": value, "text": {"de": text}} for value, text in enumerate(OFTEN)],
         "questions": [
             {"key": "thought", "type": "single", "required": True, "text": {"de": "Wie oft haben Sie an die Therapie gedacht?"}},
             {"key": "tried", "type": "single", "text": {"de": "Wie oft haben Sie etwas ausprobiert?"}},
             {"key": "weary", "type": "single", "required": True, "must_be_seen": {"at_least": 3},
              "text": {"de": "Wie oft war Ihnen alles zu viel?"}}]},
        {"key": "more", "layout": "one", "questions": [
            {"key": "talked", "type": "yes_no", "required": True, "text": {"de": "Haben Sie mit jemandem darüber gesprochen?"}},
            {"key": "words", "type": "text", "text": {"de": "Was möchten Sie noch sagen?"}}]},
    ],
}
ALL = 5


@pytest.fixture
def asked(clinic):
    """The path of a questionnaire that Mia was given just now."""
    ada = API(clinic, "ada@example.org")
    ada("POST", "/questionnaires/import", SCREENS)
    return "/my/assignments/" + ada("POST", f"/patients/{file_of(ada, 'C448213')}/assignments", {"questionnaire_key": "screens"})["id"]


@pytest.fixture
def mia(visit, asked):
    person = visit(**PHONE)
    person.sign_in("mia@example.org")
    person.open(asked)
    return person


def shown(page):
    """The headings of the questions in sight."""
    return [it.inner_text().removesuffix("*").strip() for it in page.locator("[data-question] legend").all() if it.is_visible()]


def is_at(page, key, place):
    expect(page.locator(f"[data-question={key}]")).to_be_visible()
    assert len(shown(page)) == 1
    expect(page.locator(".answer__count")).to_have_text(f"{place} von {ALL}")


def answer(page, key, value):
    page.locator(f"[data-question={key}] label[for$='.{value}']").click()


def on(page):
    page.locator(".answer__bar .button--primary:visible").click()


def back(page):
    page.locator(".answer__bar .button:visible").first.click()


def test_impression_7_one_question_a_screen_forward_and_back(mia):
    page = mia.page
    is_at(page, "thought", 1)
    expect(page.locator(".own__nav")).to_be_hidden()
    bar = page.locator(".answer__bar").bounding_box()
    assert bar["y"] + bar["height"] == 844 and bar["width"] == 390
    size = "(it) => parseFloat(getComputedStyle(it).fontSize)"
    assert page.locator(".answer__text").evaluate(size) < 16 < 20 <= page.locator("legend").first.evaluate(size)
    expect(page.locator(".answer__bar [value=back]")).to_be_hidden()
    # A needed answer is asked for; the word that leaves a question out stands beside others only.
    expect(page.locator("[data-go=skip]")).to_be_hidden()
    on(page)
    is_at(page, "thought", 1)
    expect(page.get_by_role("alert").filter(has_text="Diese Antwort wird gebraucht")).to_be_visible()
    answer(page, "thought", 2)
    on(page)
    is_at(page, "tried", 2)
    assert page.evaluate("document.activeElement.textContent") == "Wie oft haben Sie etwas ausprobiert?"
    assert page.locator(".own__bar").evaluate("(it) => it.value") == 40
    answer(page, "tried", 1)
    page.locator("[data-go=skip]").click()
    is_at(page, "weary", 3)
    back(page)
    is_at(page, "tried", 2)
    assert page.locator("[data-question=tried] :checked").count() == 0
    page.go_back()
    is_at(page, "thought", 1)
    assert page.locator("[data-question=thought] :checked").get_attribute("value") == "2"
    page.go_forward()
    is_at(page, "tried", 2)
    assert mia.complaints == [] and page.evaluate("document.documentElement.scrollWidth") <= 390


def test_impression_7_the_numbers_stay_and_the_sentence_stands_at_both_ends(mia):
    page = mia.page
    sentence = page.locator(".own__foot > p")

    def row():
        expect(page.locator(".own__foot .numbers a").first).to_be_visible()
        expect(page.locator(".own__head .button")).to_be_visible()

    expect(sentence).to_be_visible()
    row()
    answer(page, "thought", 1)
    on(page)
    expect(sentence).to_be_hidden()
    row()
    on(page)
    answer(page, "weary", 1)
    on(page)
    is_at(page, "talked", 4)
    expect(sentence).to_be_hidden()
    answer(page, "talked", 1)
    on(page)
    is_at(page, "words", 5)
    expect(sentence).to_be_visible()
    row()
    # From one section to the one before: where it ended.
    back(page)
    back(page)
    is_at(page, "weary", 3)


def test_impression_7_after_an_answer_that_has_to_be_seen_the_box_comes_at_once(mia):
    page = mia.page
    box = page.locator("[data-part=call]")
    answer(page, "thought", 4)
    on(page)
    on(page)
    answer(page, "weary", 2)
    expect(box).to_be_hidden()
    answer(page, "weary", 3)
    expect(box).to_be_visible()
    assert box.get_attribute("role") == "alert" and box.locator("a[href^='tel:']").count() > 0
    answer(page, "weary", 0)
    expect(box).to_be_hidden()
    answer(page, "weary", 4)
    on(page)
    answer(page, "talked", 0)
    on(page)
    on(page)
    page.click("button[value=send]")
    expect(page.locator(".answer__crisis")).to_be_visible()


def test_impression_7_a_draft_opens_at_its_question(mia, asked):
    page = mia.page
    answer(page, "thought", 3)
    on(page)
    answer(page, "tried", 0)
    on(page)
    is_at(page, "weary", 3)
    page.click("button[value=later]")
    expect(page.locator(".flash")).to_be_visible()
    mia.open(asked)
    is_at(page, "weary", 3)
    # What is still missing leads to its own screen.
    mia.open(asked + "?part=review")
    page.locator("main a", has_text="Wie oft war Ihnen alles zu viel?").click()
    is_at(page, "weary", 3)


@pytest.mark.parametrize(("width", "scripts"), [(390, False), (1280, True)])
def test_impression_7_without_scripts_and_on_wide_screens_it_is_a_list(visit, asked, width, scripts):
    person = visit(viewport={"width": width, "height": 844}, java_script_enabled=scripts)
    person.sign_in("mia@example.org")
    person.open(asked)
    page = person.page
    assert len(shown(page)) == 3
    expect(page.locator("[data-go=skip]")).to_be_hidden()
    expect(page.locator(".own__nav")).to_be_visible()
    expect(page.locator(".answer__count")).to_have_text(f"0 von {ALL}")
    for key in ["thought", "tried", "weary"]:
        page.check(f"[data-question={key}] input[value='1']")
    on(page)
    assert len(shown(page)) == 2
    expect(page.locator(".answer__count")).to_have_text(f"3 von {ALL}")


def test_impression_7_what_the_server_refuses_opens_where_it_is_wrong(visit, clinic):
    ada = API(clinic, "ada@example.org")
    ada("POST", "/questionnaires/import", {
        "format": "intersession-questionnaire/1", "key": "figures", "title": {"de": "Zahlen"}, "sections": [{"key": "all", "questions": [
            {"key": "one", "type": "number", "minimum": 0, "maximum": 10, "text": {"de": "Eins"}},
            {"key": "two", "type": "number", "minimum": 0, "maximum": 10, "text": {"de": "Zwei"}}]}]})
    path = "/my/assignments/" + ada("POST", f"/patients/{file_of(ada, 'C448213')}/assignments", {"questionnaire_key": "figures"})["id"]
    person = visit(**PHONE)
    person.sign_in("mia@example.org")
    person.open(path)
    page = person.page
    page.fill("[data-question=one] input[data-number]", "3")
    on(page)
    expect(page.locator("[data-question=two]")).to_be_visible()
    # A browser that is asked nothing lets it go to the server.
    page.evaluate("""() => {
      const field = document.querySelector("[data-question=two] input[data-number]")
      field.checkValidity = () => true
      field.value = "11"
    }""")
    on(page)
    expect(page.locator(".errors")).to_be_visible()
    assert shown(page) == ["Zwei"]


@pytest.mark.parametrize(("scheme", "width"), MODES)
def test_impression_7_axe_finds_nothing_on_any_screen(visit, asked, scheme, width):
    person = visit(**{**PHONE, "viewport": {"width": width, "height": 800}, "color_scheme": scheme})
    person.sign_in("mia@example.org")
    person.open(asked)
    page = person.page
    for key, value in [("thought", 4), ("tried", 1), ("weary", 4), ("talked", 1)]:
        answer(page, key, value)
        assert violations(page, key, tags=None) == []
        if page.locator(".answer--steps").count():
            on(page)
        elif key in ("weary", "talked"):
            on(page)


def test_impression_7_at_twice_the_size_of_text(visit, asked):
    person = visit(**PHONE)
    person.sign_in("mia@example.org")
    large(person.page)
    person.open(asked)
    page = person.page
    for key, value in [("thought", 4), ("tried", 1), ("weary", 4), ("talked", 1)]:
        assert len(shown(page)) == 1
        answer(page, key, value)
        assert page.evaluate(FAULTS) == [], key
        on(page)


def test_impression_7_by_keyboard_alone(mia):
    page = mia.page
    for key in ["thought", "tried", "weary", "talked"]:
        expect(page.locator(f"[data-question={key}]")).to_be_visible()
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.name") == f"answers.{key}":
                break
        page.keyboard.press("Space")
        reach(page, "Weiter")
        page.keyboard.press("Enter")
    expect(page.locator("[data-question=words]")).to_be_visible()
    reach(page, "Weiter")
    page.keyboard.press("Enter")
    expect(page.locator("button[value=send]")).to_be_visible()


def test_impression_7_in_a_tunnel_the_screens_are_the_same(chromium, clinic, asked):
    it = Phone(chromium, clinic, "mia@example.org")
    page = it.page
    try:
        it.learns(asked)
        it.keeps_form(it.own("GET", asked)["attributes"]["questionnaire_id"])
        it.offline()
        it.open(asked)
        it.shows_form()
        is_at(page, "thought", 1)
        answer(page, "thought", 2)
        on(page)
        is_at(page, "tried", 2)
        page.locator("[data-go=skip]").click()
        answer(page, "weary", 3)
        expect(page.locator("[data-part=call]")).to_be_visible()
        on(page)
        is_at(page, "talked", 4)
        page.go_back()
        is_at(page, "weary", 3)
        on(page)
        # Closed in the middle, and opened again: at the first question without an answer.
        it.open("/my/offline")
        it.open(asked)
        it.shows_form()
        is_at(page, "tried", 2)
        for key in ["tried", "weary", "talked", "words"]:
            expect(page.locator(f"[data-question={key}]")).to_be_visible()
            if key == "talked":
                answer(page, key, 1)
            on(page)
        it.sends()
        it.says("Im Moment gibt es keine Verbindung")
    finally:
        browsers.close(it.context)
