"""The first impression: edges, frames of what can be tapped, and type, as Chromium draws them."""

import re

import pytest
from accessibility import violations
from test_large_text import large

WIDTHS = [390, 1280]

# Frames of controls below 3:1 to the ground they stand on, as they are drawn: colours of any notation become those of a screen.
FRAMES = """() => {
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })
  const shown = (colour) => {
    pixel.clearRect(0, 0, 1, 1)
    pixel.fillStyle = colour
    pixel.fillRect(0, 0, 1, 1)
    return pixel.getImageData(0, 0, 1, 1).data
  }
  const light = (colour) => {
    const [red, green, blue] = [...shown(colour)].map((it) => it / 255).map((it) => it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const ground = (it) => {
    for (let at = it.parentElement; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor
      if (shown(colour)[3] === 255) return colour
    }
    return "Canvas"
  }
  const taps = "button, a.button, .field__input, .segments, .choices__entry, .pick, .ask__choice, .ask__step"
  return [...document.querySelectorAll(taps)].filter((it) => it.checkVisibility()).flatMap((it) => {
    const style = getComputedStyle(it)
    if (style.borderTopStyle === "none" || parseFloat(style.borderTopWidth) === 0 || shown(style.borderTopColor)[3] === 0) return []
    const two = [light(style.borderTopColor), light(ground(it))].sort((one, other) => other - one)
    const ratio = (two[0] + 0.05) / (two[1] + 0.05)
    return ratio < 3 ? [`${it.outerHTML.slice(0, 120)}: ${ratio.toFixed(2)}`] : []
  })
}"""

# Where head, content and foot begin and end, in whole pixels.
EDGES = """() => ["header", "main", "footer"].map((name) => {
  const it = document.querySelector(name)
  const box = it.getBoundingClientRect()
  const style = getComputedStyle(it)
  return [box.left + parseFloat(style.paddingLeft), box.right - parseFloat(style.paddingRight)].map(Math.round).join(" to ")
})"""


@pytest.mark.parametrize("width", WIDTHS)
def test_impression_1_the_pages_before_signing_in_share_their_edges(visit, width):
    visitor = visit(viewport={"width": width, "height": 844})
    found = {}
    for path in ["/", "/login", "/register", "/pair", "/info/help", "/nothing"]:
        visitor.open(path)
        found[path] = visitor.page.evaluate(EDGES)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, path
    assert len({edge for edges in found.values() for edge in edges}) == 1, found


@pytest.mark.parametrize("scripts", [True, False])
def test_impression_1_the_code_comes_first_by_keyboard_and_without_scripts(visit, scripts):
    visitor = visit(java_script_enabled=scripts, viewport={"width": 390, "height": 844})
    visitor.open("/")
    page = visitor.page
    code = page.get_by_label("Ich habe einen Code von meiner Praxis")
    box = code.bounding_box()
    assert box["y"] + box["height"] < 844, "the code is in sight without scrolling"
    code.press_sequentially("3942 0603")
    code.press("Enter")
    page.wait_for_url("**/login?next=/my/pairing")
    assert "Ihr Code ist notiert" in page.inner_text("main")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_impression_1_axe_finds_nothing_on_the_first_page(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 844})
    visitor.open("/")
    assert violations(visitor.page, "/", None) == []
    large(visitor.page)
    visitor.open("/")
    assert visitor.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(visitor.page, "/ at twice the size", None) == [] and visitor.complaints == []


# What can be tapped of the frame on a phone and is smaller than a thumb, or out of sight.
SMALL = """(where) => [...document.querySelectorAll(where)].filter((it) => it.checkVisibility()).flatMap((it) => {
  const box = it.getBoundingClientRect()
  return box.width < 44 || box.height < 44 || box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight
    ? [`${it.textContent.trim()}: ${JSON.stringify(box)}`] : []
})"""

