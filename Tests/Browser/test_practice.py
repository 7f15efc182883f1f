"""Interventions, rules, alerts and the calendar, as a therapist uses them."""

import datetime
import re
import urllib.error
import urllib.request

import icalendar
import pytest
from browsers import PHONE, today
from playwright.sync_api import expect
from test_journeys import API, eventually


@pytest.mark.parametrize("scripts", [True, False])
def test_io_12_a_rule_is_built_tried_out_and_switched_on(visit, scripts):
    visitor = visit(java_script_enabled=scripts)
    visitor.sign_in()
    page = visitor.page
    visitor.open("/rules/new")
    page.fill("#name", f"Gedrückt {scripts}")
    page.select_option("#item_1", "q/intersession-daily/feeling")
    # With scripts the sentence is drawn anew meanwhile; what is typed before it comes stands.
    page.select_option("#comparison_1", "at_most")
    page.fill("#value_1", "zwei")
    page.fill("#times_1", "2")
    page.fill("#of_1", "3")
    page.fill("#briefing", "Zweimal gedrückt.")
    page.click(".reaction__save button")
    # What is wrong is said above and at the field, and nothing typed is lost.
    assert page.title().startswith("Fehler")
    assert page.input_value("#value_1") == "zwei" and page.input_value("#briefing") == "Zweimal gedrückt."
    page.click(".errors a")
    page.fill("#value_1", "2")
    page.click(".reaction__save button")
    assert "hätte die Reaktion" in page.inner_text("main")
    assert page.locator(".strips__entry").count() > 0
    page.click("text=Einschalten")
    assert page.inner_text(".flash") == "Die Reaktion ist eingeschaltet."
    assert page.locator("h1 .badge").inner_text() == "an"
    page.click("text=Ausschalten")
    assert page.locator("h1 .badge").inner_text() == "aus"
    page.click("text=Reaktion löschen")
    # Not among the rules any more, but among those that can be brought back.
    assert page.locator("main a", has_text=f"Gedrückt {scripts}").count() == 0
    assert f"Gedrückt {scripts}" in page.locator("section[aria-labelledby=removed]").inner_text()


def test_pr_18_a_marked_number_stays_marked_while_the_sentence_is_drawn_anew(visit):
    visitor = visit()
    visitor.sign_in()
    visitor.open("/rules/new")
    page = visitor.page
    held = []
    page.route("**/rules/new", lambda route: held.append(route))
    with page.expect_request(lambda request: request.method == "POST"):
        page.select_option("#item_1", "q/intersession-daily/feeling")
    page.locator("#times_1").select_text()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        held[0].continue_()
    page.locator("[data-part=run]:not([aria-busy])").wait_for()
    page.keyboard.type("7")
    assert page.input_value("#times_1") == "7"


def test_pr_18_the_dry_run_follows_what_is_typed(visit):
    visitor = visit()
    visitor.sign_in()
    visitor.open("/rules/new")
    page = visitor.page
    assert "Es fehlt noch" in page.inner_text(".run")
    page.fill("#name", "Bleibt stehen")
    page.focus("#kind_1")
    page.select_option("#kind_1", "silent")
    page.wait_for_selector("#days_1")
    # The focus stays where it was, and so does what was typed elsewhere.
    assert page.evaluate("document.activeElement.id") == "kind_1"
    assert page.input_value("#name") == "Bleibt stehen" and not page.locator("select#item_1").count()
    page.select_option("#kind_1", "value")
    page.wait_for_selector("#item_1")
    page.select_option("#item_1", "q/intersession-daily/feeling")
    page.locator("text=Tagesabfragen").first.wait_for()
    page.fill("#value_1", "3")
    page.wait_for_selector(".strips__entry")
    before = page.inner_text(".run__summary")
    assert "im Monat" in before
    # A look more often than that fires less.
    page.fill("#rest_days", "90")
    expect(page.locator(".run__summary")).not_to_have_text(before)
    page.fill("#value_1", "0")
    page.locator(".run .notice", has_text="nie auslösen").wait_for()
    page.fill("#value_1", "2")
    page.select_option("#add_kind", "silent")
    page.click("text=Bedingung hinzufügen")
    page.wait_for_selector("#days_2")
    assert page.evaluate("document.activeElement.id") == "days_2"
    assert "und wenn" in page.inner_text("#condition_2")
    page.click("text=Bedingung 1 entfernen")
    page.wait_for_selector("#condition_2", state="detached")
    assert page.input_value("#days_1") == "3" and page.input_value("#name") == "Bleibt stehen"
    page.select_option("#reach", "chosen")
    assert page.is_visible("text=C020480")


def test_pr_18_without_scripts_a_reaction_is_built_condition_by_condition(visit):
    visitor = visit(java_script_enabled=False)
    visitor.sign_in()
    visitor.open("/rules/new?template=missed")
    page = visitor.page
    assert page.locator(".strips__entry").count() > 0
    page.select_option("#add_kind", "silent")
    page.click("text=Bedingung hinzufügen")
    page.fill("#days_2", "400")
    page.click("text=Probelauf ansehen")
    assert "1 bis 365" in page.inner_text(".run")
    page.fill("#days_2", "4")
    page.select_option("#combine", "any")
    page.click("text=Probelauf ansehen")
    assert "oder wenn" in page.inner_text("#condition_2") and page.locator(".strips__entry").count() > 0
    page.click(".reaction__save button")
    assert page.inner_text(".flash") == "Gespeichert, noch nicht eingeschaltet."


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
    page.locator(".rows__entry", has_text="Was war heute leichter?").locator("text=Zurückziehen").click()
    assert "zurückgezogen" in page.locator(".rows__entry", has_text="Was war heute leichter?").inner_text()
    visitor.open(patient + "/timeline?kind=intervention")
    assert "Was war heute leichter?" in page.inner_text("main")


