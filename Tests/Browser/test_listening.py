"""S3, S7: a sound plays, is sought in and goes round without a gap; an evening of listening ends with a rating."""

import json
import math
import struct
import urllib.request

import pytest
from accessibility import violations
from playwright.sync_api import expect
from test_journeys import eventually
from test_offline import Phone
from test_portal import html_errors

# Renders what the player puts on the clock of a context, without a player: the same code, with nobody's ears.
RENDERED = """async () => {
  const at = document.querySelector('script[src*="/player.js"]').src
  const { plan, positionAfter, schedule } = await import(new URL("playing.js", at))
  const rate = 48000
  const context = new OfflineAudioContext(1, 10 * rate, rate)
  // Half a second of a tone whose loop holds whole waves: 0.1 to 0.4 s of 440 Hz are 132 of them.
  const buffer = context.createBuffer(1, rate / 2, rate)
  const wave = buffer.getChannelData(0)
  for (let i = 0; i < wave.length; i++) wave[i] = Math.sin((2 * Math.PI * 440 * i) / rate)
  const shape = { length: 0.5, loopStart: 0.1, loopEnd: 0.4 }
  schedule(context, buffer, shape, { position: 0, minutes: 2, at: 0, out: context.destination })
  const heard = (await context.startRendering()).getChannelData(0)
  // The longest silence behind the ramp, and the largest step away from the wave that never ends.
  let silence = 0, longest = 0, worst = 0
  for (let i = rate / 10; i < heard.length; i++) {
    silence = Math.abs(heard[i]) < 0.001 ? silence + 1 : 0
    longest = Math.max(longest, silence)
    worst = Math.max(worst, Math.abs(heard[i] - Math.sin((2 * Math.PI * 440 * i) / rate)))
  }
  return {
    gap: (longest / rate) * 1000, worst,
    plans: [plan(shape, 0, 2), plan({ length: 200, loopStart: 0, loopEnd: 200 }, 30, 2), plan(shape, 0.2, null),
      plan({ length: 45, loopStart: 0, loopEnd: 45 }, 15, 2)],
    position: positionAfter(shape, 0, 0.75, true),
  }
}"""


def sounds(address):
    with urllib.request.urlopen(address + "/api/v1/sounds") as reply:
        return json.load(reply)["data"]


def test_s3_the_loop_has_no_gap_and_its_arithmetic_is_that_of_the_source(visit):
    visitor = visit()
    visitor.open(f"/listen/{sounds(visitor.address)[0]['id']}")
    told = visitor.page.evaluate(RENDERED)
    assert told["gap"] < 1 and told["worst"] < 0.01
    whole, within, once, rounds = told["plans"]
    # The rest of this round, whole rounds, and what is left.
    assert whole["total"] == 120 and whole["rounds"] == 398 and abs(whole["remainder"] - 0.2) < 1e-6
    assert within == {"rest": 120, "rounds": 0, "remainder": 0, "total": 120}
    assert abs(once["total"] - 0.3) < 1e-9
    assert rounds == {"rest": 30, "rounds": 2, "remainder": 0, "total": 120}
    assert abs(told["position"] - 0.15) < 1e-6
    assert visitor.complaints == []


def test_s3_chromium_plays_seeks_to_the_end_and_loops(visit):
    visitor = visit()
    page = visitor.page
    visitor.open(f"/listen/{sounds(visitor.address)[0]['id']}")
    page.select_option("#loop", "2")
    page.click("[data-part=play]")
    page.wait_for_selector("[data-state=playing]")
    # To nine tenths of four seconds: within the next second it has begun again.
    page.evaluate("() => { const seek = document.querySelector('#seek'); seek.value = 900; seek.dispatchEvent(new Event('change')) }")
    page.wait_for_selector("[data-part=position]:text-is('0:03')")
    page.wait_for_selector("[data-part=position]:text-is('0:00')")
    page.click("[data-part=play]")
    page.wait_for_selector("[data-state=paused]")
    page.click("[data-part=stop]")
    assert page.inner_text("[data-part=position]") == "0:00"
    # What was chosen stays on the device.
    page.fill("#volume", "30")
    page.reload()
    assert page.input_value("#volume") == "30"
    assert visitor.complaints == [] and visitor.elsewhere == []


# Ten seconds go by for the page: what it asks its clock for is moved on.
LONGER = "() => { const now = AudioContext.prototype; const time = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'currentTime'); Object.defineProperty(now, 'currentTime', { get() { return time.get.call(this) * 20 } }) }"


# Whether it has sounded for long enough to be asked about.
HEARD = """async () => (await import(document.querySelector('script[src*="/player.js"]').src)).heard() > 11"""


