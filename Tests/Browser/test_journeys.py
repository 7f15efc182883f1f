"""A1: a whole course in the browser, from registering to deleting the account, in Chromium with scripts and without, and in
WebKit. Every step is looked up on the other side: by the therapist, the lead, or the API."""

import glob
import json
import re
import time
import urllib.error
import urllib.request

import pytest
from browsers import PHONE, Chromium, WebKit, close, patience, webkit
from conftest import PASSWORD, ROOT, serving
from playwright.sync_api import expect

# A questionnaire with conditions that belongs to somebody else; without it the one of the demonstration.
REAL = ROOT.parent / "shared/instruments/isf-k.json"
SECRET = "vier Wörter ohne jeden Sinn"


class API:
    def __init__(self, address, email, password=PASSWORD):
        self.address, self.token = address, None
        self.token = self("POST", "/auth/login", {"email": email, "password": password})["attributes"]["token"]

    def __call__(self, method, path, body=None, language="de", **more):
        headers = {"Content-Type": "application/json", "Accept-Language": language, **more}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(
            self.address + "/api/v1" + path, json.dumps(body).encode() if body is not None else None, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text)["data"] if text else None


def eventually(wanted, seconds=30):
    """What was asked for, as soon as it is there. A look takes as long as a request does, and no other pause is needed."""
    end = time.monotonic() + patience(seconds)
    while not (found := wanted()):
        assert time.monotonic() < end, "it never came"
    return found


def file_of(therapist, codename="C020480"):
    """A patient's file, as the therapist's calls name it."""
    patients = therapist("GET", "/patients?limit=200")
    return next(patient["id"] for patient in patients if patient["attributes"]["codename"] == codename)


def link_in_mail(data, email, path):
    """Where the mail leads to that an address got: mails are written before a page says that they were."""
    mails = [open(name, encoding="utf-8").read() for name in glob.glob(f"{data}/outbox/*.eml")]
    mail = next(mail for mail in mails if email in mail)
    return re.search(re.escape(path) + r"\?token=[\w-]+", mail.replace("=\n", "").replace("=3D", "=")).group()


def fill_in(page, choice=0):
    """One group a screen, on a phone one question, the same choice everywhere, up to the thanks."""
    for _ in range(40):
        if page.locator("button[value=send]").count():
            break
        for question in page.locator("main fieldset:visible:has(input[type=radio])").all():
            question.locator("input[type=radio]").nth(choice).check()
        for number in page.locator("main form input[data-number]:visible").all():
            number.fill(number.get_attribute("data-minimum") or "1")
        with page.expect_navigation():
            page.locator("main .answer__bar .button--primary").click()
    page.click("button[value=send]")
    expect(page.locator("main")).to_contain_text("Vielen Dank")


@pytest.fixture(scope="module")
def practice(tmp_path_factory):
    """A clinic whose mails lie in a folder."""
    data = tmp_path_factory.mktemp("practice")
    found = [REAL] if REAL.exists() else []
    with serving("optional", str(data), "--outbox", questionnaires=found) as address:
        yield address, data, "isf-k" if found else "between-sessions"


@pytest.fixture(params=["scripts", "no-scripts", "webkit"])
def engine(request, chromium):
    if request.param == "webkit":
        with webkit() as driver:
            yield WebKit(driver)
        return
    scripts = request.param == "scripts"
    context = chromium.new_context(java_script_enabled=scripts, locale="de-AT", **PHONE)
    yield Chromium(context.new_page(), scripts)
    close(context)


