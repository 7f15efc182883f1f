"""ST-2: buttons for what happens at any time, in the hands of a participant, and time points with each session on the same pages."""

import uuid

import pytest
from accessibility import violations
from browsers import PHONE
from test_journeys import API

BUTTONS = "form[action='/my/events'] button"


@pytest.fixture
def nina_takes_part(clinic):
    """A study of its own with a moment and a span. Its name is new for each test of one clinic."""
    lena, nina = API(clinic, "lena@example.org"), API(clinic, "nina@example.org")
    study = lena("POST", "/studies", {
        "name": f"knopf-{uuid.uuid4().hex[:8]}", "title": {"de": "Panik im Alltag"}, "consent_text": {"de": "Ja."}, "running": True,
        "tells_session_dates": True, "time_points": [
            {"key": "each", "title": {"de": "Nach der Sitzung"}, "anchor": "each_session", "day": 0, "after": 2}]})["id"]
    for key, more in [("wellbeing-5", {"time_point": "each"}), ("between-sessions", {"event": "moment"}),
                      ("intersession-daily", {"event": "span"})]:
        lena("POST", f"/studies/{study}/questionnaires", {"questionnaire_key": key, **more})
    nina("POST", f"/studies/{study}/enrolment", {"consent_accepted": True})
    yield study, lena, nina
    nina("DELETE", f"/studies/{study}/enrolment?data=remove")


@pytest.mark.parametrize("scripts", [True, False])
def test_st_2_a_span_begins_is_over_and_is_answered(visit, nina_takes_part, scripts):
    _, _, nina = nina_takes_part
    person = visit(**PHONE, java_script_enabled=scripts)
    page = person.page
    person.sign_in("nina@example.org")
    person.open("/my")
    page.locator(BUTTONS, has_text="Beginnt jetzt").click()
    row = page.locator("main li", has_text="läuft seit")
    row.wait_for()
    assert page.locator(BUTTONS, has_text="Beginnt jetzt").count() == 0
    row.get_by_role("button", name="Vorbei").click()
    page.wait_for_url("**/my/events/*")
    [known] = nina("GET", "/my/events")
    assert known["attributes"]["ended_at"] >= known["attributes"]["started_at"]
    page.get_by_label("nein", exact=True).first.check()
    page.locator(".answer__bar .button--primary").first.click()
    page.locator("button[value=send]").click()
    page.wait_for_load_state()
    assert nina("GET", "/my/events")[0]["attributes"]["contribution_id"]
    person.open("/my")
    assert page.locator(BUTTONS, has_text="Beginnt jetzt").count() == 1 and person.complaints == []


def test_st_2_what_was_a_mistake_is_taken_away(visit, nina_takes_part):
    _, _, nina = nina_takes_part
    person = visit(**PHONE)
    person.sign_in("nina@example.org")
    person.open("/my/studies")
    person.page.locator(BUTTONS, has_text="Beginnt jetzt").first.click()
    person.page.get_by_role("button", name="War ein Versehen").first.click()
    person.page.wait_for_load_state()
    assert nina("GET", "/my/events") == [] and person.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_st_2_axe_finds_nothing_on_pages_with_buttons(visit, nina_takes_part, width, scheme):
    study, lena, nina = nina_takes_part
    item = next(one["id"] for one in nina("GET", "/my/questionnaires")
                if one["attributes"]["study_id"] == study and one["attributes"]["event"] == "span")
    participant = lena("GET", f"/studies/{study}/participants")[0]["attributes"]
    nina("PUT", f"/my/events/{uuid.uuid4()}", {"item_id": item, "started_at": participant["enrolled_at"]})
    codename = participant["codename"]
    found = []
    for email, paths in [("nina@example.org", ["/my", "/my/studies"]),
                         ("lena@example.org", [f"/studies/{study}/questionnaires", f"/studies/{study}/participants/{codename}"])]:
        person = visit(viewport={"width": width, "height": 900}, color_scheme=scheme)
        person.sign_in(email)
        for path in paths:
            assert person.open(path).status == 200
            height = person.page.evaluate("document.documentElement.scrollHeight")
            person.page.set_viewport_size({"width": width, "height": height + 100})
            found += violations(person.page, path)
            over = person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over <= 0, f"{path} is {over} px too wide at {width}"
        assert person.complaints == []
    assert found == []
