"""SN-4, TYT: a profile without scripts, and matching: what is stored is what was played, never louder than it may be."""

import math

import pytest
from accessibility import violations
from browsers import PHONE
from test_journeys import API
from test_offline import Phone
from test_portal import html_errors

RENDER = """async ([address, sound, level, ear, seconds, notch]) => {
  const tones = await import(address)
  const context = new OfflineAudioContext(2, 48000 * seconds, 48000)
  const playing = notch ? tones.playNotched(context, notch, level) : tones.play(context, sound, level, ear)
  const buffer = await context.startRendering()
  const [left, right] = [buffer.getChannelData(0), buffer.getChannelData(1)]
  const from = 24000
  const part = left.slice(from)
  const peak = (samples) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  let crossings = 0
  let first = -1
  let last = -1
  for (let index = 1; index < part.length; index += 1) {
    if (part[index - 1] < 0 && part[index] >= 0) {
      const at = index - part[index] / (part[index] - part[index - 1])
      if (first < 0) first = at
      else crossings += 1
      last = at
    }
  }
  // How strong a narrow band is: Goertzel's way, over many short windows.
  const band = (frequency) => {
    let sum = 0
    const size = 4800
    for (let begin = 0; begin + size <= part.length; begin += size) {
      const step = 2 * Math.cos((2 * Math.PI * frequency) / 48000)
      let [one, two] = [0, 0]
      for (let index = 0; index < size; index += 1) [one, two] = [part[begin + index] + step * one - two, one]
      sum += one * one + two * two - step * one * two
    }
    return 10 * Math.log10(sum + 1e-30)
  }
  return {
    hertz: crossings > 0 ? crossings / ((last - first) / 48000) : 0,
    left: peak(left.slice(from)), right: peak(right.slice(from)),
    begin: peak(left.slice(0, 48)), ceiling: tones.limits.ceiling,
    bands: Object.fromEntries([500, 1000, 2000, 2800, 3500, 4000, 4500, 5700, 8000, 12000].map((f) => [f, band(f)])),
  }
}"""


def tones(person):
    """The address of the module that makes sounds, on a page that may load it."""
    person.open("/my/tinnitus")
    module = person.page.locator("script[src*='/assets/own/']").first.get_attribute("src")
    return module.replace("main.js", "tones.js")


def test_the_tone_that_is_stored_is_the_one_that_is_played(visit):
    person = visit(**PHONE)
    person.sign_in("nina@example.org")
    address = tones(person)
    for hertz in (125, 1000, 6137.5, 12000):
        sound = {"kind": "tone", "frequency": hertz, "bandwidth": None}
        heard = person.page.evaluate(RENDER, [address, sound, -40, "both", 2, None])
        assert abs(heard["hertz"] - hertz) < 0.02 * hertz / 100
        assert abs(20 * math.log10(heard["left"]) + 40) < 0.1
        assert heard["left"] == heard["right"] and heard["begin"] < 1e-3
    # One ear hears it, and the other one nothing.
    heard = person.page.evaluate(RENDER, [address, sound, -40, "left", 1, None])
    assert heard["left"] > 0.009 and heard["right"] < 1e-6
    # Whatever is asked for, it is never louder than the limit, and the floor is silence.
    heard = person.page.evaluate(RENDER, [address, sound, 20, "both", 1, None])
    assert 20 * math.log10(heard["left"]) <= heard["ceiling"] + 0.01
    assert person.page.evaluate(RENDER, [address, sound, -96, "both", 1, None])["left"] == 0
    noise = {"kind": "noise", "frequency": 4000, "bandwidth": 0.33}
    bands = person.page.evaluate(RENDER, [address, noise, -20, "both", 2, None])["bands"]
    assert bands["4000"] > bands["2000"] + 10 and bands["4000"] > bands["8000"] + 10
    assert person.complaints == [] and person.elsewhere == []


