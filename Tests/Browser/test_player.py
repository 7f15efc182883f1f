"""RP-116 to RP-120: what the system does to a sound, the sleep timer, loudness, and browsers that keep nothing of the site."""

import json
import math
import urllib.request
import uuid

import pytest
from browsers import PHONE, until
from conftest import PASSWORD
from test_journeys import API, eventually
from test_listening import HEARD, LONGER, quiet_wave

# A lock screen that tells what it was told, as strict as the standard; and the elements that were ever played.
SURROUNDINGS = """
  const known = ["play", "pause", "stop", "seekbackward", "seekforward", "seekto"]
  window.lockScreen = { handlers: {}, positions: [] }
  Object.defineProperty(navigator, "mediaSession", { value: {
    playbackState: "none", metadata: null,
    setActionHandler(name, handler) {
      if (!known.includes(name)) throw new TypeError(name)
      lockScreen.handlers[name] = handler
    },
    setPositionState(state) {
      const { duration, position = 0, playbackRate = 1 } = state
      if (!(duration >= 0) || !(position >= 0) || position > duration || playbackRate === 0) throw new TypeError(JSON.stringify(state))
      lockScreen.positions.push({ ...state, at: performance.now() })
    },
  } })
  window.played = new Set()
  const play = HTMLMediaElement.prototype.play
  HTMLMediaElement.prototype.play = function () {
    played.add(this)
    return play.call(this)
  }
  window.starts = 0
  const start = AudioBufferSourceNode.prototype.start
  AudioBufferSourceNode.prototype.start = function (...how) {
    starts += 1
    return start.apply(this, how)
  }
"""

# As iPhones have it: an element is as loud as the device.
READ_ONLY = "Object.defineProperty(HTMLMediaElement.prototype, 'volume', { get: () => 1, set() {} })"

# How loud it is where it leaves the page, in dB of full scale.
LOUDNESS = """async () => {
  const element = document.querySelector(".player audio")
  if (element.paused || element.muted) return -200
  const context = (window.ear ??= new AudioContext())
  await context.resume()
  const source = context.createMediaStreamSource(element.srcObject ?? element.captureStream())
  const analyser = context.createAnalyser()
  analyser.fftSize = 8192
  source.connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const begin = context.currentTime
  while (context.currentTime < begin + 0.4) await new Promise((done) => requestAnimationFrame(done))
  analyser.getFloatTimeDomainData(samples)
  source.disconnect()
  const volume = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, "volume").get.call(element)
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return 10 * Math.log10(power * volume * volume + 1e-20)
}"""


class Listener:
    """Somebody who listens to a sound without an account."""

    def __init__(self, visitor, sound, before=(SURROUNDINGS,), path="/listen"):
        self.visitor, self.page, self.errors = visitor, visitor.page, []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        for script in before:
            self.page.add_init_script(f"(() => {{ {script} }})()")
        visitor.open(f"{path}/{sound}")

    def player(self, expression):
        """What the player's module says."""
        return self.page.evaluate(
            "async () => (await import(document.querySelector('script[src*=\"/player.js\"]').src))" + expression)

    def heard(self):
        return self.player(".heard()")

    def sounds_on(self, more=0.6):
        """Waits until it has sounded for longer."""
        before = self.heard()
        eventually(lambda: self.heard() > before + more)

    def play(self):
        self.page.click("[data-part=play]")
        self.page.wait_for_selector("[data-state=playing]")
        self.sounds_on()

    def pause(self):
        self.page.click("[data-part=play]")
        self.page.wait_for_selector("[data-state=paused]")

    def position(self):
        return self.page.inner_text("[data-part=position]")

    def loudness(self):
        return self.page.evaluate(LOUDNESS)

    def is_content(self):
        assert self.errors == [] and self.visitor.complaints == [] and self.visitor.elsewhere == []