BAR = ".navigation :is(a, button)"
TOOLS = ".frame__side .brand, .frame__tool"
MORE = "#more-places :is(a, button)"
# Each kind of account: a page in the bar, and one behind "More".
STAFF = {
    "ada@example.org": ("/patients", "Patienten", "/rules"),
    "lena@example.org": ("/studies", "Studien", "/interventions"),
    "uma@example.org": ("/admin/accounts", "Konten", "/profile"),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("email", STAFF)
def test_impression_2_the_places_of_staff_are_in_the_thumb_s_reach(visit, email, scheme):
    path, label, behind = STAFF[email]
    for width in (320, 390):
        visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 844})
        visitor.sign_in(email)
        visitor.open(path)
        page = visitor.page
        more = page.get_by_role("button", name="Mehr")
        assert page.evaluate(SMALL, f"{BAR}, {TOOLS}") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".navigation").bounding_box()["y"] + page.locator(".navigation").bounding_box()["height"] == 844
        assert [it.inner_text() for it in page.locator(f"{BAR}[aria-current]:visible").all()] == [label]
        assert violations(page, path, None) == []
        more.click()
        assert page.evaluate(SMALL, MORE) == []
        assert violations(page, f"{path} with more", None) == []
        page.locator(f"#more-places a[href='{behind}']").click()
        page.wait_for_url(visitor.address + behind)
        assert [it.inner_text() for it in page.locator(f"{BAR}[aria-current]:visible").all()] == ["Mehr"]
        assert visitor.complaints == []


def test_impression_2_more_opens_by_keyboard_above_the_bar_and_gives_the_focus_back(visit):
    visitor = visit(viewport={"width": 390, "height": 844})
    visitor.sign_in()
    visitor.open("/patients")
    page = visitor.page
    page.get_by_role("button", name="Mehr").focus()
    page.keyboard.press("Enter")
    sheet, bar = page.locator("#more-places").bounding_box(), page.locator(".navigation").bounding_box()
    assert abs(sheet["y"] + sheet["height"] - bar["y"]) <= 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('#more-places').contains(document.activeElement)")
    page.keyboard.press("Escape")
    assert page.locator("#more-places").is_hidden()
    assert page.evaluate("document.activeElement.getAttribute('popovertarget')") == "more-places"


def test_impression_2_without_scripts_language_and_signing_out_are_behind_more(visit):
    visitor = visit(java_script_enabled=False, viewport={"width": 390, "height": 844})
    visitor.sign_in()
    visitor.open("/patients")
    page = visitor.page
    page.get_by_role("button", name="Mehr").click()
    page.locator("#more-places").get_by_role("button", name="English").click()
    page.wait_for_url(visitor.address + "/patients")
    assert page.get_by_role("link", name="Today").is_visible()
    page.get_by_role("button", name="Hide names").click()
    page.get_by_role("button", name="Show names").click()
    page.get_by_role("button", name="More").click()
    page.locator("#more-places").get_by_role("button", name="Deutsch").click()
    page.get_by_role("button", name="Mehr").click()
    page.get_by_role("button", name="Abmelden").click()
    page.wait_for_selector("#email, .entrance__code")


@pytest.mark.parametrize("path", ["/patients", "/profile", "/alerts", "/questionnaires/new"])
def test_impression_2_the_bar_never_covers_what_has_the_focus(visit, path):
    visitor = visit(viewport={"width": 390, "height": 700})
    visitor.sign_in()
    visitor.open(path)
    page = visitor.page
    page.locator("main").focus()
    for _ in range(50):
        page.keyboard.press("Tab")
        covered = page.evaluate("""() => {
          const one = document.activeElement
          const box = one.getBoundingClientRect()
          return document.querySelector("main").contains(one) && box.height < 300
            && box.bottom > document.querySelector(".navigation").getBoundingClientRect().top + 1
        }""")
        assert not covered, page.evaluate("document.activeElement.outerHTML")


def test_impression_2_the_bar_keeps_clear_of_the_edge_that_a_phone_needs(visit):
    visitor = visit(viewport={"width": 390, "height": 844})
    visitor.sign_in()
    page = visitor.page
    page.context.new_cdp_session(page).send("Emulation.setSafeAreaInsetsOverride", {"insets": {"bottom": 34}})
    visitor.open("/patients")
    for place in page.locator(f"{BAR}:visible").all():
        box = place.bounding_box()
        assert box["y"] + box["height"] == 844 - 34
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    foot = page.locator("footer").bounding_box()
    assert foot["y"] + foot["height"] <= page.locator(".navigation").bounding_box()["y"] + 1


