"""Interventions, rules, alerts and the calendar, as a therapist uses them."""

import datetime
import re
import urllib.error
import urllib.request

import icalendar
import pytest


@pytest.mark.parametrize("scripts", [True, False])
def test_io_12_a_rule_is_built_tried_out_and_switched_on(visit, scripts):
    visitor = visit(java_script_enabled=scripts)
    visitor.sign_in()
    page = visitor.page
    visitor.open("/rules/new")
    page.fill("#name", f"Gedrückt {scripts}")
    page.select_option("#item_1", label="Kurz gefragt: Frage „Wie ging es Ihnen dabei?“")
    page.select_option("#comparison_1", "at_most")
    page.fill("#value_1", "zwei")
    page.fill("#times_1", "2")
    page.fill("#of_1", "3")
    page.fill("#briefing", "Zweimal gedrückt.")
    page.click("text=Speichern und Probelauf ansehen")
    # What is wrong is said above and at the field, and nothing typed is lost.
    assert page.title().startswith("Fehler")
    assert page.input_value("#value_1") == "zwei" and page.input_value("#briefing") == "Zweimal gedrückt."
    page.click(".errors a")
    page.fill("#value_1", "2")
    page.click("text=Speichern und Probelauf ansehen")
    assert "hätte die Regel" in page.inner_text("main")
    assert page.locator("section .rows__entry").count() > 0
    page.click("text=Einschalten")
    assert page.inner_text(".flash") == "Die Regel ist eingeschaltet."
    assert page.locator("h1 .badge").inner_text() == "an"
    page.click("text=Ausschalten")
    assert page.locator("h1 .badge").inner_text() == "aus"
    page.click("text=Regel löschen")
    # Not among the rules any more, but among those that can be brought back.
    assert page.locator("main a", has_text=f"Gedrückt {scripts}").count() == 0
    assert f"Gedrückt {scripts}" in page.locator("section[aria-labelledby=removed]").inner_text()


def test_only_the_fields_of_the_chosen_kind_are_shown(visit):
    visitor = visit()
    visitor.sign_in()
    visitor.open("/rules/new")
    page = visitor.page
    assert page.is_visible("#value_1") and not page.is_visible("#days_1") and not page.is_visible("#value_2")
    page.select_option("#kind_1", "silent")
    assert page.is_visible("#days_1") and not page.is_visible("#item_1")
    page.select_option("#reach", "chosen")
    assert page.is_visible("text=C020480")


def test_io_12_given_by_hand_changed_and_taken_back(visit):
    visitor = visit()
    visitor.sign_in()
    patient = visitor.open_patient("C448213")
    page = visitor.page
    visitor.open(patient + "/interventions/new")
    page.select_option("#kind", "question")
    page.fill("#text", "Was war heute anders?")
    page.click("main form button")
    row = page.locator(".rows__entry", has_text="Was war heute anders?")
    assert "neu" in row.inner_text()
    row.locator("text=Ändern").click()
    page.fill("#text", "Was war heute leichter?")
    page.click("main form button")
    page.locator(".rows__entry", has_text="Was war heute leichter?").locator("text=Zurücknehmen").click()
    assert "zurückgenommen" in page.locator(".rows__entry", has_text="Was war heute leichter?").inner_text()
    visitor.open(patient + "/timeline?kind=intervention")
    assert "Was war heute leichter?" in page.inner_text("main")


def test_io_22_an_alert_is_acknowledged_by_keyboard(visit):
    visitor = visit()
    visitor.sign_in()
    page = visitor.page
    visitor.open("/alerts")
    waiting = page.locator(".alert").count()
    assert waiting > 0
    assert page.inner_text(".navigation__count") == str(waiting)
    page.locator(".alert input.field__input").first.focus()
    page.keyboard.type("Angerufen.")
    page.keyboard.press("Enter")
    page.wait_for_selector(".flash")
    assert page.locator(".alert").count() == waiting - 1
    visitor.open("/alerts?acknowledged=true")
    assert "Angerufen." in page.inner_text("main")


def test_io_14_another_program_reads_the_calendar(visit):
    visitor = visit()
    visitor.sign_in()
    page = visitor.page
    visitor.open("/profile")
    page.click("text=Adresse anlegen")
    address = page.inner_text(".address")
    with urllib.request.urlopen(address) as answer:
        assert answer.headers.get_content_type() == "text/calendar"
        calendar = icalendar.Calendar.from_ical(answer.read())
    events = calendar.walk("VEVENT")
    assert len(events) > 10 and len({event["UID"] for event in events}) == len(events)
    for event in events:
        assert event["SUMMARY"] == "Termin" and event["DTEND"].dt > event["DTSTART"].dt
        assert event["DTSTART"].dt.tzinfo is not None and event["STATUS"] in ("CONFIRMED", "CANCELLED")
    ahead = [event for event in events if event["DTEND"].dt > datetime.datetime.now(datetime.timezone.utc)]
    visitor.open("/appointments")
    assert page.locator("section[aria-labelledby=coming] li").count() == len(ahead)
    with page.expect_download() as download:
        page.click("section[aria-labelledby=coming] >> text=Kalenderdatei >> nth=0")
    single = icalendar.Calendar.from_ical(open(download.value.path(), "rb").read())
    assert [event["UID"] for event in single.walk("VEVENT")] == [min(ahead, key=lambda e: e["DTSTART"].dt)["UID"]]
    visitor.open("/profile")
    page.click("text=Abschalten")
    with pytest.raises(urllib.error.HTTPError) as dead:
        urllib.request.urlopen(address)
    assert dead.value.code == 404


def test_the_calendar_of_the_month_works_on_a_phone(visit):
    visitor = visit(viewport={"width": 390, "height": 800})
    visitor.sign_in()
    visitor.open("/appointments")
    page = visitor.page
    first = page.inner_text(".month h2")
    page.click("text=Nächster Monat")
    assert page.inner_text(".month h2") != first
    page.click("text=Voriger Monat")
    assert page.inner_text(".month h2") == first
    days = page.locator(".month__day:visible")
    assert days.count() > 0
    # A day without an appointment takes no room, and each shown one says which it is.
    for day in days.locator(".month__name").all():
        assert re.search(r"\d{4}", day.inner_text()) and day.bounding_box()["width"] > 50
