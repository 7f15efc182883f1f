"""The first impression, places 9 and 10: one frame, studies and administration, as Chromium draws them."""

import re

import pytest
from accessibility import violations
from test_large_text import large

WIDTHS = [390, 1280]
NUMBER = re.compile(r"−?\d+(?:,\d+)?")

# The lightness of what stands behind an element, 0 to 255.
GROUND = """(where) => {
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })
  for (let at = document.querySelector(where); at; at = at.parentElement) {
    pixel.clearRect(0, 0, 1, 1)
    pixel.fillStyle = getComputedStyle(at).backgroundColor
    pixel.fillRect(0, 0, 1, 1)
    const [red, green, blue, whole] = pixel.getImageData(0, 0, 1, 1).data
    if (whole === 255) return Math.round((red + green + blue) / 3)
  }
}"""


def sheet(visitor):
    """Ada's patient with an open code: the page of it."""
    visitor.sign_in()
    path = visitor.open_patient("C115826")
    visitor.open(path + "/pairing-sheet")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_impression_9_printed_pages_keep_the_frame_and_its_theme(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 844})
    path = sheet(visitor)
    page = visitor.page
    for end in ["/pairing-sheet", "/briefing"]:
        visitor.open(path + end)
        assert page.locator(".frame__side").is_visible()
        assert (page.evaluate(GROUND, ".paper") < 90) == (scheme == "dark")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page, end, None) == []
    # A code is read by a camera, in each theme: dark on light.
    visitor.open(path + "/pairing-sheet")
    assert page.evaluate("getComputedStyle(document.querySelector('.qr__paper')).fill") == "oklch(1 0 0)"
    assert visitor.complaints == []


def test_impression_9_on_paper_it_is_white_whatever_the_theme(visit):
    visitor = visit(color_scheme="dark")
    path = sheet(visitor)
    page = visitor.page
    for end in ["/pairing-sheet", "/briefing"]:
        visitor.open(path + end)
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate(GROUND, ".paper") == 255
        assert page.locator(".frame__side").is_hidden() and page.locator(".toolbar--paper").is_hidden()
        assert page.locator(".foot").is_hidden()
        ink = page.evaluate("getComputedStyle(document.querySelector('.paper h1')).color")
        assert ink in ("oklch(0 0 0)", "rgb(0, 0, 0)")
        page.emulate_media(media="screen", color_scheme="dark")


def test_impression_9_by_keyboard_at_twice_the_size_and_without_scripts(visit):
    visitor = visit(viewport={"width": 390, "height": 844})
    path = sheet(visitor)
    page = visitor.page
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
    large(page)
    visitor.open(path + "/pairing-sheet")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page, "the sheet at twice the size", None) == []
    plain = visit(java_script_enabled=False, viewport={"width": 1280, "height": 844})
    sheet(plain)
    assert plain.page.locator(".navigation a[aria-current=page]").inner_text().startswith("Patient")


def studies(visitor):
    """Lena's studies: the page of each, by what its name has in it."""
    visitor.sign_in("lena@example.org")
    links = visitor.page.locator("main .table__name").all()
    return {link.inner_text(): link.get_attribute("href") for link in links}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_impression_10_studies_are_read_at_a_glance(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 844})
    page = visitor.page
    own = studies(visitor)
    for path in ["/studies", *own.values(), own["Zwischen den Sitzungen begleitet"] + "/results"]:
        visitor.open(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert violations(page, path, None) == []
    visitor.open(own["Tinnitus im Alltag"])
    assert "1 Anfrage offen" in page.locator("section[aria-labelledby=look]").inner_text()
    assert page.locator(".chart--recruiting .chart__plot").is_visible()
    assert page.locator("section[aria-labelledby=outcome]").inner_text().endswith("nur Studien mit Gruppen.")
    visitor.open(own["Zwischen den Sitzungen begleitet"])
    outcome = page.locator("section[aria-labelledby=outcome]")
    assert outcome.locator(".effect__plot").count() == 2 and "schließt 0" in outcome.inner_text()
    # The point lies within its interval, and both where their numbers say.
    for line in outcome.locator("div.effect__line").all():
        numbers = [float(one.replace("−", "-").replace(",", ".")) for one in NUMBER.findall(line.locator(".effect__value").inner_text())]
        g, low, high = numbers[0], numbers[2], numbers[3]
        point, zero = box(line, ".effect__point"), box(line, ".effect__zero")
        left, right = box(line, ".effect__whisker")
        middle = sum(point) / 2
        assert left < middle < right and low < g < high
        assert (left < sum(zero) / 2 < right) == (low < 0 < high)
        assert abs((middle - left) / (right - left) - (g - low) / (high - low)) < 0.05
    # Nobody is invited into a study whose allocation is closed.
    assert page.get_by_role("link", name="Einladen", exact=True).count() == 0
    assert visitor.complaints == []


def box(line, where):
    """Where a path begins and ends, from left to right, without the width of its stroke."""
    return line.locator(where).evaluate("""(it) => {
      const [drawn, shown] = [it.getBBox(), it.getScreenCTM()]
      return [drawn.x, drawn.x + drawn.width].map((x) => shown.a * x + shown.e)
    }""")


def test_impression_10_results_show_a_figure_before_each_table(visit):
    visitor = visit()
    visitor.open(studies(visitor)["Zwischen den Sitzungen begleitet"] + "/results")
    order = visitor.page.evaluate("[...document.querySelectorAll('main :is(.charts, .effect, .table-frame:not(.charts *))')].map(it => it.className.split(' ')[0])")
    assert order == ["charts", *["effect", "table-frame"] * 3, "table-frame"]


def test_impression_10_by_keyboard_and_at_twice_the_size(visit):
    visitor = visit(viewport={"width": 390, "height": 844})
    page = visitor.page
    own = studies(visitor)
    page.locator("main .table__name").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**" + next(iter(own.values())))
    summary = page.locator("section[aria-labelledby=recruiting] summary")
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("section[aria-labelledby=recruiting] table").is_visible()
    large(page)
    for path in ["/studies", *own.values()]:
        visitor.open(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        assert violations(page, f"{path} at twice the size", None) == []


def test_impression_10_without_scripts_everything_is_there(visit):
    visitor = visit(java_script_enabled=False)
    visitor.open(studies(visitor)["Tinnitus im Alltag"])
    page = visitor.page
    page.locator("section[aria-labelledby=recruiting] summary").click()
    assert page.locator("section[aria-labelledby=recruiting] tbody tr").count() >= 3
    page.locator("section[aria-labelledby=look] a", has_text="Alle Teilnehmenden").click()
    page.wait_for_url("**/participants")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_impression_10_the_administrator_s_home_is_a_list_of_states(visit, scheme, width):
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 844})
    visitor.sign_in("uma@example.org")
    page = visitor.page
    for path in ["/admin", "/admin/system"]:
        visitor.open(path)
        states = page.locator("section[aria-labelledby=health] .rows__entry .badge").all_inner_texts()
        assert len(states) == 9 and all(states)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page, path, None) == []
    if width == 390:
        large(page)
        visitor.open("/admin")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visitor.complaints == []
