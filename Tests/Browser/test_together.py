"""Colleagues, protocols and the session, by keyboard alone, with scripts and without."""

import datetime

import pytest
from browsers import today


class Keyboard:
    """Somebody without a mouse: what cannot be reached by Tab cannot be used."""

    def __init__(self, visitor):
        self.visitor, self.page = visitor, visitor.page

    def reach(self, selector, presses=160):
        target = self.page.locator(selector).first
        assert target.count(), f"{selector} is not on {self.page.url}"
        for _ in range(presses):
            self.page.keyboard.press("Tab")
            if target.evaluate("element => element === document.activeElement"):
                return target
        raise AssertionError(f"{selector} cannot be reached on {self.page.url}")

    def type(self, selector, text):
        self.reach(selector)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def date(self, selector, day):
        """The field takes its parts in the order of the browser's own language, which is English here."""
        self.reach(selector)
        self.page.keyboard.type(day.strftime("%m%d%Y"))

    def choose(self, selector, word):
        """In a list by the first letters of its choice."""
        self.reach(selector)
        self.page.keyboard.type(word)

    def press(self, selector, key="Enter"):
        self.reach(selector)
        with self.page.expect_navigation():
            self.page.keyboard.press(key)

    @property
    def flash(self):
        return self.page.inner_text(".flash")


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def keyboard(visit, request):
    visitor = visit(java_script_enabled=request.param)
    visitor.sign_in()
    yield Keyboard(visitor)
    # A refused form is told to the console as well.
    complaints = [line for line in visitor.complaints if "422" not in line]
    assert complaints == [] and visitor.elsewhere == []


def test_pr_20_a_cover_is_set_up_corrected_and_ended(keyboard):
    page = keyboard.page
    keyboard.visitor.open("/covers")
    keyboard.choose("#colleague_email", page.inner_text("#colleague_email option[value='ben@example.org']"))
    keyboard.date("#until", today() - datetime.timedelta(days=3))
    keyboard.press("main form.sheet button")
    # It ends before it begins: said above and at the field, and what was typed stands.
    assert page.title().startswith("Fehler") and page.locator("#until-error").count() == 1
    assert page.input_value("#colleague_email") == "ben@example.org"
    keyboard.date("#until", today() + datetime.timedelta(days=3))
    if page.locator("#whom-named").is_checked():
        keyboard.reach("#whom-named")
        page.keyboard.press("ArrowUp")
    assert page.locator("#whom-all").is_checked()
    keyboard.press("main form.sheet button")
    assert "Ben Steiner" in page.inner_text("section[aria-labelledby=given]")
    keyboard.press("section[aria-labelledby=given] form button")
    assert page.locator("section[aria-labelledby=given] form button").count() == 0


def test_pr_21_a_supervisor_is_added_and_removed(keyboard):
    page = keyboard.page
    keyboard.visitor.open(keyboard.visitor.open_patient() + "/members")
    keyboard.press("main form.sheet button")
    assert page.locator("#email-error").count() == 1
    # Lena leads studies and treats nobody.
    assert page.locator("#email option[value='lena@example.org']").count() == 0
    keyboard.choose("#email", page.inner_text("#email option[value='ben@example.org']"))
    keyboard.choose("#role", "Super")
    keyboard.press("main form.sheet button")
    assert "Ben Steiner" in page.inner_text("main .rows") and "Supervis" in page.inner_text("main .rows")
    keyboard.press("main .rows form button")
    assert "Ben Steiner" not in page.inner_text("main .rows")


def test_pr_17_a_protocol_is_made_given_to_somebody_new_and_removed(keyboard):
    page = keyboard.page
    keyboard.visitor.open("/protocols/new")
    keyboard.press("main form button:text('Protokoll speichern') >> nth=-1")
    assert page.title().startswith("Fehler") and page.locator("[id='name-error']").count() == 1
    keyboard.type("[id='name']", "Nur am Beginn")
    keyboard.choose("[id='batteries.therapy_begin']", "Beginn")
    keyboard.press("main form button:text('Protokoll speichern') >> nth=-1")
    assert "Nur am Beginn" in page.inner_text("main")
    protocol = page.locator("main a", has_text="Nur am Beginn").first.get_attribute("href")
    keyboard.visitor.open("/patients/new")
    keyboard.choose("#protocol_id", "Nur")
    keyboard.press("main form button")
    patient = "/".join(page.url.removeprefix(keyboard.visitor.address).split("/")[:3])
    keyboard.visitor.open(patient + "/deliveries")
    assert "Nur am Beginn" in page.inner_text("main")
    keyboard.visitor.open(protocol)
    keyboard.press("main a[href$='/removal']")
    # What becomes of those who have it is asked first.
    keyboard.press("main form button")
    assert page.title().startswith("Fehler")
    keyboard.reach("#follow-true")
    page.keyboard.press("Space")
    keyboard.press("main form button")
    keyboard.visitor.open("/protocols")
    assert "Nur am Beginn" not in page.inner_text("main")


def test_pr_12_the_note_of_a_session_is_kept_and_read_before_the_next(keyboard):
    page, visitor = keyboard.page, keyboard.visitor
    # Her next session is tomorrow, at whatever time of the day this runs.
    patient = visitor.open_patient("C448213")
    visitor.open(patient + "/briefing")
    # The latest that was held: one that was missed since has words of its own.
    keyboard.press(".briefing__last h2 a")
    words = "Nächstes Mal mit dem Traum beginnen."
    keyboard.type("#note", words)
    keyboard.press("main form:has(#note) button")
    assert page.input_value("#note") == words
    visitor.open(patient + "/briefing")
    assert words in page.inner_text("main")


def test_pr_15_what_was_switched_off_is_given_back_by_the_line_that_says_so(keyboard):
    page, visitor = keyboard.page, keyboard.visitor
    visitor.open(visitor.open_patient() + "/deliveries")
    button = page.locator("form[action$='/dailies'] button").inner_text()
    keyboard.press("form[action$='/dailies'] button")
    assert page.locator("form[action$='/dailies'] button").inner_text() != button
    keyboard.press(".flash form button")
    assert page.locator("form[action$='/dailies'] button").inner_text() == button