def uploaded(clinic, lena, name, wave):
    """A sound in the library: its id, and what it is lifted by."""
    category = lena("GET", "/sound-categories")[0]["id"]
    border = uuid.uuid4().hex
    fields = {"title": json.dumps({"de": name, "en": name}), "category_id": category, "credits": "Ada", "licence": "CC0"}
    body = b"".join(
        f'--{border}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode() for key, value in fields.items())
    body += f'--{border}\r\nContent-Disposition: form-data; name="audio"; filename="{name}.wav"\r\n'.encode()
    body += b"Content-Type: audio/wav\r\n\r\n" + wave + f"\r\n--{border}--\r\n".encode()
    request = urllib.request.Request(clinic + "/api/v1/sounds", body, {
        "Authorization": f"Bearer {lena.token}", "Content-Type": f"multipart/form-data; boundary={border}"})
    with urllib.request.urlopen(request) as answer:
        made = json.load(answer)["data"]
    lena("PATCH", f"/sounds/{made['id']}", {"published": True})
    return made["id"], made["attributes"]["gain_db"]


@pytest.fixture(scope="module")
def tones(clinic):
    """A soft tone for half a minute, which is decoded, and for longer, which is streamed; and a loud long one."""
    lena = API(clinic, "lena@example.org")
    waves = {"short": quiet_wave(30, 800), "long": quiet_wave(75, 800), "loud": quiet_wave(75, 30_000)}
    return {name: uploaded(clinic, lena, name, wave) for name, wave in waves.items()}


KINDS = pytest.mark.parametrize("kind", ["short", "long"])


@KINDS
def test_rp116_what_the_system_pauses_is_paused_and_counts_no_longer(visit, tones, kind):
    listener = Listener(visit(), tones[kind][0])
    page = listener.page
    listener.play()
    for number in range(page.evaluate("played.size")):
        # Headphones are pulled out.
        page.evaluate("(number) => [...played][number].pause()", number)
        page.wait_for_selector("[data-state=paused]")
        assert page.inner_text("[data-part=play]") == "Abspielen"
        assert page.evaluate("navigator.mediaSession.playbackState") == "paused"
        assert page.evaluate("[...played].every((one) => one.paused)")
        at, heard = listener.position(), listener.heard()
        page.wait_for_timeout(1200)
        assert listener.heard() == heard and listener.position() == at
        # The next tap plays on.
        listener.play()
    # A call comes, and when it is over the system goes on by itself.
    page.evaluate("for (const one of played) one.pause()")
    page.wait_for_selector("[data-state=paused]")
    page.evaluate("for (const one of played) void one.play()")
    page.wait_for_selector("[data-state=playing]")
    listener.sounds_on()
    assert abs(listener.loudness() - listener.loudness()) < 1 and listener.loudness() > -80
    listener.is_content()


def test_rp116_the_clock_of_a_context_that_the_system_stops_is_a_pause(visit, tones):
    contexts = "const Own = AudioContext; window.contexts = []; AudioContext = class extends Own { constructor() { super(); contexts.push(this) } }"
    listener = Listener(visit(), tones["short"][0], before=(SURROUNDINGS, contexts))
    listener.play()
    listener.page.evaluate("contexts[0].suspend()")
    listener.page.wait_for_selector("[data-state=paused]")
    listener.play()
    listener.is_content()


@KINDS
def test_rp116_two_taps_while_it_is_fetched_leave_nothing_sounding(visit, tones, kind):
    listener = Listener(visit(), tones[kind][0])
    page = listener.page
    held = []
    is_held = True
    page.route("**/sounds/files/*", lambda route: held.append(route) if is_held else route.continue_())
    page.click("[data-part=play]")
    eventually(lambda: page.wait_for_timeout(20) or held)
    page.click("[data-part=play]")
    is_held = False
    for route in held:
        route.continue_()
    page.wait_for_timeout(1000)
    assert page.get_attribute(".player", "data-state") == "paused" and listener.heard() == 0
    assert page.evaluate("starts === 0 && [...played].every((one) => one.paused)")
    assert page.inner_text("[data-part=say]") == ""
    listener.play()
    assert page.evaluate("starts") == (1 if kind == "short" else 0)
    listener.is_content()


@KINDS
def test_rp117_the_sleep_timer_rests_while_a_sound_is_paused(visit, tones, kind):
    visitor = visit()
    clock = visitor.page.clock
    clock.install()
    listener = Listener(visitor, tones[kind][0])
    page = listener.page
    page.evaluate("""async () => {
      const { events } = await import(document.querySelector('script[src*="/player.js"]').src)
      window.finished = 0
      events.addEventListener("finished", () => (finished += 1))
    }""")
    page.select_option("#loop", "0")
    page.select_option("#sleep", "5")
    page.evaluate("() => { const seek = document.querySelector('#seek'); seek.value = 600; seek.dispatchEvent(new Event('change')) }")
    listener.play()
    clock.fast_forward("03:00")
    # To move on in the sound is no reason to stay awake for longer.
    page.click("[data-part=back]")
    listener.pause()
    at = listener.position()
    assert at != "0:00"
    clock.fast_forward("15:00")
    assert listener.position() == at and page.evaluate("finished") == 0
    listener.play()
    clock.fast_forward("01:35")
    assert page.get_attribute(".player", "data-state") == "playing"
    clock.fast_forward("00:20")
    clock.fast_forward("00:11")
    page.wait_for_selector("[data-state=paused]")
    assert listener.position() == "0:00" and page.evaluate("finished") == 1
    # The next evening it counts anew.
    listener.play()
    clock.fast_forward("04:00")
    assert page.get_attribute(".player", "data-state") == "playing" and page.evaluate("finished") == 1
    listener.is_content()


def on_by_ten(listener):
    listener.page.click("[data-part=forward]")


def on_after_a_pause(listener):
    listener.pause()
    listener.page.click("[data-part=play]")


def longer(listener):
    listener.page.select_option("#sleep", "30")


@KINDS
@pytest.mark.parametrize("go_on", [on_by_ten, on_after_a_pause, longer])
def test_rp118_going_on_while_it_fades_is_as_loud_as_before(visit, tones, kind, go_on):
    visitor = visit()
    clock = visitor.page.clock
    clock.install()
    listener = Listener(visitor, tones[kind][0])
    page = listener.page
    page.select_option("#loop", "0")
    page.select_option("#sleep", "5")
    page.click("[data-part=play]")
    listener.sounds_on(4)
    loud = listener.loudness()
    clock.fast_forward("04:47")
    # It becomes softer by and by, not at once: after two thirds of the fade it would be softer by ten.
    assert listener.loudness() > loud - 10
    eventually(lambda: listener.loudness() < loud - 4)
    go_on(listener)
    page.wait_for_selector("[data-state=playing]")
    eventually(lambda: abs(listener.loudness() - loud) < 0.5)
    # The person is awake: the time that was chosen begins anew.
    clock.run_for(15_000)
    clock.fast_forward("04:00")
    assert page.get_attribute(".player", "data-state") == "playing"
    assert abs(listener.loudness() - loud) < 0.5
    listener.is_content()


REFUSING = {
    "refused": "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('', 'SecurityError') } })",
    "none": "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { value: null })",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }",
}