def test_the_gap_is_one_octave_wide(visit):
    person = visit(**PHONE)
    person.sign_in("nina@example.org")
    sound = {"kind": "tone", "frequency": 1000, "bandwidth": None}
    bands = person.page.evaluate(RENDER, [tones(person), sound, -20, "both", 4, 4000])["bands"]
    around = [bands[str(f)] for f in (500, 1000, 2000, 8000, 12000)]
    assert max(around) - min(around) < 6
    assert min(around) - bands["4000"] > 15 and min(around) - bands["3500"] > 9 and min(around) - bands["4500"] > 9
    # Beyond the edges, at 2828 and 5657 Hz, it is there again within 6 dB.
    assert min(around) - min(bands["2800"], bands["5700"]) < 6


def drag(page, name, value):
    page.locator(f"[data-knob={name}]").fill(str(value))


def test_a_run_by_slider_and_one_by_pairs_with_the_keyboard(visit, clinic):
    person = visit(**PHONE)
    person.sign_in("tom@example.org")
    person.open("/my/tinnitus")
    page = person.page
    page.get_by_text("1. Durchgang von 5").wait_for()
    assert page.locator("[data-without-sound]").count() == 0
    page.locator("#ear").select_option("right")
    page.get_by_role("button", name="Beginnen").press("Enter")
    step = page.locator("[data-step]:visible")
    assert page.evaluate("document.activeElement.tagName") == "H3"
    step.get_by_role("button", name="Klang ein/aus").press("Enter")
    page.locator("[data-play][aria-pressed=true]").wait_for()
    drag(page, "threshold", -70)
    page.keyboard.press("Escape")
    assert page.locator("[data-play][aria-pressed=true]").count() == 0
    step.get_by_role("button", name="Gerade eben hörbar").press("Enter")
    drag(page, "pitch", 120)
    page.locator("[data-knob=pitch]").press("ArrowRight")
    step.get_by_role("button", name="So klingt es").press("Enter")
    drag(page, "own", -66)
    step.get_by_role("button", name="Gerade eben hörbar").press("Enter")
    drag(page, "loudness", -54)
    step.get_by_role("button", name="Gleich laut").press("Enter")
    page.locator("#certainty").select_option("7")
    step.get_by_role("button", name="Durchgang speichern").press("Enter")
    page.get_by_text("Der Durchgang ist gespeichert.").wait_for()
    tom = API(clinic, "tom@example.org")
    match = tom("GET", "/my/export")["attributes"]["tinnitus_matches"][0]
    assert match["frequency_hz"] == 125 * 2 ** (121 / 24) and match["level_sl_db"] == 12
    assert (match["ear"], match["method"], match["certainty"], match["run"]) == ("right", "slider", 7, 1)

    page.locator("#method").select_option("2afc")
    page.get_by_role("button", name="Beginnen").click()
    drag(page, "threshold", -70)
    step.get_by_role("button", name="Gerade eben hörbar").click()
    step.get_by_role("button", name="Zweiten Klang spielen").click()
    for _ in range(9):
        step.get_by_role("button", name="Der zweite").click()
    step.get_by_role("button", name="Gerade eben hörbar").click()
    drag(page, "loudness", -80)
    step.get_by_role("button", name="Gleich laut").click()
    page.locator("#certainty").select_option("3")
    step.get_by_role("button", name="Durchgang speichern").click()
    page.get_by_text("2 Durchgänge").wait_for()
    match = tom("GET", "/my/export")["attributes"]["tinnitus_matches"][0]
    assert match["method"] == "2afc" and 2000 < match["frequency_hz"] <= 16000
    assert person.complaints == [] and person.elsewhere == []


# Waits until the run that lies on this device has this.
LIES = """async ([knob, value]) => {
  const at = document.querySelector("script[src*='/assets/own/']").src.replace("main.js", "run.js")
  const { interrupted } = await import(at)
  while ((await interrupted())?.knobs[knob] !== value) await new Promise((resolve) => setTimeout(resolve, 25))
}"""