@pytest.mark.journey
def test_s7_an_evening_ends_with_a_rating_and_stands_in_the_statistics(chromium, clinic):
    phone = Phone(chromium, clinic, "tom@example.org")
    before = len(phone.own("GET", "/my/listening-sessions?limit=200"))
    sound = sounds(clinic)[7]["id"]
    phone.context.add_init_script(f"({LONGER})()")
    phone.open(f"/my/sounds/{sound}")
    # The form stands there for those without scripts, until the module that asks afterwards has arrived.
    expect(phone.page.locator("[data-part=rating]")).to_be_hidden()
    assert not phone.page.locator("audio").is_visible()
    # On a device of their own it can be kept.
    phone.page.click("[data-part=keep]")
    phone.page.wait_for_selector("[data-part=keep][aria-pressed=true]")
    phone.page.select_option("#loop", "2")
    phone.page.click("[data-part=play]")
    phone.page.wait_for_selector("[data-state=playing]")
    phone.until(HEARD)
    phone.page.click("a[href='/my/sounds/statistics']")
    phone.page.wait_for_selector("dialog[open]")
    phone.page.click("dialog button[value='2']")
    phone.page.wait_for_url("**/my/sounds/statistics")
    after = phone.own("GET", "/my/listening-sessions?limit=200")
    assert len(after) == before + 1
    newest = after[0]["attributes"]
    assert newest["rating"] == 2 and newest["rating_state"] == "rated" and newest["loop_minutes"] == 2
    assert newest["sound_id"] == sound and newest["counts"]
    assert "2, viel besser" in phone.page.inner_text("main")
    # In a tunnel the kept sound is there, and what is heard waits.
    phone.context.set_offline(True)
    phone.open(f"/my/sounds/{sound}")
    phone.page.select_option("#loop", "5")
    phone.page.click("[data-part=play]")
    phone.page.wait_for_selector("[data-state=playing]")
    phone.until(HEARD)
    phone.page.click("[data-part=stop]")
    phone.page.click(".crumbs a")
    phone.page.wait_for_selector("dialog[open]")
    phone.page.click("dialog button[value=declined]")
    phone.page.wait_for_url("**/my/sounds")
    phone.context.set_offline(False)
    phone.open("/my/sounds/statistics")
    both = eventually(lambda: len(all := phone.own("GET", "/my/listening-sessions?limit=200")) == before + 2 and all)
    assert both[0]["attributes"]["rating_state"] == "declined"
    phone.context.close()


def quiet_wave(seconds, peak=3000):
    """A tone of 440 Hz as a WAV file."""
    rate = 8000
    samples = b"".join(struct.pack("<h", int(peak * math.sin(2 * math.pi * 440 * i / rate))) for i in range(rate * seconds))
    head = b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, 2 * rate, 2, 16)
    return head + b"data" + struct.pack("<I", len(samples)) + samples


@pytest.mark.parametrize("scripts", [True, False])
def test_sn_1_a_file_is_measured_before_it_is_saved_and_what_is_none_is_told(visit, scripts):
    lead = visit(java_script_enabled=scripts)
    page = lead.page
    lead.sign_in("lena@example.org")
    lead.open("/sounds/new")
    page.set_input_files("#audio", {"name": "ton.mp3", "mimeType": "audio/mpeg", "buffer": b"<html>kein Ton</html>"})
    page.get_by_role("button", name="Hochladen und messen").click()
    page.locator(".errors").wait_for()
    assert page.url.endswith("/sounds/new") and page.locator(".errors a").first.get_attribute("href") == "#audio"
    page.set_input_files("#audio", {"name": "ton.wav", "mimeType": "audio/wav", "buffer": quiet_wave(6)})
    page.get_by_role("button", name="Hochladen und messen").click()
    page.wait_for_url("**/sounds/uploads/*")
    assert page.locator(".sounds__wave").count() == 1
    assert "0:06" in page.locator("main").inner_text()
    # The one refusal is told by the browser, too, where a script has asked.
    assert all("422" in word for word in lead.complaints), lead.complaints


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_a5_axe_and_the_checker_find_nothing_on_pages_of_sounds(visit, tmp_path, width, scheme):
    sound = sounds(visit().address)[0]["id"]
    found, written, places = [], [], []

    def look(person, paths):
        for path in paths:
            answer = person.open(path)
            assert answer.status == 200, path
            person.page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
            # The whole page at once: no entry lies behind the bar at the bottom.
            height = person.page.evaluate("document.documentElement.scrollHeight")
            person.page.set_viewport_size({"width": width, "height": height + 100})
            places.append(path)
            written.append(answer.body())
            found.extend(violations(person.page, path))
            over = person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over <= 0, f"{path} is {over} px too wide at {width}"

    shape = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    look(visit(**shape), ["/listen", f"/listen/{sound}"])
    tom = visit(**shape)
    tom.sign_in("tom@example.org")
    look(tom, ["/my/sounds", f"/my/sounds/{sound}", "/my/sounds/statistics", "/my/settings/sharing"])
    lena = visit(**shape)
    lena.sign_in("lena@example.org")
    look(lena, ["/sounds", "/sounds/new", f"/sounds/{sound}", "/sounds/categories"])
    lena.open("/sounds/new")
    lena.page.set_input_files("#audio", {"name": "ton.wav", "mimeType": "audio/wav", "buffer": quiet_wave(2)})
    lena.page.get_by_role("button", name="Hochladen und messen").click()
    lena.page.wait_for_url("**/sounds/uploads/*")
    look(lena, [lena.page.url.removeprefix(lena.address)])
    ben = visit(**shape)
    ben.sign_in("ben@example.org")
    ben.open_patient("C371158")
    ben.page.locator("a[href$='/tinnitus']").click()
    look(ben, [ben.page.url.removeprefix(ben.address)])
    assert found == []
    assert html_errors(places, written, tmp_path) == []
