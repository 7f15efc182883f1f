"""The first impression, places 9 and 10: one frame, studies and administration, as Chromium draws them."""

import pytest
from accessibility import violations
from test_large_text import large

WIDTHS = [390, 1280]

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