def test_impression_2_at_twice_the_size_of_text_every_place_is_reached(visit):
    visitor = visit(viewport={"width": 390, "height": 844})
    visitor.sign_in()
    page = visitor.page
    large(page)
    visitor.open("/patients")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(SMALL, BAR) == []
    page.get_by_role("button", name="Mehr").click()
    page.locator("#more-places").get_by_role("button", name="Abmelden").scroll_into_view_if_needed()
    assert violations(page, "/patients at twice the size", None) == []
    wide = visit(viewport={"width": 1280, "height": 844})
    wide.sign_in()
    large(wide.page)
    wide.open("/patients")
    assert wide.page.evaluate(SMALL, BAR) == []


def test_impression_2_beside_the_page_and_on_paper_there_is_no_bar(visit):
    wide = visit(viewport={"width": 1280, "height": 844})
    wide.sign_in()
    wide.open("/patients")
    assert wide.page.get_by_role("button", name="Mehr").count() == 0
    assert wide.page.locator(".navigation").get_by_role("link").count() == 8
    assert wide.page.get_by_role("button", name="Abmelden").is_visible()
    narrow = visit(viewport={"width": 390, "height": 844})
    narrow.sign_in()
    narrow.open("/patients")
    narrow.page.emulate_media(media="print")
    assert narrow.page.locator(".navigation").is_hidden()
    assert narrow.page.evaluate("getComputedStyle(document.body).paddingBottom") == "0px"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_impression_8_frames_of_controls_reach_3_to_1(visit, scheme):
    found = {}
    for email, paths in {
        None: ["/", "/login", "/register"],
        "ada@example.org": ["/", "/patients", "/profile", "/appointments", "/questionnaires", "/alerts"],
        "lena@example.org": ["/studies"],
        "uma@example.org": ["/admin", "/admin/accounts"],
        "nina@example.org": ["/my", "/my/settings", "/my/settings/notifications", "/my/more", "/my/sounds"],
    }.items():
        visitor = visit(color_scheme=scheme)
        if email:
            visitor.sign_in(email)
        for path in paths:
            assert visitor.open(path).status == 200, path
            if faults := visitor.page.evaluate(FRAMES):
                found[path] = faults
    assert found == {}


def test_impression_8_the_whole_row_of_a_setting_leads_on(visit):
    person = visit(viewport={"width": 390, "height": 844})
    person.sign_in("nina@example.org")
    person.open("/my/settings")
    row = person.page.locator(".own__setting", has_text="Sensoren")
    box = row.bounding_box()
    row.click(position={"x": box["width"] - 10, "y": box["height"] - 10})
    person.page.wait_for_url("**/my/settings/sensors")


def test_staff_read_inter_and_participants_the_type_of_their_device(visit):
    loaded = """async () => {
      await document.fonts.ready
      return [...document.fonts].filter((it) => it.status === "loaded").map((it) => `${it.family} ${it.weight}`).sort()
    }"""
    staff = visit()
    staff.sign_in()
    staff.open("/patients")
    assert staff.page.evaluate(loaded) == ["Inter 400 500", "Inter 600 700"]
    assert staff.elsewhere == [] and staff.complaints == []
    person = visit()
    person.sign_in("nina@example.org")
    assert person.page.evaluate("document.fonts.size") == 0
    assert "Inter" not in person.page.evaluate("getComputedStyle(document.body).fontFamily")


# A patient's pages for staff.
TABS = ["", "/timeline", "/contributions", "/deliveries", "/interventions", "/appointments"]
# The first thing below the tabs.
FIRST = "document.querySelector('.tabs').nextElementSibling.getBoundingClientRect().top + scrollY"


@pytest.mark.parametrize("language", ["de", "en"])
def test_impression_3_content_begins_in_the_first_third_of_a_phone(visit, language):
    visitor = visit(viewport={"width": 390, "height": 844})
    visitor.sign_in()
    patient = visitor.open_patient()
    found = {}
    for tab in TABS:
        visitor.open(f"{patient}{tab}?lang={language}")
        found[tab] = visitor.page.evaluate(FIRST)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 390, tab
    assert max(found.values()) <= 844 / 3, found


