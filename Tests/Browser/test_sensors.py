"""TYS-7: what a browser measures while somebody answers, with its permission and never without being asked."""

from browsers import PHONE
from test_journeys import API


def test_tys7_the_position_is_added_by_a_tap_and_sent_with_the_sheet(visit, clinic):
    person = visit(geolocation={"latitude": 48.2, "longitude": 16.4}, permissions=["geolocation"], **PHONE)
    lead = API(clinic, "lena@example.org")
    text = {"de": "Ich nehme teil.", "en": "I take part."}
    study = lead("POST", "/studies", {"name": "orte", "title": {"de": "Orte", "en": "Places"}, "consent_text": text,
                                     "running": True})["id"]
    item = lead("POST", f"/studies/{study}/questionnaires", {
        "questionnaire_key": "wellbeing-5", "is_onetime": False, "schedules": [], "can_use": [{"name": "gps"}]})["id"]
    pia = API(clinic, "pia@example.org")
    pia("POST", f"/studies/{study}/enrolment", {"consent_accepted": True})
    pia("PUT", "/my/sensor-settings", {"gps": True, "microphone": False})

    person.sign_in("pia@example.org")
    person.open(f"/my/questionnaires/{item}")
    page = person.page
    for _ in range(10):
        if page.locator("input[name=part]").count() == 0:
            break
        for question in page.locator("[data-question]:visible").all():
            question.locator("label").nth(1).click()
        page.click("main .answer__bar .button--primary")
    assert page.locator("input[name='sensors.gps']").input_value() == ""
    page.click("text=Standort beifügen")
    page.get_by_text("Der Standort wird mitgesendet.").wait_for()
    page.click("button[value=send]")
    assert "Vielen Dank" in page.locator("main").inner_text()
    sheet = pia("GET", "/my/export")["attributes"]["contributions"][-1]
    reading = sheet["details"]["sensors"]["gps"][0]
    assert (reading["latitude"], reading["longitude"]) == (48.2, 16.4)
    assert person.complaints == [] and person.elsewhere == []


def test_fd_27_a_yes_that_the_browser_refuses_is_shown_where_it_can_be_changed(visit, clinic):
    person = visit(**PHONE)
    lead = API(clinic, "lena@example.org")
    text = {"de": "Ich nehme teil.", "en": "I take part."}
    study = lead("POST", "/studies", {
        "name": "wege", "title": {"de": "Wege", "en": "Ways"}, "consent_text": text, "running": True,
        "location_reason": {"de": "Wir fragen, wo Sie zur Ruhe kommen.", "en": "We ask where you find peace."}})["id"]
    item = lead("POST", f"/studies/{study}/questionnaires", {
        "questionnaire_key": "wellbeing-5", "is_onetime": False, "schedules": [], "can_use": [{"name": "gps"}]})["id"]
    person.sign_in("pia@example.org")
    person.open("/studies/wege")
    page = person.page
    assert "wo Sie zur Ruhe kommen" in page.locator("main").inner_text()
    page.select_option("select[name=location]", "allowed")
    page.check("input[type=checkbox][name=consent_accepted]")
    page.click("main form .button--primary")
    own = page.locator("article", has_text="Wege")
    assert "noch nicht gefragt" in own.inner_text()

    person.open(f"/my/questionnaires/{item}")
    for _ in range(10):
        if page.locator("input[name=part]").count() == 0:
            break
        for question in page.locator("[data-question]:visible").all():
            question.locator("label").nth(1).click()
        page.click("main .answer__bar .button--primary")
    page.click("text=Standort beifügen")
    page.get_by_text("Sie können auch ohne senden.").wait_for()
    page.click("button[value=send]")
    assert "Vielen Dank" in page.locator("main").inner_text()
    person.open("/my/studies")
    own = page.locator("article", has_text="Wege")
    assert "vom Browser oder Gerät verweigert" in own.inner_text()
    own.get_by_text("Standort:").click()
    page.select_option("select[name=location]", "refused")
    page.click("main form .button--primary")
    assert "Standort: nicht erlaubt" in page.locator("article", has_text="Wege").inner_text()
    assert person.elsewhere == []