@pytest.mark.parametrize("storage", REFUSING)
@KINDS
def test_rp120_a_browser_that_keeps_nothing_plays(visit, tones, kind, storage):
    listener = Listener(visit(), tones[kind][0], before=(SURROUNDINGS, REFUSING[storage]))
    page = listener.page
    assert page.is_visible("[data-part=play]") and not page.is_visible("audio")
    listener.play()
    loud = listener.loudness()
    page.fill("#volume", "25")
    eventually(lambda: abs(listener.loudness() - (loud - 40 * math.log10(2))) < 0.5)
    listener.pause()
    listener.is_content()


@pytest.mark.parametrize("storage", REFUSING)
@pytest.mark.parametrize("stays", [False, True])
def test_rp120_what_is_heard_there_is_asked_about_and_kept(visit, clinic, tones, storage, stays):
    tom = API(clinic, "tom@example.org")
    before = len(tom("GET", "/my/listening-sessions?limit=200"))
    visitor = visit(**PHONE)
    visitor.open("/login")
    visitor.page.fill("#email", "tom@example.org")
    visitor.page.fill("#password", PASSWORD)
    visitor.page.set_checked("#stay_signed_in", stays)
    visitor.page.click("main button")
    visitor.page.wait_for_url("**/my")
    database = "; Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('', 'SecurityError') } })"
    listener = Listener(
        visitor, tones["short"][0], before=(SURROUNDINGS, REFUSING[storage] + database, f"({LONGER})()"), path="/my/sounds")
    page = listener.page
    assert (page.get_attribute("[data-behaviour~=own-state]", "data-stays") == "true") == stays
    listener.play()
    until(page, HEARD)
    page.click("a[href='/my/sounds/statistics']")
    page.wait_for_selector("dialog[open]")
    page.click("dialog button[value='2']")
    page.wait_for_url("**/my/sounds/statistics")
    after = tom("GET", "/my/listening-sessions?limit=200")
    assert len(after) == before + 1 and after[0]["attributes"]["rating"] == 2