class Course:
    """One person's way."""

    def __init__(self, engine, address, data, key, name):
        self.it, self.address, self.data = engine, address, data
        self.email = f"{name}@example.org"
        self.ada, self.lena = API(address, "ada@example.org"), API(address, "lena@example.org")
        self.patient = self.own = None
        self.key, self.name = key, name

    def open(self, path):
        self.it.open(self.address + path)

    def send(self):
        self.it.click("main form .button--primary")

    def registers(self):
        self.open("/register")
        self.it.fill("#email", self.email)
        self.it.fill("#password", SECRET)
        self.it.fill("#password_confirmation", SECRET)
        self.it.check("#privacy_accepted")
        self.it.check("#research_consent")
        self.send()
        assert "/register/confirmation" in self.it.address
        self.open(link_in_mail(self.data, self.email, "/verify-email"))
        self.send()
        self.open("/login")
        self.it.fill("#email", self.email)
        self.it.fill("#password", SECRET)
        self.send()
        assert self.it.address.endswith("/my")
        self.own = API(self.address, self.email, SECRET)
        assert self.own("GET", "/my/privacy")["attributes"]["research_consent"] is True

    def pairs_from_the_sheet(self):
        self.patient = self.ada("POST", "/patients", {})["id"]
        code = self.ada("GET", f"/patients/{self.patient}")["attributes"]["pairing_code"]["code"].replace(" ", "")
        self.open(f"/pair#{code}")
        if not self.it.has_scripts:
            self.it.fill("#code", code)
        assert self.it.value("#code").replace(" ", "") == code
        self.send()
        self.it.fill("#birth_date", "1990-04-01")
        self.it.choose("#gender", "female")
        self.send()
        assert self.ada("GET", f"/patients/{self.patient}")["attributes"]["state"] == "paired"

    def answers(self, path, sheets):
        """One group a screen, on a phone one question, until it can be sent."""
        self.open(path)
        for _ in range(60):
            if "send" in self.it.values("main form button[name=action]", "value"):
                break
            self.gives_answers()
            self.it.click("main .answer__bar .button--primary")
        self.it.click("button[value=send]")
        assert "/sent?sheet=" in self.it.address
        assert len(self.own("GET", "/my/contributions")) == sheets

    def gives_answers(self):
        now = "main .answer--steps .ask--now" if self.it.steps and self.it.values("main .answer--one", "class") else "main form"
        names = dict.fromkeys(self.it.values(f"{now} input[type=radio]", "name"))
        for name in names:
            value = self.it.values(f"input[type=radio][name='{name}']", "value")[-1]
            self.it.check(f"input[name='{name}'][value='{value}']")
        for name in dict.fromkeys(self.it.values(f"{now} input[type=checkbox]", "name")):
            value = self.it.values(f"input[type=checkbox][name='{name}']", "value")[0]
            self.it.check(f"input[name='{name}'][value='{value}']")
        for name in self.it.values(f"{now} input[data-number]", "name"):
            self.it.fill(f"input[name='{name}']", "1")
        for name in self.it.values(f"{now} textarea", "name"):
            self.it.fill(f"textarea[name='{name}']", "Im Bus daran gedacht.")

    def answers_with_conditions(self):
        made = self.ada("POST", f"/patients/{self.patient}/assignments", {"questionnaire_key": self.key})
        self.open("/my")
        assert f"/my/assignments/{made['id']}" in "".join(self.it.values("main a", "href"))
        self.answers(f"/my/assignments/{made['id']}", 1)
        sheets = self.ada("GET", f"/patients/{self.patient}/contributions")
        assert [sheet["attributes"]["assignment_id"] for sheet in sheets] == [made["id"]]

    def gets_a_commendation(self):
        text = self.ada("POST", "/interventions", {"kind": "commendation", "text": {"de": "Sie bleiben dran."}})["id"]
        self.ada("POST", f"/patients/{self.patient}/interventions", {"intervention_id": text})
        self.open("/my/interventions")
        # Called by its first line, and opened by nobody yet (FD-43).
        assert self.ada("GET", f"/patients/{self.patient}/interventions")[0]["attributes"]["opened_at"] is None
        self.it.click("main form[action$='/opening'] button")
        assert "Sie bleiben dran." in self.it.text()
        given = self.ada("GET", f"/patients/{self.patient}/interventions")
        assert given[0]["attributes"]["opened_at"] is not None

    def makes_an_appointment(self):
        self.open("/my/appointments/new")
        self.it.fill("#title", "Therapie")
        self.it.fill("#starts_at", "2027-11-24T09:00")
        self.it.fill("#ends_at", "2027-11-24T09:50")
        self.send()
        assert "Therapie" in self.it.text()
        visits = self.ada("GET", f"/patients/{self.patient}/appointments")
        assert [visit["attributes"]["title"] for visit in visits] == ["Therapie"]

    def takes_part_in_a_study(self):
        study = self.lena("POST", "/studies", {
            "name": self.name, "title": {"de": "Alltag"}, "running": True,
            "consent_text": {"de": "Ich nehme freiwillig teil."}})["id"]
        self.open(f"/studies/{self.name}")
        assert "Ich nehme freiwillig teil." in self.it.text()
        self.it.check("#consent_accepted")
        self.send()
        codename = self.own("GET", f"/studies/{study}/enrolment")["attributes"]["codename"]
        self.open("/my/studies")
        assert codename in self.it.text()
        return study

    def answers_a_prompt(self, study):
        # Asked once and for all, so that it is open at any hour.
        self.lena("POST", f"/studies/{study}/questionnaires", {
            "questionnaire_key": "wellbeing-5", "is_onetime": True, "baseline": "required"})
        asked = next(entry for entry in self.own("GET", "/my/assignments") if entry["attributes"]["source"] == "study")
        self.answers(f"/my/assignments/{asked['id']}", 2)
        participants = self.lena("GET", f"/studies/{study}/participants")
        assert participants[0]["attributes"]["last_activity_at"] is not None

    def sees_the_course(self):
        self.open("/my/results")
        shown = self.it.text()
        language = self.it.values("html", "lang")[0]
        for sheet in self.own("GET", "/my/contributions", language=language):
            assert sheet["attributes"]["title"] in shown
        assert self.it.values("main figure svg", "role") and self.it.values("main figure table, main details table", "class")

    def revokes_consent(self):
        self.open("/my/settings/privacy")
        self.it.click("main a[href$='/revocation']")
        self.it.click("main form .button--danger, main form .button--primary")
        assert self.own("GET", "/my/privacy")["attributes"]["research_consent"] is False

    def deletes_the_account(self, study):
        self.open("/my/settings/deletion")
        self.it.fill("#password", SECRET)
        self.it.click("main form .button--danger")
        self.it.reaches("/account-deleted")
        with pytest.raises(urllib.error.HTTPError) as refused:
            API(self.address, self.email, SECRET)
        assert refused.value.code == 401
        with pytest.raises(urllib.error.HTTPError) as gone:
            self.ada("GET", f"/patients/{self.patient}")
        assert gone.value.code == 404
        assert self.lena("GET", f"/studies/{study}/participants") == []


