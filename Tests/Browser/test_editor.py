"""A questionnaire from nothing to its score, with and without JavaScript."""

import datetime
import json
import re
import urllib.request
import uuid

import pytest
from accessibility import violations
from browsers import until

PASSWORD = "zwischen den Sitzungen"


def call(address, method, path, body=None, token=None):
    request = urllib.request.Request(address + "/api/v1" + path, method=method)
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", "Bearer " + token)
    with urllib.request.urlopen(request, json.dumps(body).encode() if body is not None else None) as answer:
        return json.loads(answer.read())["data"]


def field(page, name):
    return page.locator(f"[id='{name}']")


def press(page, value):
    """Presses a button of the editor and waits until its work is on the page."""
    before = page.locator("input[name=revision]").get_attribute("value")
    page.locator(f"button[value='{value}']:not(.implicit)").first.click()
    until(page, "before => ![undefined, before].includes(document.querySelector('input[name=revision]')?.value)", before)


def write(page, address, key):
    """Two sections, the second on a condition, and a scale with a reversed item."""
    page.goto(address + "/questionnaires/new")
    page.fill("#title_de", "Schlaf")
    page.fill("#title_en", "Sleep")
    page.fill("#key", key)
    page.click("main form button")
    page.wait_for_selector(".editor")
    draft = page.url
    page.click("text=Abschnitt 1")
    page.wait_for_selector(".question")
    question = "sections.0.questions.0"
    field(page, question + ".text.de").fill("Haben Sie geschlafen?")
    field(page, question + ".text.en").fill("Did you sleep?")
    field(page, question + ".key").fill("slept")
    press(page, f"own:{question}")
    for number, (german, english) in enumerate([("nein", "no"), ("ja", "yes")]):
        if number:
            press(page, f"add:{question}.options")
        field(page, f"{question}.options.{number}.text.de").fill(german)
        field(page, f"{question}.options.{number}.text.en").fill(english)
    press(page, "save")
    page.goto(draft)
    page.click("text=Abschnitt hinzufügen")
    page.wait_for_url("**/sections/2*")
    press(page, "condition:sections.1.visible_if")
    field(page, "sections.1.visible_if.question").select_option("slept")
    field(page, "sections.1.visible_if.value").fill("1")
    for number, (key_, german, english) in enumerate(
            [("deep", "Wie tief?", "How deep?"), ("broken", "Wie oft wach?", "How often awake?")]):
        press(page, "add:sections.1.questions")
        question = f"sections.1.questions.{number}"
        field(page, question + ".text.de").fill(german)
        field(page, question + ".text.en").fill(english)
        field(page, question + ".key").fill(key_)
        if number == 0:
            field(page, question + ".type").select_option("slider")
            # With scripts the page asks for the slider's fields by itself, without them the button does.
            if not page.evaluate("() => !!document.querySelector('script') && window.isScripted"):
                press(page, "save")
            page.wait_for_selector(f"[id='{question}.step']")
        field(page, question + ".maximum").fill("10")
    press(page, "save")
    page.goto(draft)
    page.click("text=Skala hinzufügen")
    page.wait_for_url("**/scales/1*")
    field(page, "scales.0.title.de").fill("Guter Schlaf")
    field(page, "scales.0.title.en").fill("Good sleep")
    for key_ in ("deep", "broken"):
        page.check(f"input[name=items][value={key_}]")
    page.check("input[name=reversed][value=broken]")
    page.locator("button[value=close]").click()
    page.wait_for_url(lambda url: "/scales/" not in url)
    return draft


@pytest.mark.parametrize("scripts", [True, False])
def test_io_8_a_questionnaire_from_nothing_to_its_score(visit, clinic, scripts):
    visitor = visit(java_script_enabled=scripts)
    page = visitor.page
    if scripts:
        page.add_init_script("window.isScripted = true")
    visitor.sign_in()
    page.wait_for_url(clinic + "/")
    key = f"schlaf{int(scripts)}"
    draft = write(page, clinic, key)

    page.goto(draft + "/preview")
    hidden = page.locator(".phone__part[hidden]")
    assert hidden.count() == 1
    page.check("[id='answers.slept.1']")
    if not scripts:
        page.click(".phone__refresh")
    assert hidden.count() == 0
    page.fill("[id='answers.deep.number']", "8")
    page.fill("[id='answers.broken.number']", "3")
    if scripts:
        assert page.locator(".phone__progress").inner_text() == "3 von 3"
    page.click("button[value=try]")
    page.wait_for_selector("#result")
    assert "7,5" in page.locator("#result").inner_text()
    page.goto(draft + "/preview?text=en")
    assert "Did you sleep?" in page.content()

    page.goto(draft)
    page.locator("button[value=publish]").click()
    page.wait_for_selector("text=in Gebrauch")
    patient = visitor.open_patient("C448213")
    visitor.assign(patient, key)

    token = call(clinic, "POST", "/auth/login", {"email": "mia@example.org", "password": PASSWORD})["attributes"]["token"]
    open_ones = call(clinic, "GET", "/my/assignments", token=token)
    assignment = next(a for a in open_ones if a["attributes"]["questionnaire_key"] == key)
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    sheet = {"assignment_id": assignment["id"], "started_at": now, "completed_at": now, "timezone": "Europe/Vienna",
             "answers": {"slept": 1, "deep": 8, "broken": 3}}
    sent = call(clinic, "PUT", f"/my/contributions/{uuid.uuid4()}", sheet, token)
    assert list(sent["attributes"]["scores"].values()) == [7.5]

    visitor.open(f"{patient}/contributions?questionnaire_key={key}")
    sheets = page.locator("tbody:visible", has_text="2 von 2").first
    assert "7,5" in sheets.inner_text()
    sheets.locator("a").first.click()
    page.wait_for_selector("text=Wie tief?")
    assert visitor.complaints == []