@pytest.mark.parametrize("status, code", [(429, "too_many_requests"), (401, "unauthorized"), (400, "foreign_form")])
def test_rp120_what_was_heard_stays_until_it_was_looked_at(visit, clinic, tones, status, code):
    tom = API(clinic, "tom@example.org")
    before = len(tom("GET", "/my/listening-sessions?limit=200"))
    visitor = visit(**PHONE)
    visitor.sign_in("tom@example.org")
    listener = Listener(visitor, tones["short"][0], before=(SURROUNDINGS, f"({LONGER})()"), path="/my/sounds")
    page = listener.page
    listener.play()
    until(page, HEARD)
    refused = {"status": status, "code": code, "title": "", "message": "-"}
    answer = lambda route: route.fulfill(status=status, json=refused) if route.request.method == "POST" else route.fallback()
    page.route("**/my/sounds/**", answer)
    page.click("a[href='/my/sounds/statistics']")
    page.wait_for_selector("dialog[open]")
    page.click("dialog button[value='2']")
    page.wait_for_url("**/my/sounds/statistics")
    assert len(tom("GET", "/my/listening-sessions?limit=200")) == before
    page.unroute("**/my/sounds/**", answer)
    # The list of sounds sends what was left behind.
    visitor.open("/my/sounds")
    eventually(lambda: len(tom("GET", "/my/listening-sessions?limit=200")) == before + 1)
    assert tom("GET", "/my/listening-sessions?limit=200")[0]["attributes"]["rating"] == 2


@KINDS
def test_rp120_the_bar_of_the_lock_screen_moves(visit, tones, kind):
    listener = Listener(visit(), tones[kind][0])
    page = listener.page
    page.select_option("#loop", "0")
    told = "lockScreen.positions.at(-1)"
    listener.play()
    length = {"short": 30, "long": 75}[kind]
    assert abs(page.evaluate(f"{told}.duration") - length) < 0.1 and page.evaluate(f"{told}.position") < 1
    # What it was told leads to where the sound is now, without being told every moment.
    listener.sounds_on(2)
    page.evaluate("void lockScreen.handlers.seekto({ action: 'seekto', seekTime: 20 })")
    page.wait_for_selector("[data-part=position]:text-is('0:20')")
    eventually(lambda: 20 <= page.evaluate(f"{told}.position") < 21)
    assert page.evaluate("lockScreen.positions.length") <= 6
    page.evaluate("void lockScreen.handlers.seekbackward({ action: 'seekbackward', seekOffset: 5 })")
    eventually(lambda: 15 <= page.evaluate(f"{told}.position") < 16.5)
    # It goes round, and the bar begins again.
    page.evaluate("(at) => void lockScreen.handlers.seekto({ action: 'seekto', seekTime: at })", length - 1)
    eventually(lambda: page.evaluate(f"{told}.position") < 2)
    page.evaluate("lockScreen.handlers.pause({ action: 'pause' })")
    page.wait_for_selector("[data-state=paused]")
    # A nonsense that a system says leads nowhere.
    page.evaluate("void lockScreen.handlers.seekto({ action: 'seekto', seekTime: 1e9 })")
    page.evaluate("void lockScreen.handlers.seekto({ action: 'seekto' })")
    page.evaluate("lockScreen.handlers.stop({ action: 'stop' })")
    eventually(lambda: page.evaluate(f"{told}.position") == 0)
    listener.is_content()