@pytest.mark.journey
def test_io_12_what_is_given_is_opened_by_the_patient_and_told(visit, clinic):
    ada = visit()
    ada.sign_in()
    patient = ada.open_patient("C590047")
    ada.open(patient + "/interventions/new")
    ada.page.select_option("#kind", "task")
    words = "Legen Sie heute um zehn das Telefon in die Küche."
    ada.page.fill("#text", words)
    ada.page.click("main form button")
    row = ada.page.locator(".rows__entry", has_text=words)
    expect(row.locator(".badge")).to_have_text("neu")
    jan = visit(**PHONE)
    jan.sign_in("jan@example.org")
    jan.page.get_by_role("link", name=words).click()
    jan.page.wait_for_selector("main form[action$='/completion']")
    # A script tells of it, after the page is on the screen.
    calls = API(clinic, "ada@example.org")
    eventually(lambda: any(one["attributes"]["opened_at"] and words in str(one) for one in calls("GET", f"{patient}/interventions")))
    ada.page.reload()
    expect(row.locator(".badge")).to_have_text("geöffnet")
    jan.page.click("main form[action$='/completion'] button")
    jan.page.wait_for_selector("main .flash")
    ada.page.reload()
    expect(row.locator(".badge")).to_have_text("abgeschlossen")
    assert jan.complaints == [] and jan.elsewhere == []


def test_io_22_an_alert_is_acknowledged_by_keyboard(visit):
    visitor = visit()
    visitor.sign_in()
    page = visitor.page
    visitor.open("/alerts")
    waiting = page.locator(".alert").count()
    assert waiting > 0
    assert page.inner_text("a[href='/alerts'] .navigation__count") == f"{waiting}\u00a0neu"
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
    visitor.open("/appointments?month=" + today().isoformat()[:7])
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


def test_rp_14_another_program_reads_a_calendar_without_sessions(visit):
    visitor = visit()
    # No other test is about Ole.
    visitor.sign_in("ole@example.org")
    ole = API(visitor.address, "ole@example.org")
    for appointment in ole("GET", "/my/appointments?limit=200"):
        ole("DELETE", f"/my/appointments/{appointment['id']}")
    answer = visitor.page.context.request.get(visitor.address + "/my/appointments.ics")
    calendar = icalendar.Calendar.from_ical(answer.body())
    # RFC 5545, 3.6: at least one component.
    assert [part.name for part in calendar.subcomponents] == ["VTIMEZONE"]
    zone = calendar.subcomponents[0].to_tz()
    assert zone.utcoffset(datetime.datetime(2026, 7, 1)) == datetime.timedelta(0)


def test_rp_26_lists_of_names_are_in_the_order_of_dictionaries(visit):
    visitor = visit()
    visitor.sign_in()
    ada = API(visitor.address, "ada@example.org")
    key = ada("GET", "/questionnaires")[0]["attributes"]["key"]
    names = ["Zwang", "ängste", "Ängste 2", "Übergänge", "beginn", "Uberblick", "de Vries", "Łódź", "Lodz", "Straße", "Strasse", "Strassen",
             "Øre", "Oz", "œuvre", "Zug 10", "Zug 2", "a-b", "ab", "éa", "eb", "Ðuro", "Þór", "Ελλάδα", "Яна", "(x)"]
    made = [ada("POST", "/batteries", {"name": name, "questionnaire_keys": [key]})["id"] for name in names]
    visitor.open("/batteries")
    page = visitor.page
    found = [name for name in page.locator(".rows__title a").all_inner_texts() if name in names]
    for battery in made:
        ada("DELETE", f"/batteries/{battery}")
    # The browser's own collation, of the root of CLDR.
    assert found == page.evaluate("names => names.sort(new Intl.Collator('en').compare)", names)


def test_the_calendar_of_the_month_works_on_a_phone(visit):
    visitor = visit(viewport={"width": 390, "height": 800})
    visitor.sign_in()
    visitor.open("/appointments")
    page = visitor.page
    page.click("nav.views >> text=Monat")
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


def test_pr_19_from_today_the_menu_and_two_clicks_assign_until_the_next_session(visit):
    visitor = visit()
    visitor.sign_in()
    visitor.open("/")
    page = visitor.page
    page.locator(".visit__more button").first.click()
    page.locator(".visit__more a:visible", has_text="Zuweisen").click()
    page.wait_for_selector("text=So steht es auf dem Telefon")
    assert page.is_checked("[name=until][value=session]") and page.inner_text(".told__title")
    before = page.inner_text(".told__due")
    # The preview follows the choice.
    page.check("[name=until][value=week]")
    expect(page.locator(".told__due")).not_to_have_text(before)
    page.check("[name=until][value=session]")
    expect(page.locator(".told__due")).to_have_text(before)
    page.click(".reaction__save button")
    assert page.inner_text(".flash") == "Zugewiesen."