def test_the_editor_keeps_what_was_typed_and_the_focus_follows(visit, clinic):
    visitor = visit()
    page = visitor.page
    visitor.sign_in()
    page.wait_for_url(clinic + "/")
    page.goto(clinic + "/questionnaires/new")
    page.fill("#title_de", "Fokus")
    page.fill("#key", "fokus")
    page.click("main form button")
    page.wait_for_selector(".editor")
    page.goto(page.url + "/sections/1")
    field(page, "sections.0.questions.0.text.de").fill("bleibt stehen")
    press(page, "add:sections.0.questions")
    assert field(page, "sections.0.questions.0.text.de").input_value() == "bleibt stehen"
    assert page.evaluate("document.activeElement.closest('.question')?.id") == "sections.0.questions.1"
    press(page, "up:sections.0.questions.1")
    assert field(page, "sections.0.questions.1.text.de").input_value() == "bleibt stehen"
    assert page.evaluate("document.activeElement.closest('.question')?.id") == "sections.0.questions.0"
    assert visitor.complaints == []


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(visit, clinic, tmp_path):
    large = tmp_path / "large.json"
    large.write_text("x" * 5_000_000)
    visitor = visit()
    visitor.sign_in()
    visitor.page.wait_for_url(clinic + "/")
    visitor.open("/questionnaires/import")
    visitor.page.set_input_files("#file", large)
    message = visitor.page.evaluate("document.querySelector('#file').validationMessage")
    assert re.search("1 MB", message)


STANDARD = "http://hl7.org/fhir/StructureDefinition/"


def form(title, url, name="Night"):
    """A form as another program would write it, with parts that do not come in."""
    hidden = {"url": STANDARD + "questionnaire-hidden", "valueBoolean": True}
    options = [
        {"valueCoding": {"system": "http://loinc.org", "code": f"LA{i}-8", "display": words},
         "extension": [{"url": STANDARD + "itemWeight", "valueDecimal": i * 2}]}
        for i, words in enumerate(["Nie", "Manchmal", "Immer"])]
    return {
        "resourceType": "Questionnaire", "status": "active", "language": "de", "title": title, "url": url, "name": name,
        "item": [
            {"linkId": "g", "type": "group", "text": "Über die Nacht", "item": [
                {"linkId": "g.1", "type": "choice", "text": "Lagen Sie wach?", "required": True, "answerOption": options},
                {"linkId": "g.2", "type": "decimal", "text": "Wie lange?", "extension": [
                    {"url": STANDARD + "questionnaire-unit", "valueCoding": {"code": "h", "display": "Stunden"}}]},
                {"linkId": "g.3", "type": "choice", "text": "Welches Mittel?", "answerValueSet": "http://a.example/drugs"}]},
            {"linkId": "s.1", "type": "string", "text": "Station", "extension": [hidden]}],
    }


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_rp_5_and_12_an_import_asks_whose_form_it_is_and_says_what_came_in(visit, clinic, tmp_path, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    visitor.sign_in()
    page = visitor.page
    page.wait_for_url(clinic + "/")
    name = f"Night{uuid.uuid4().hex[:8]}"
    for title, where in [("Nacht", "first"), ("Eine andere Nacht", "second")]:
        file = tmp_path / f"{where}.json"
        file.write_text(json.dumps(form(title, f"https://a.example/{name}/{where}", name)))
        visitor.open("/questionnaires/import")
        page.set_input_files("#file", file)
        page.click("button[value=publish]")
        if where == "second":
            page.wait_for_selector("#as")
            assert f"https://a.example/{name}/first" in page.text_content("main")
            assert violations(page, "asked") == []
            page.select_option("#as", "new")
            page.click("button[value=publish]")
        page.wait_for_selector(".taken")
        became = page.eval_on_selector_all(
            ".taken__item", "all => all.map(one => one.querySelector('code').textContent + one.querySelector('.badge').className)")
        assert [line.replace("badge badge--", " ") for line in became] == ["g good", "g.1 good", "g.2 warn", "g.3 danger", "s.1 danger"]
        assert page.locator(".phone").get_by_text("Wie lange? (Stunden)").count() == 1
        assert page.locator(".phone").get_by_text("Station").count() == 0
        values = page.eval_on_selector_all("[name='answers.g.1']", "all => all.map(one => one.value)")
        assert values == ["0", "2", "4"]
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0
        assert violations(page, "imported") == []
    assert f"{name}_2" in page.text_content("main")
    # What is tried here goes to the preview, which has its scores.
    page.locator("[name='answers.g.1']").first.check()
    page.click(".phone button[value=try]")
    page.wait_for_url("**/preview?**")
    # The browser itself remarks that the page which asks is a 409.
    assert [words for words in visitor.complaints if "409" not in words] == []