CONTEXTS = "const Own = AudioContext; window.contexts = []; AudioContext = class extends Own { constructor() { super(); contexts.push(this) } }"
# How loud the page's element is set to be, each time it changes.
VOLUMES = """() => {
  window.volumes = []
  const element = document.querySelector(".player audio")
  element.addEventListener("volumechange", () => volumes.push(element.volume))
}"""
PEAKS = {"short": 800, "long": 800, "loud": 30_000}


@pytest.mark.parametrize("kind", PEAKS)
@pytest.mark.parametrize("phone", ["Android", "iPhone"])
def test_rp119_a_sound_is_as_loud_as_its_gain_and_the_slider_say(visit, tones, kind, phone):
    listener = Listener(visit(), tones[kind][0], before=(SURROUNDINGS, READ_ONLY if phone == "iPhone" else ""))
    page = listener.page
    listener.play()
    # A tone's power is half of its peak's.
    lifted = 20 * math.log10(PEAKS[kind] / 32768) - 10 * math.log10(2) + tones[kind][1]
    for slider in (50, 100, 30):
        page.fill("#volume", str(slider))
        eventually(lambda: abs(listener.loudness() - (lifted + 40 * math.log10(slider / 100))) < 0.5, 10)
    assert page.inner_text("[data-part=say]") == ""
    listener.is_content()


@pytest.mark.parametrize("phone", ["Android", "iPhone"])
def test_rp119_where_the_context_is_taken_away_it_plays_on_and_says_so(visit, tones, phone):
    listener = Listener(visit(), tones["long"][0], before=(SURROUNDINGS, CONTEXTS, READ_ONLY if phone == "iPhone" else ""))
    page = listener.page
    page.fill("#volume", "100")
    listener.play()
    loud = listener.loudness()
    at, heard = page.evaluate("[...played].find((one) => !one.srcObject).currentTime"), listener.heard()
    page.evaluate("contexts[0].suspend()")
    eventually(lambda: "nicht in der üblichen Lautstärke" in page.inner_text("[data-part=say]"))
    listener.sounds_on(1)
    assert page.get_attribute(".player", "data-state") == "playing"
    # The page's own element goes on where the other one stood, and only one of them plays.
    assert page.evaluate("[...played].filter((one) => !one.paused).length") == 1
    now, counted = page.evaluate("document.querySelector('.player audio').currentTime"), listener.heard()
    assert at < now and abs((now - at) - (counted - heard)) < 0.5
    # With the next tap the context is tried again.
    listener.pause()
    listener.play()
    eventually(lambda: abs(listener.loudness() - loud) < 0.5)
    assert page.inner_text("[data-part=say]") == ""
    # A call takes the context and the elements: that is a pause.
    page.evaluate("contexts[0].suspend(); for (const one of played) one.pause()")
    page.wait_for_selector("[data-state=paused]")
    assert page.evaluate("[...played].every((one) => one.paused)")
    listener.is_content()