def test_fd9_a_run_goes_on_where_it_was_interrupted_and_loses_nothing(chromium, clinic):
    phone = Phone(chromium, clinic, "jan@example.org")
    phone.open("/my/tinnitus")
    page = phone.page
    step = page.locator("[data-step]:visible")
    page.locator("#ear").select_option("left")
    page.get_by_role("button", name="Beginnen").click()
    drag(page, "threshold", -70)
    # Enter on a slider sends nothing and ends nothing.
    page.locator("[data-knob=threshold]").press("Enter")
    step.get_by_role("button", name="Gerade eben hörbar").click()
    drag(page, "pitch", 120)
    step.get_by_role("button", name="So klingt es").click()
    drag(page, "own", -66)
    page.evaluate(LIES, ["own", "-66"])
    page.close()
    page = phone.context.new_page()
    step = page.locator("[data-step]:visible")
    page.goto(clinic + "/my/tinnitus")
    page.get_by_text("Ihr begonnener Durchgang geht hier weiter").wait_for()
    assert step.get_attribute("data-step") == "own" and page.locator("[data-knob=own]").input_value() == "-66"
    step.get_by_role("button", name="Gerade eben hörbar").click()
    drag(page, "loudness", -54)
    step.get_by_role("button", name="Gleich laut").click()
    # What is missing is said before anything is sent.
    posts = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    step.get_by_role("button", name="Durchgang speichern").click()
    page.get_by_role("alert").get_by_text("Bitte füllen Sie dieses Feld aus.").wait_for()
    assert page.evaluate("document.activeElement.id") == "certainty" and posts == []
    # And what is refused all the same begins nothing anew.
    page.locator("#certainty").evaluate("one => one.append(new Option('11', '11', true, true))")
    step.get_by_role("button", name="Durchgang speichern").click()
    page.locator(".errors").wait_for()
    assert step.get_attribute("data-step") == "certainty"
    page.locator("#certainty").select_option("6")
    step.get_by_role("button", name="Durchgang speichern").click()
    page.get_by_text("Der Durchgang ist gespeichert.").wait_for()
    match = API(clinic, "jan@example.org")("GET", "/my/export")["attributes"]["tinnitus_matches"][0]
    assert match["frequency_hz"] == 125 * 2 ** (120 / 24) and match["level_sl_db"] == 12
    assert (match["ear"], match["certainty"]) == ("left", 6)
    # What the server has is offered no more.
    page.reload()
    page.get_by_role("button", name="Beginnen").wait_for()
    assert not page.get_by_text("Ihr begonnener Durchgang geht hier weiter").is_visible()


def test_sn4_a_profile_without_scripts(visit, clinic):
    person = visit(**PHONE, java_script_enabled=False)
    person.sign_in("nina@example.org")
    person.open("/my/tinnitus")
    assert "braucht diese Seite Skripte" in person.page.locator("main").inner_text()
    assert "6 Durchgänge" in person.page.locator("main").inner_text()
    person.open("/my/questionnaires")
    page = person.page
    page.get_by_role("link", name="Mein Tinnitus").click()
    before = page.locator("progress").get_attribute("value")
    page.get_by_label("ein Geräusch", exact=True).check()
    page.locator("textarea[name='answers.avoided']").fill("Konzerte")
    page.get_by_role("button", name="Speichern", exact=True).last.click()
    assert "Gespeichert." in page.locator("main").inner_text()
    assert int(page.locator("progress").get_attribute("value")) > int(before)
    assert page.get_by_label("ein Geräusch", exact=True).is_checked()
    page.locator("button[value='clear:tone_or_noise']").click()
    assert not page.get_by_label("ein Geräusch", exact=True).is_checked()
    assert "entfernt" in page.locator("main").inner_text()
    assert page.locator("textarea[name='answers.avoided']").input_value() == "Konzerte"
    assert person.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_a5_axe_and_the_checker_find_nothing_on_the_pages_about_tinnitus(visit, tmp_path, width, scheme):
    person = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    person.sign_in("nina@example.org")
    person.open("/my/questionnaires")
    profile = person.page.get_by_role("link", name="Mein Tinnitus").get_attribute("href")
    written = []
    for path in (profile, "/my/tinnitus", "/my/questionnaires"):
        answer = person.open(path)
        assert answer.status == 200
        written.append(answer.body())
        assert violations(person.page, path, tags=None) == []
    person.open("/my/tinnitus")
    person.page.get_by_role("button", name="Beginnen").click()
    assert violations(person.page, "/my/tinnitus, begun", tags=None) == []
    assert html_errors(["profile", "tinnitus", "questionnaires"], written, tmp_path) == []
