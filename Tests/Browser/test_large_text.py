"""FD-41, FD-44: every page of participants at 200 % text on a phone, and the numbers to call in a crisis on each of them."""

import pathlib
import re

import pytest
from browsers import PHONE
from conftest import ROOT
from servers import gallery

# What is wider than the screen, cut, or lies on something else.
FAULTS = r"""() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
  const name = (it) => it.outerHTML.replace(/\s+/g, " ").slice(0, 90)
  const seen = (it) => it.checkVisibility() && !it.closest(".hidden, thead, svg, [popover]") && it.getClientRects().length > 0
  const small = [...document.querySelectorAll("body :is(a, button, label, p, h1, h2, h3, legend, li, dt, dd, summary)")]
    .filter((it) => seen(it) && !it.closest(".table-frame") && it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== "inline")
  // Every line of text with the box that it takes; of two that lie on each other one cannot be read.
  const lines = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const holder = text.parentElement
    if (!text.data.trim() || !seen(holder) || holder.closest("option, select, script, textarea, .own__nav")) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    for (const box of range.getClientRects()) if (box.width > 1 && box.height > 1) lines.push([holder, box])
  }
  const taps = [...document.querySelectorAll("main :is(a.button, button, select, textarea, input:not([type=hidden]):not([type=radio]):not([type=checkbox]))")]
    .filter((it) => seen(it)).map((it) => [it, it.getBoundingClientRect()])
  const lie = (list, slack) => {
    const found = [], down = list.toSorted(([, a], [, b]) => a.top - b.top)
    for (const [index, [one, a]] of down.entries()) {
      for (let below = index + 1; below < down.length && down[below][1].top < a.bottom - slack; below++) {
        const [other, b] = down[below]
        if (one !== other && !one.contains(other) && !other.contains(one) && a.left < b.right - 1 && b.left < a.right - 1
          && a.top < b.bottom - slack) found.push(name(one) + " on " + name(other))
      }
    }
    return found
  }
  // Lines of text may touch with what fonts leave above and below their letters.
  return [...(wide > 0 ? [`${wide} px too wide`] : []), ...small.map(name), ...lie(taps, 1), ...lie(lines, 10)]
}"""

# Numbers that are not a row of their own, not as high as a thumb, or not underlined.
NUMBERS = """() => {
  const all = [...document.querySelectorAll("footer .numbers__one")].filter((it) => it.checkVisibility())
  const bad = all.filter((it) => it.getBoundingClientRect().height < 44 || !getComputedStyle(it).textDecorationLine.includes("underline")
    || !it.closest("ul.numbers") || !it.getAttribute("href").startsWith("tel:"))
  return [all.length, bad.map((it) => it.outerHTML)]
}"""


def large(page):
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})


def own_pages():
    """Every page that patients and participants see, drawn from the demonstration: their own, those behind a link, those before signing in."""
    layouts = ('class="own__main"', 'class="threshold__main"')
    pages = [path for path in sorted(gallery().glob("*.de.light.html")) if any(layout in path.read_text() for layout in layouts)]
    assert len(pages) > 60
    return pages


@pytest.mark.parametrize("width", [320, 390])
def test_fd41_every_page_of_participants_at_twice_the_size_of_text(chromium, width):
    page = chromium.new_page(viewport={"width": width, "height": 700})
    large(page)
    found = {}
    for path in own_pages():
        page.goto(path.as_uri())
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        faults = page.evaluate(FAULTS)
        count, bad = page.evaluate(NUMBERS)
        if faults or bad or count == 0:
            found[path.name] = faults + bad + ([] if count else ["no number to call"])
    page.close()
    assert found == {}


