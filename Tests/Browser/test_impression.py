"""The first impression: edges, frames of what can be tapped, and type, as Chromium draws them."""

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
