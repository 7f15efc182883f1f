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
        for question in page.locator("[data-question]").all():
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
