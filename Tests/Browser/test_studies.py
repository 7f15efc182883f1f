"""The pages of study leads in a real browser, and the files they get, read by another program."""

import csv
import datetime
import io
import json

import pandas
import pytest
from accessibility import violations
from browsers import MODES, PHONE, today
from conftest import PASSWORD
from playwright.sync_api import expect
from test_journeys import API, fill_in


def study(visitor):
    visitor.sign_in("lena@example.org")
    assert visitor.page.url.endswith("/studies")
    return visitor.page.locator("main .table a", has_text="Tinnitus").first.get_attribute("href")


@pytest.mark.parametrize(("scheme", "width"), MODES)
def test_j1_the_pages_of_study_leads(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    path = study(visitor)
    visitor.open(path + "/questionnaires")
    item = visitor.page.locator("main .rows a").first.get_attribute("href")
    ends = ["", "/edit", "/questionnaires", "/groups", "/participants", "/invitations", "/compliance", "/results",
            "/export"]
    visitor.open(path + "/participants")
    person = visitor.page.locator("tbody th a").first.get_attribute("href")
    visitor.open(person)
    paper = visitor.page.locator("main a[href*='/paper/']").first.get_attribute("href")
    found = []
    for place in ["/studies", "/studies/new", item, person, paper, path + "/time-points/new", *[path + end for end in ends]]:
        assert visitor.open(place).status == 200, place
        found += violations(visitor.page, place)
        over = visitor.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{place} is {over} px too wide at {width}"
    assert found == [] and visitor.complaints == [] and visitor.elsewhere == []


@pytest.mark.parametrize("scripts", [True, False])
def test_tys_1_a_study_from_nothing_to_its_first_prompt(visit, scripts):
    visitor = visit(java_script_enabled=scripts)
    study(visitor)
    page = visitor.page
    page.click("text=Neue Studie")
    page.fill("#name", f"browser-{scripts}".lower())
    page.fill("#title_de", "Im Browser angelegt")
    page.fill("#consent_text_de", "Ich nehme teil.")
    page.click("main .button--primary")
    page.select_option("#questionnaire_key", "wellbeing-5")
    page.select_option("#type", "between")
    for name, value in [("amount", "3"), ("start", "09:00"), ("end", "09:30")]:
        page.fill(f"#{name}", value)
    page.click("main .button--primary")
    # Three do not fit into half an hour; nothing that was typed is lost.
    assert page.locator("#amount-error").is_visible() and page.input_value("#start") == "09:00"
    page.fill("#end", "21:00")
    page.click("main .button--primary")
    assert page.locator(".pairs dt").count() >= 27
    page.click(".tabs__entry >> nth=0")
    page.click("text=Starten")
    assert "läuft" in page.inner_text(".facts")


@pytest.mark.parametrize("scripts", [True, False])
def test_st_1_what_stands_at_a_time_point_is_asked_by_a_date_that_the_lead_enters(visit, clinic, scripts):
    lena, own = API(clinic, "lena@example.org"), API(clinic, "ida@example.org")
    name = f"zeitpunkte-{scripts}".lower()
    study = lena("POST", "/studies", {
        "name": name, "title": {"de": "Nach der Operation"}, "running": True, "consent_text": {"de": "Ich nehme teil."}})["id"]
    lead = visit(java_script_enabled=scripts)
    lead.sign_in("lena@example.org")
    page = lead.page
    lead.open(f"/studies/{study}/questionnaires")
    page.click("text=Zeitpunkt anlegen")
    page.fill("#title_de", "Eine Woche danach")
    page.select_option("#anchor", "lead")
    for field, value in [("day", "7"), ("before", "2"), ("after", "x")]:
        page.fill(f"#{field}", value)
    page.click("main .button--primary")
    assert page.locator("#after-error").is_visible() and page.input_value("#title_de") == "Eine Woche danach"
    page.fill("#after", "2")
    page.click("main .button--primary")
    assert "Tag 5 bis 9 ab dem eingetragenen Datum" in page.inner_text("main")
    page.select_option("#questionnaire_key", "wellbeing-5")
    page.select_option("#time_point", "t0")
    page.click("main .button--primary")
    own("POST", f"/studies/{study}/enrolment", {"consent_accepted": True})
    codename = own("GET", f"/studies/{study}/enrolment")["attributes"]["codename"]
    before = {one["id"] for one in own("GET", "/my/assignments")}
    lead.open(f"/studies/{study}/participants/{codename}")
    assert "noch kein Datum" in page.inner_text("main table")
    page.fill("input[name=date]", (today() - datetime.timedelta(days=6)).isoformat())
    page.click("form[action*='/anchors/'] button")
    assert "0 von 1" in page.inner_text("main table")
    [asked] = {one["id"] for one in own("GET", "/my/assignments")} - before
    ida = visit(java_script_enabled=scripts, **PHONE)
    ida.sign_in("ida@example.org")
    ida.open(f"/my/assignments/{asked}")
    fill_in(ida.page, 2)
    page.reload()
    assert "1 von 1" in page.inner_text("main table")
    assert ida.complaints == [] and [one for one in lead.complaints if "422" not in one] == []


@pytest.mark.parametrize("scripts", [True, False])
def test_io_21_groups_invitations_and_paper(visit, scripts):
    visitor = visit(java_script_enabled=scripts)
    study(visitor)
    page = visitor.page
    page.click("text=Neue Studie")
    page.fill("#name", f"gruppen-{scripts}".lower())
    page.fill("#title_de", "Mit Gruppen")
    page.fill("#consent_text_de", "Ich nehme teil.")
    page.click("main .button--primary")
    page.select_option("#questionnaire_key", "wellbeing-5")
    page.click("main .button--primary")
    page.click(".tabs__entry >> text=Gruppen")
    page.select_option("#allocation", "randomised")
    page.fill("#size", "3")
    page.click("main .button--primary")
    # Nothing that was typed is lost, and every error stands at its field.
    assert page.input_value("#size") == "3" and page.locator("#size-error").is_visible()
    assert page.locator("#outcome_1-error").is_visible()
    page.fill("#size", "4")
    page.select_option("#outcome_1", "wellbeing-5/wellbeing")
    page.fill("#outcome_1_day", "84")
    page.check("#outcome_1_primary")
    page.fill("#site_1_name", "Ulm")
    page.fill("#site_1_email", "ada@example.org")
    page.click("main .button--primary")
    assert "0 von 120" in page.inner_text("main .lead") and page.input_value("#site_1_name") == "Ulm"
    page.click(".tabs__entry >> text=Teilnehmende")
    page.click("text=Einladungen")
    page.fill("#amount", "3")
    page.click("main .button--primary")
    codes = page.locator(".codes code").all_inner_texts()
    assert len(set(codes)) == 3 and all(len(code.replace(" ", "")) == 10 for code in codes)
    # Paper of somebody in the demonstration study.
    page.goto(visitor.address + "/studies")
    page.click("main .table a >> text=Tinnitus")
    page.click(".tabs__entry >> text=Teilnehmende")
    page.locator("tbody tr", has_text="nimmt teil").locator("th a").first.click()
    page.locator("main a[href*='/paper/']", has_text="Tinnitus").click()
    page.click("main .button--primary")
    assert page.locator(".field__error").count() > 2
    for row in page.locator("fieldset.ask").all():
        if row.locator("input[type=radio]").count():
            row.locator("input[type=radio]").first.check()
        else:
            row.locator("input").first.fill("40")
    page.click("main .button--primary")
    assert "von Papier" in page.inner_text("main") and visitor.elsewhere == []


@pytest.mark.parametrize("scripts", [True, False])
def test_fd_23_what_the_therapist_offers_is_asked_suggested_and_answered(visit, scripts):
    """Paired, closed, opened again: still suggested. The leads' answer is a notice."""
    name = f"vorschlag-{scripts}".lower()
    title = f"Vorschlag {scripts}"
    lead = visit(java_script_enabled=scripts)
    study(lead)
    lead.page.click("text=Neue Studie")
    lead.page.fill("#name", name)
    lead.page.fill("#title_de", title)
    lead.page.fill("#consent_text_de", "Ich nehme freiwillig teil.")
    lead.page.select_option("#access", "request")
    lead.page.click("main .button--primary")
    lead.page.select_option("#questionnaire_key", "wellbeing-5")
    lead.page.click("main .button--primary")
    lead.page.click(".tabs__entry >> nth=0")
    lead.page.click("text=Starten")
    therapist = visit(java_script_enabled=scripts)
    therapist.sign_in()
    therapist.open("/patients/new")
    therapist.page.select_option("#study_id", label=title)
    therapist.page.click("main .button--primary")
    patient = therapist.page.url.removeprefix(therapist.address).removesuffix("/pairing-sheet")
    therapist.open(patient + "/pairing-sheet")
    code = therapist.page.locator(".ticket__code").first.inner_text()
    email = f"teilnahme-{3 if scripts else 8}@example.org"

    def arrive():
        person = visit(java_script_enabled=scripts, **PHONE)
        person.sign_in(email)
        return person

    person = visit(java_script_enabled=scripts, **PHONE)
    person.open("/pair")
    person.page.fill("#code", code)
    person.page.click("main form button")
    person.page.fill("#email", email)
    person.page.fill("#password", PASSWORD)
    person.page.click("main form button")
    person.page.fill("#birth_date", "1990-04-12")
    person.page.select_option("#gender", "female")
    person.page.click("main form button")
    assert person.page.url.endswith(f"/studies/{name}")
    assert "Ihre Praxis schlägt" in person.page.inner_text("main")
    assert "Die Studienleitung entscheidet" in person.page.inner_text("main")
    person.page.click("text=Später entscheiden")
    assert person.page.url.endswith("/my")
    person.page.context.close()
    person = arrive()
    person.page.click(f"main a >> text=Ihre Praxis schlägt Ihnen die Studie „{title}“ vor")
    person.open("/my/studies")
    assert "Vorschlag Ihrer Praxis" in person.page.inner_text("main")
    person.page.click(f"main a >> text={title}")
    person.page.check("#consent_accepted")
    person.page.click("main .button--primary")
    assert "angefragt" in person.page.inner_text("main")
    assert "Vorschlag Ihrer Praxis" not in person.page.inner_text("main")
    lead.page.click(".tabs__entry >> text=Teilnehmende")
    lead.page.locator("button[value=accept]").click()
    lead.page.wait_for_selector(".flash")
    person.open("/my")
    person.page.click("text=Eine Mitteilung für Sie")
    assert f"in die Studie „{title}“ aufgenommen" in person.page.inner_text("main")
    for visitor in [lead, therapist, person]:
        assert visitor.complaints == [] and visitor.elsewhere == []


@pytest.mark.journey
def test_io_20_from_enrolling_to_the_file_that_pandas_reads(visit, clinic):
    lena, own = API(clinic, "lena@example.org"), API(clinic, "ida@example.org")
    study = lena("POST", "/studies", {
        "name": "zur-datei", "title": {"de": "Bis zur Datei"}, "running": True, "consent_text": {"de": "Ich nehme freiwillig teil."}})["id"]
    # Asked once and for all, so that it is open at any hour.
    lena("POST", f"/studies/{study}/questionnaires", {"questionnaire_key": "wellbeing-5", "is_onetime": True, "baseline": "required"})

    def prompts():
        return {one["id"] for one in own("GET", "/my/assignments") if one["attributes"]["questionnaire_key"] == "wellbeing-5"}

    before = prompts()
    ida = visit(**PHONE)
    ida.sign_in("ida@example.org")
    ida.open("/studies/zur-datei")
    ida.page.check("#consent_accepted")
    ida.page.click("main form .button--primary")
    expect(ida.page.locator("main")).to_contain_text(own("GET", f"/studies/{study}/enrolment")["attributes"]["codename"])
    [asked] = prompts() - before
    ida.open(f"/my/assignments/{asked}")
    fill_in(ida.page, 3)
    lead = visit()
    lead.sign_in("lena@example.org")
    lead.open(f"/studies/{study}/export")
    frame = pandas.read_csv(export(lead.page, "csv"), encoding="utf-8-sig")
    answers = frame[frame["kind"] == "answer"]
    assert set(answers["participant"]) == {own("GET", f"/studies/{study}/enrolment")["attributes"]["codename"]}
    assert dict(zip(answers["item"], answers["value"])) == dict.fromkeys(["enjoyed", "calm", "energy", "slept", "company"], 3)
    assert ida.complaints == [] and lead.complaints == []


def export(page, form):
    """Where the file lies that was asked for and loaded down."""
    page.check(f"#format-{form}")
    page.fill("#password", PASSWORD)
    page.click("main form .button--primary")
    # The page asks again by itself until the file is ready.
    link = page.get_by_role("link", name="Herunterladen", exact=True)
    link.wait_for()
    with page.expect_download() as download:
        link.click()
    return download.value.path()


def test_io_20_the_file_says_what_the_screen_says(visit):
    visitor = visit()
    path = study(visitor)
    page = visitor.page
    visitor.open(path + "/participants")
    shown = {
        row.locator("th").inner_text(): row.locator("td").nth(3).inner_text()
        for row in page.locator("tbody tr").all() if "nimmt teil" in row.inner_text()
    }
    files = {}
    for form in ["csv", "json", "wide-de", "codebook"]:
        visitor.open(path + "/export")
        files[form] = open(export(page, form), encoding="utf-8-sig", newline="").read()
    rows = list(csv.DictReader(io.StringIO(files["csv"])))
    occasions = {}
    for row in rows:
        occasions[row["participant"], row["questionnaire"], row["occasion"]] = row
    for codename, answered in shown.items():
        kinds = [row["kind"] for (person, _, _), row in occasions.items() if person == codename and row["prompted_at"]]
        # What could not be seen was neither asked nor missed.
        paused = kinds.count("paused")
        asked = len(kinds) - paused
        words = f"{asked - kinds.count('missed')} von {asked}"
        assert answered == (f"{words}, {paused} in einer Pause" if paused else words), codename
    told = json.loads(files["json"])
    assert told["manifest"]["participants"] == len(shown) == len(told["participants"])
    assert len(told["occasions"]) == len(occasions)
    values = {
        (line["participant"], line["questionnaire"], str(line["occasion"]), key): value
        for line in told["occasions"] for key, value in (line["answers"] or {}).items()
    }
    answers = [row for row in rows if row["kind"] == "answer"]
    assert len(answers) == len(values) > 500
    for row in answers:
        value = values[row["participant"], row["questionnaire"], row["occasion"], row["item"]]
        assert (float(row["value"]) if row["value"] else None) == value
    wide = list(csv.DictReader(io.StringIO(files["wide-de"]), delimiter=";"))
    assert len(wide) == len(occasions)
    book = {}
    for row in csv.DictReader(io.StringIO(files["codebook"])):
        book[row["questionnaire"], row["item"]] = row["variable"]
    places = {(row["participant"], row["questionnaire"], row["occasion"]): row for row in wide}
    for row in answers:
        found = places[row["participant"], row["questionnaire"], row["occasion"]]
        assert found[book[row["questionnaire"], row["item"]]].replace(",", ".") == row["value"]