@pytest.mark.journey
def test_from_the_code_on_the_sheet_to_the_first_answer(visit, practice):
    """IO-1, IO-8: a code on paper, an account, and the first questionnaire is with the therapist."""
    address, data, _ = practice
    ada = visit(address)
    ada.sign_in()
    ada.open("/patients/new")
    ada.page.click("main .button--primary")
    code = ada.page.locator(".ticket__code").inner_text()
    patient = ada.page.url.removeprefix(address).removesuffix("/pairing-sheet")
    ada.assign(patient, "wellbeing-5")
    person = visit(address, **PHONE)
    page = person.page
    person.open("/pair")
    page.fill("#code", code)
    page.click("main form button")
    page.click("text=Konto anlegen")
    page.fill("#email", "erste@example.org")
    page.fill("#password", PASSWORD)
    page.fill("#password_confirmation", PASSWORD)
    page.check("#privacy_accepted")
    page.click("main form button")
    page.wait_for_url("**/register/confirmation")
    person.open(link_in_mail(data, "erste@example.org", "/verify-email"))
    page.click("main form button")
    page.get_by_role("link", name="Anmelden").click()
    page.fill("#email", "erste@example.org")
    page.fill("#password", PASSWORD)
    page.click("main form button")
    # The code of the sheet has waited all the way.
    page.fill("#birth_date", "1990-04-12")
    page.select_option("#gender", "female")
    page.click("main form button")
    page.wait_for_url("**/my")
    page.locator("main a[href^='/my/assignments/']", has_text="Wohlbefinden").click()
    fill_in(page, 3)
    ada.open(patient + "/timeline?kind=contribution")
    # Five times three, four times over.
    expect(ada.page.locator(".entry__score")).to_have_text("Wohlbefinden 60")
    assert person.complaints == [] and person.elsewhere == []


@pytest.mark.journey
def test_an_administrator_invites_and_the_invited_works(visit, practice):
    """IO-1, PR-21: the mail leads to a password of one's own, and with it to the own desk."""
    address, data, _ = practice
    uma = visit(address)
    uma.sign_in("uma@example.org")
    uma.open("/admin/accounts/new")
    uma.page.fill("#name", "Ines Amann")
    uma.page.fill("#email", "ines@example.org")
    uma.page.check("#role-therapist")
    uma.page.click("main form button")
    row = uma.page.locator("tr", has_text="Ines Amann")
    expect(row).to_contain_text("eingeladen")
    ines = visit(address)
    ines.open(link_in_mail(data, "ines@example.org", "/password/reset"))
    ines.page.fill("#password", PASSWORD)
    ines.page.fill("#password_confirmation", PASSWORD)
    ines.page.click("main form button")
    ines.page.locator("main form").wait_for(state="detached")
    ines.sign_in("ines@example.org")
    ines.page.wait_for_url(address + "/")
    expect(ines.page.locator("h1")).to_have_text("Heute")
    uma.page.reload()
    expect(row).to_contain_text("aktiv")
    assert ines.complaints == [] and ines.elsewhere == []


def test_a1_from_registering_to_deleting(engine, practice, request):
    name = "weg-" + re.sub(r"[^a-z]", "", request.node.callspec.id)
    course = Course(engine, *practice, name)
    course.registers()
    course.pairs_from_the_sheet()
    course.answers_with_conditions()
    course.gets_a_commendation()
    course.makes_an_appointment()
    study = course.takes_part_in_a_study()
    course.answers_a_prompt(study)
    course.sees_the_course()
    course.revokes_consent()
    course.deletes_the_account(study)
