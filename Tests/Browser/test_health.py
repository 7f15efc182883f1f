"""FB-2: what phone and watch measured, for the person and, where it is shown, for the therapist."""

import pytest
from accessibility import violations
from test_portal import html_errors


@pytest.mark.journey
def test_fb_2_a_day_is_deleted_a_sleep_entered_and_a_goal_set(visit):
    person = visit(viewport={"width": 390, "height": 800}, java_script_enabled=False)
    page = person.page
    person.sign_in("pia@example.org")
    person.open("/my/more")
    page.get_by_role("link", name="Meine Messwerte").click()
    rows = page.locator(".health__row")
    rows.first.wait_for()
    before = rows.count()
    day = rows.nth(2).inner_text()
    rows.nth(2).get_by_role("button").click()
    assert "Gelöscht" in page.locator("body").inner_text()
    # The bracelet knows the day as well: its own sum takes the place of the phone's.
    person.open("/my/health")
    assert rows.count() == before and rows.nth(2).inner_text() != day and "Gadgetbridge" in rows.nth(2).inner_text()
    page.locator("summary", has_text="Schlaf eintragen").click()
    page.locator("#starts_at").fill("2026-01-10T23:00")
    page.locator("#ends_at").fill("2026-01-10T23:05")
    page.locator("form[action$='/sleeps'] button").click()
    assert "mindestens 10 Minuten" in page.locator(".errors").inner_text()
    # What was typed is still there.
    assert page.locator("#starts_at").input_value() == "2026-01-10T23:00"
    page.locator("#ends_at").fill("2026-01-11T06:30")
    page.locator("form[action$='/sleeps'] button").click()
    person.open("/my/health?type=sleep&to=2026-01-11")
    night = page.locator(".health__row").first.inner_text()
    assert "7 h 30 min" in night and "selbst eingetragen" in night and "Qualität –" in night
    page.locator("summary", has_text="Ziele").click()
    page.locator("#steps_per_day").fill("3000")
    page.locator("form[action$='/goals'] button").click()
    person.open("/my/health?span=month")
    assert "Ziel 3.000 Schritte" in page.locator(".health__summary").inner_text()
    # On paper there is what was measured, and nothing to press.
    page.emulate_media(media="print")
    assert page.locator(".health__summary").is_visible() and rows.first.is_visible()
    assert not any(part.is_visible() for part in page.locator("main a.button, button, .segments, .choices, .own__nav").all())
    # She shows her nights: they are with her therapist.
    ada = visit()
    ada.sign_in()
    ada.open(ada.open_patient() + "/health?type=sleep&to=2026-01-11")
    assert "7 h 30 min" in ada.page.locator(".health__row").first.inner_text()
    # The one refusal is told by the browser, too.
    assert all("422" in word for word in person.complaints), person.complaints


@pytest.mark.parametrize("width", [320, 390])
def test_no_word_breaks_where_the_stretch_is_turned(visit, width):
    person = visit(viewport={"width": width, "height": 800})
    person.sign_in("nina@example.org")
    person.open("/my/health")
    turn = person.page.locator(".health__turn .button").first
    lines = turn.evaluate("""button => {
      const text = document.createRange()
      text.selectNodeContents(button)
      return text.getClientRects().length
    }""")
    assert turn.inner_text() == "Früher" and lines == 1


def test_w6_the_therapist_sees_what_is_shown_and_no_more(visit):
    ada = visit()
    ada.sign_in()
    patient = ada.open_patient()
    ada.open(patient + "/timeline")
    ada.page.locator(".band a[href*='/health?type=steps']").first.click()
    choices = ada.page.locator(".health__choices a").all_inner_texts()
    assert choices == ["Schritte", "Schlaf"]
    ada.open(patient + "/health?type=heart_rate")
    assert ada.page.locator(".health__choices [aria-current]").inner_text() == "Schritte"
    ada.open(patient + "/briefing")
    assert "Schritte am Tag" in ada.page.locator("main").inner_text()
    assert ada.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_a5_axe_and_the_checker_find_nothing_on_pages_of_measurements(visit, tmp_path, width, scheme):
    found, written, places = [], [], []

    def look(person, paths):
        for path in paths:
            answer = person.open(path)
            assert answer.status == 200, path
            person.page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
            # The whole page at once: nothing lies behind the bar at the bottom.
            height = person.page.evaluate("document.documentElement.scrollHeight")
            person.page.set_viewport_size({"width": width, "height": height + 100})
            places.append(path)
            written.append(answer.body())
            found.extend(violations(person.page, path))
            over = person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over <= 0, f"{path} is {over} px too wide at {width}"

    shape = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    pia = visit(**shape)
    pia.sign_in("pia@example.org")
    look(pia, ["/my/health", "/my/health?span=year", "/my/health?type=sleep&span=month", "/my/health?type=activities&span=month",
               "/my/health?type=heart_rate"])
    ada = visit(**shape)
    ada.sign_in()
    look(ada, [ada.open_patient() + "/health"])
    assert found == []
    assert html_errors(places, written, tmp_path) == []