@pytest.mark.parametrize("width", WIDTHS)
def test_impression_3_name_codename_and_alert_stay_in_sight(visit, width):
    visitor = visit(viewport={"width": width, "height": 700})
    visitor.sign_in()
    page = visitor.page
    # Six daily prompts in a row were missed, and nobody has looked at that yet.
    visitor.open(visitor.open_patient("C590047") + "/timeline")
    bar = page.locator(".patient-bar")
    words = bar.inner_text()
    assert bar.locator("h1").inner_text() in words and bar.locator(".badge--danger").is_visible()
    page.evaluate("scrollTo(0, 400)")
    box = bar.bounding_box()
    assert 0 <= box["y"] <= 1 and bar.inner_text() == words
    assert bar.locator(".badge--danger").bounding_box()["y"] < box["y"] + box["height"]


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("width", WIDTHS)
def test_impression_3_menu_and_tabs_open_by_keyboard_with_scripts_and_without(visit, width, scripts):
    visitor = visit(java_script_enabled=scripts, viewport={"width": width, "height": 844})
    visitor.sign_in()
    patient = visitor.open_patient()
    page = visitor.page
    page.get_by_role("button", name="Weitere Aktionen").focus()
    page.keyboard.press("Enter")
    entry = page.locator("#person-menu").get_by_role("link", name="Pausen")
    box = entry.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= 844
    page.keyboard.press("Escape")
    assert page.locator("#person-menu").is_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sessions/new")
    visitor.open(patient)
    if width < 760:
        page.locator(".tabs__opener").focus()
        page.keyboard.press("Enter")
    page.locator(".tabs").get_by_role("link", name="Termine").click()
    page.wait_for_url("**/appointments")
    if width < 760:
        assert page.locator(".tabs__opener").inner_text().startswith("Termine")


# Per session: whether its parts stand beside each other, in order, with nothing over its neighbour; and how high it is, in lines of text.
ROWS = """() => [...document.querySelectorAll(".visit--session")].map((row) => {
  const parts = ["when", "who", "scale", "value", "change", "act", "more"]
  const boxes = parts.map((part) => row.querySelector(`.visit__${part}`)?.getBoundingClientRect()).filter(Boolean)
  const style = getComputedStyle(row)
  const inner = row.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom)
  return {
    columns: boxes.length === parts.length && boxes.slice(1).every((box, at) => box.left >= boxes[at].right - 1),
    lines: inner / parseFloat(style.lineHeight), cut: [row.querySelector(".visit__time"), row.querySelector(".name__code")].some((it) => {
      const box = it.getBoundingClientRect(), holder = it.closest("p").getBoundingClientRect()
      return box.right > holder.right + 1 || box.width === 0
    }),
  }
})"""

LONG = "Ä" * 40 + " " + "W" * 19


def rename(page, name):
    """Everybody on Today, as if they were called so."""
    if name:
        page.evaluate("name => document.querySelectorAll('.visit--session .name__alias').forEach((it) => { it.textContent = name })", name)


@pytest.mark.parametrize("name", [None, LONG], ids=["as_it_is", "sixty_letters"])
def test_impression_4_a_session_stands_in_three_lines_with_one_filled_button(visit, name):
    visitor = visit(viewport={"width": 1280, "height": 860})
    visitor.sign_in()
    page = visitor.page
    page.locator(".visit--session").first.wait_for()
    rename(page, name)
    rows = page.evaluate(ROWS)
    assert len(rows) > 1 and all(row["columns"] and row["lines"] <= 2.8 and not row["cut"] for row in rows), rows
    assert page.locator(".visit--session .button--primary").count() == 1
    assert page.locator(".visit--over .button--primary").count() == 0
    assert page.locator(".visit--session .course").count() > 0


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("width", WIDTHS)
def test_impression_4_the_menu_of_a_row_opens_by_keyboard_with_scripts_and_without(visit, width, scripts):
    visitor = visit(java_script_enabled=scripts, viewport={"width": width, "height": 844})
    visitor.sign_in()
    page = visitor.page
    row = page.locator(".visit--session").last
    row.get_by_role("button", name="Weitere Aktionen").focus()
    page.keyboard.press("Enter")
    assign = row.get_by_role("link", name="Zuweisen")
    box = assign.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= 844
    if scripts:
        assert violations(page, "the menu of a row", None) == []
    page.keyboard.press("Escape")
    assert assign.is_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/(assignments/new|briefing)$"))


