"""The ten pages that are looked at most: axe on each of them in one mode, and nothing is wider than the screen."""

import pytest
from accessibility import violations
from test_journeys import API, file_of

MODES = [("light", 1280), ("dark", 390)]


@pytest.mark.journey
def test_axe_finds_nothing_on_the_busiest_pages(visit, clinic):
    ada = API(clinic, "ada@example.org")
    patient = f"/patients/{file_of(ada)}"
    asked = ada("POST", f"/patients/{file_of(ada, 'C448213')}/assignments", {"questionnaire_key": "between-sessions"})["id"]
    study = API(clinic, "lena@example.org")("GET", "/studies")[0]["id"]
    pages = {
        None: ["/login"],
        "ada@example.org": ["/", "/patients", patient, patient + "/timeline", patient + "/briefing"],
        "lena@example.org": [f"/studies/{study}"],
        "mia@example.org": ["/my", f"/my/assignments/{asked}", "/my/results"],
    }
    found, number = [], 0
    for email, paths in pages.items():
        person = visit()
        if email:
            person.sign_in(email)
        for path in paths:
            scheme, width = MODES[number % 2]
            number += 1
            person.page.emulate_media(color_scheme=scheme)
            person.page.set_viewport_size({"width": width, "height": 900})
            assert person.open(path).status == 200, path
            # The whole page at once: nothing lies behind a bar that stays where it is.
            height = person.page.evaluate("document.documentElement.scrollHeight")
            person.page.set_viewport_size({"width": width, "height": height + 100})
            found += violations(person.page, f"{path}, {scheme}, {width} px")
            over = person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over <= 0, f"{path} is {over} px too wide at {width}"
    assert found == [] and number == 10