# Puts a word that is wider than the screen before every text, and tells by how much the page is too wide then, and what sticks out. Fixed
# short words, numbers with their units and codes are kept in one piece on purpose.
LONG = r"""(word) => {
  const whole = ".brand, .whole, .answer__count, .briefing__moved strong, .frame__tool, .codes, .own-course__reach .mute, .implicit"
  const kept = `script, style, svg, select, textarea, noscript, .hidden, [popover], ${whole}`
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const holder = text.parentElement
    if (/\p{L}{3}/u.test(text.data) && holder.checkVisibility() && !holder.closest(kept)) texts.push(text)
  }
  for (const text of texts) text.data = `${word} ${text.data}`
  const limit = document.documentElement.clientWidth
  const wide = document.documentElement.scrollWidth - limit
  const out = wide <= 0 ? [] : [...document.querySelectorAll("body *")].filter((it) => it.checkVisibility() && it.getBoundingClientRect().right > limit + 1)
  return [wide, out.slice(0, 5).map((it) => it.outerHTML.replace(/\s+/g, " ").slice(0, 90))]
}"""

# Words that fit into half of the screen and are broken all the same.
TORN = r"""() => {
  const torn = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const holder = text.parentElement
    if (!holder.checkVisibility() || holder.closest("script, style, svg, textarea, noscript, table, code, .hidden, .implicit, [popover]")) continue
    for (const match of text.data.matchAll(/(?<![\p{L}@.])\p{L}{2,10}(?![\p{L}@.])/gu)) {
      const range = document.createRange()
      range.setStart(text, match.index)
      range.setEnd(text, match.index + match[0].length)
      if (new Set([...range.getClientRects()].filter((box) => box.width > 0.5).map((box) => Math.round(box.top))).size > 1)
        torn.push(`${match[0]} in ${holder.outerHTML.slice(0, 60)}`)
    }
  }
  return torn
}"""


@pytest.mark.parametrize("part", [0, 1])
def test_rp226_long_words_wrap_on_every_page_at_320_px_and_short_ones_stay_whole(chromium, part):
    page = chromium.new_page(viewport={"width": 320, "height": 800}, java_script_enabled=True)
    page.route("**/*.js", lambda route: route.abort())
    kinds, found = set(), {}
    for path in sorted(gallery().glob("*.de.light.html")):
        kind = re.sub(r"-\d+\.de\.light$", "", path.stem)
        if kind in kinds:
            continue
        kinds.add(kind)
        if len(kinds) % 2 != part:
            continue
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        torn = page.evaluate(TORN)
        wide, out = page.evaluate(LONG, "Donaudampfschifffahrtsgesellschaftskapitänspatent")
        if torn or wide > 0:
            found[path.name] = [torn, wide, out]
    page.close()
    assert len(kinds) > 150 and found == {}


def reached(person, begin="/my"):
    """Every page that links lead to from the first one: two of each kind."""
    kinds, waiting, done = {}, [begin], []
    while waiting:
        path = waiting.pop(0)
        kind = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d{2}(-\d{2})?|\?.*", "*", path)
        if path in done or kinds.get(kind, 0) >= 2:
            continue
        answer = person.open(path)
        if "text/html" not in (answer.headers.get("content-type") or "") or answer.status != 200:
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        done.append(path)
        yield path
        waiting += [href for href in person.page.locator("a[href^='/my']").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
                    if "." not in href.rsplit("/", 1)[-1] and "#" not in href]


@pytest.mark.parametrize("email", ["nina@example.org", "pia@example.org"])
def test_fd41_what_people_see_of_theirs_at_twice_the_size_of_text(visit, email):
    person = visit(**{**PHONE, "viewport": {"width": 320, "height": 700}})
    person.sign_in(email)
    large(person.page)
    found, seen = {}, 0
    for path in reached(person):
        seen += 1
        faults = person.page.evaluate(FAULTS)
        count, bad = person.page.evaluate(NUMBERS)
        if faults or bad or count == 0:
            found[path] = faults[:6] + bad
    assert seen > 20 and found == {}


def test_fd44_numbers_stand_beside_every_sentence_that_tells_people_to_call():
    texts = ["answering.call", "own_settings.deleted_text", "feedback.not_therapist", "pairing.not_watched"]
    for template in (pathlib.Path(ROOT) / "templates").rglob("*.html"):
        lines = template.read_text().splitlines()
        for index, line in enumerate(lines):
            if any("{{t." + text + "}}" in line for text in texts):
                assert "shared/_numbers" in "".join(lines[index:index + 2]), template