def test_impression_4_where_no_answer_has_to_be_seen_first_a_phone_shows_the_first_session_at_once(visit):
    visitor = visit(viewport={"width": 390, "height": 844})
    visitor.sign_in("ben@example.org")
    page = visitor.page
    page.locator("#sessions").wait_for()
    assert page.locator(".risk").count() == 0 and page.locator(".visit--session, #sessions + p").first.bounding_box()["y"] < 422


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [None, LONG], ids=["as_it_is", "sixty_letters"])
def test_impression_4_rows_are_cards_on_a_phone_also_at_twice_the_size(visit, name, scheme):
    visitor = visit(color_scheme=scheme, viewport={"width": 390, "height": 844})
    visitor.sign_in()
    page = visitor.page
    row = page.locator(".visit--session").first
    row.wait_for()
    rename(page, name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert row.bounding_box()["height"] < (400 if name else 270)
    large(page)
    visitor.open("/")
    rename(page, name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page, "at twice the size", None) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_impression_3_axe_finds_nothing_on_a_patient_s_pages_also_at_twice_the_size(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 844})
    visitor.sign_in()
    patient = visitor.open_patient()
    page = visitor.page
    for tab in TABS:
        visitor.open(patient + tab)
        assert violations(page, tab, None) == []
    page.get_by_role("button", name="Weitere Aktionen").click()
    assert violations(page, "the menu", None) == []
    large(page)
    visitor.open(patient)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page, "at twice the size", None) == [] and visitor.complaints == []


@pytest.mark.parametrize("scripts", [True, False])
def test_impression_6_a_note_is_text_until_it_is_edited(visit, scripts):
    visitor = visit(java_script_enabled=scripts, viewport={"width": 390, "height": 844})
    visitor.sign_in()
    visitor.open_patient()
    page = visitor.page
    assert page.locator("#note").is_hidden()
    page.locator("details.edit:has(#note) summary").focus()
    page.keyboard.press("Enter")
    page.fill("#note", "Der Bruder, die Arbeit.")
    page.locator("form:has(#note) button").click()
    page.locator(".flash").wait_for()
    assert page.locator("section[aria-labelledby=own] .prose").inner_text() == "Der Bruder, die Arbeit."
    danger, quiet = page.locator(".ways__danger").first.bounding_box(), page.locator(".ways a").first.bounding_box()
    assert danger["y"] > quiet["y"] and danger["height"] >= 44


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_impression_4_and_5_axe_finds_nothing_and_nothing_overflows(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 844})
    visitor.sign_in()
    page = visitor.page
    page.locator("section[aria-labelledby=sessions] .visit").first.wait_for()
    found = violations(page, "today")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    visitor.open_patient()
    page.locator(".how summary").first.click()
    found += violations(page, "overview")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scripts", [True, False])
def test_impression_5_the_formula_opens_in_place_by_keyboard_and_without_scripts(visit, scripts):
    visitor = visit(java_script_enabled=scripts, viewport={"width": 1280, "height": 860})
    visitor.sign_in()
    visitor.open_patient()
    figure = visitor.page.locator(".figure").first
    assert figure.locator(".card__number").is_visible() and not figure.locator(".how p").is_visible()
    figure.locator(".how summary").focus()
    visitor.page.keyboard.press("Enter")
    assert figure.locator(".how p").is_visible()


def test_impression_5_figures_fill_their_rows(visit):
    visitor = visit(viewport={"width": 1280, "height": 860})
    visitor.sign_in()
    visitor.open_patient()
    ends = visitor.page.evaluate("""() => {
      const boxes = [...document.querySelectorAll(".cards--figures > li")].map((it) => it.getBoundingClientRect())
      return Object.values(Object.groupBy(boxes, (box) => Math.round(box.top))).map((row) => Math.round(Math.max(...row.map((box) => box.right))))
    }""")
    assert len(set(ends)) == 1, ends