def test_rp119_after_the_context_was_taken_away_the_slider_counts_once(visit, tones):
    listener = Listener(visit(), tones["loud"][0], before=(SURROUNDINGS, CONTEXTS))
    page = listener.page
    page.fill("#volume", "50")
    listener.play()
    loud = listener.loudness()
    page.evaluate("contexts[0].suspend()")
    page.wait_for_function("!document.querySelector('.player audio').srcObject")
    eventually(lambda: abs(listener.loudness() - loud) < 0.5)
    listener.pause()
    listener.play()
    eventually(lambda: abs(listener.loudness() - loud) < 0.5)
    listener.is_content()


def test_rp119_a_fade_goes_on_where_the_context_is_taken_away(visit, tones):
    visitor = visit()
    clock = visitor.page.clock
    clock.install()
    listener = Listener(visitor, tones["loud"][0], before=(SURROUNDINGS, CONTEXTS))
    page = listener.page
    page.select_option("#loop", "0")
    page.select_option("#sleep", "5")
    page.fill("#volume", "100")
    page.click("[data-part=play]")
    listener.sounds_on()
    page.evaluate(VOLUMES)
    # The fade takes ten seconds of the page's clock: nothing is measured in between, which can take as long.
    clock.fast_forward("04:55")
    page.evaluate("contexts[0].suspend()")
    page.wait_for_selector("[data-state=paused]")
    assert page.evaluate("!document.querySelector('.player audio').srcObject")
    volumes = page.evaluate("volumes")
    softer = volumes[:volumes.index(min(volumes)) + 1]
    assert len(softer) > 4 and softer == sorted(softer, reverse=True) and softer[-1] < softer[0] / 5, volumes
    listener.is_content()


@pytest.mark.parametrize("why", ["lowered", "fading"])
def test_rp119_what_would_play_on_much_louder_on_an_iphone_pauses_and_says_so(visit, tones, why):
    visitor = visit()
    visitor.page.clock.install()
    listener = Listener(visitor, tones["loud"][0], before=(SURROUNDINGS, CONTEXTS, READ_ONLY))
    page = listener.page
    page.select_option("#loop", "0")
    page.select_option("#sleep", "5")
    page.fill("#volume", "20" if why == "lowered" else "100")
    page.click("[data-part=play]")
    listener.sounds_on()
    if why == "fading":
        page.clock.fast_forward("04:55")
    page.evaluate("contexts[0].suspend()")
    page.wait_for_selector("[data-state=paused]")
    assert "viel lauter" in page.inner_text("[data-part=say]")
    assert page.evaluate("[...played].every((one) => one.paused)")
    page.click("[data-part=play]")
    page.wait_for_selector("[data-state=playing]")
    assert page.inner_text("[data-part=say]") == ""
    listener.is_content()


LACKING = {
    "none": "delete window.AudioContext; window.AudioContext = undefined",
    "refused": "window.AudioContext = class { constructor() { throw new DOMException('', 'NotSupportedError') } }",
    "no stream": "AudioContext.prototype.createMediaStreamDestination = undefined",
    "silent": "AudioContext.prototype.resume = () => new Promise(() => {})",
}


@pytest.mark.parametrize("lacking", LACKING)
def test_rp119_without_a_context_it_plays_as_loud_as_the_element_may(visit, tones, lacking):
    listener = Listener(visit(), tones["long"][0], before=(SURROUNDINGS, LACKING[lacking]))
    page = listener.page
    listener.play()
    element = "document.querySelector('.player audio')"
    level = 10 ** (tones["long"][1] / 20)
    eventually(lambda: abs(page.evaluate(f"{element}.volume") - level * 0.25) < 0.01)
    assert page.inner_text("[data-part=say]") == ""
    page.fill("#volume", "100")
    eventually(lambda: "nicht in der üblichen Lautstärke" in page.inner_text("[data-part=say]"))
    assert page.evaluate(f"{element}.volume") == 1
    page.fill("#volume", "50")
    assert page.inner_text("[data-part=say]") == ""
    listener.sounds_on()
    listener.is_content()
