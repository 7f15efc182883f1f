// The player of one sound: its controls, and what the page says.
import { decoded } from "./decoded.js"
import { lockScreen } from "./lockscreen.js"
import { linear } from "./playing.js"
import { recall, remember } from "./remembered.js"
import { sleepTimer } from "./sleeping.js"
import { streamed } from "./streamed.js"

/** @typedef {import("./playing.js").Engine} Engine */

const box = /** @type {HTMLElement} */ (document.querySelector('[data-behaviour~="player"]'))
const element = /** @type {HTMLAudioElement} */ (box.querySelector("audio"))
const data = box.dataset

/** @type {import("./playing.js").Shape} */
const shape = {
  length: Number(data.seconds),
  loopStart: data.loopStart ? Number(data.loopStart) : 0,
  loopEnd: data.loopEnd ? Number(data.loopEnd) : Number(data.seconds),
}
const sound = { shape, gain: linear(Number(data.gain)), audio: data.audio ?? "" }

/**
 * @template {HTMLElement} T
 * @param {string} name
 * @returns {T}
 */
const part = (name) => /** @type {T} */ (document.querySelector(`[data-part="${name}"]`))

/** Where the volume is kept. */
const volumePlace = "intersession-volume"

/** @param {string} [text] */
export const tell = (text = "") => (part("say").textContent = text)

/** @param {number} seconds */
function clock(seconds) {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`
}

/** What pages around it hear of: the begin of playing, and the end. */
export const events = new EventTarget()

/** @type {Engine | undefined} */
let engine
/** @type {Promise<Engine> | undefined} */
let loading
/** Whether it is meant to play: from the tap on, before anything can be heard. */
let isPlaying = false
/** Which tap was the last: one that was overtaken while it waited does nothing any more. */
let turn = 0
let position = 0

const sleep = sleepTimer({
  minutes: () => Number(/** @type {HTMLSelectElement} */ (part("sleep")).value),
  fade: (seconds) => engine?.fade(seconds),
  restore: setVolume,
  end() {
    stop()
    events.dispatchEvent(new Event("finished"))
  },
})

const screen = lockScreen(
  { title: data.title ?? "", category: data.category ?? "", picture: data.picture ?? "", length: shape.length },
  { play: () => void play(), pause, stop, go: (seconds) => void go(seconds), now },
)

/** Seconds that really sounded, since the page was opened. */
export const heard = () => engine?.heard() ?? 0

/** Whether it sounds now. */
export const playing = () => isPlaying

/** How it is repeated: null once, else minutes. */
export function minutes() {
  const value = /** @type {HTMLSelectElement} */ (part("loop")).value
  return value === "" ? null : Number(value)
}

function draw() {
  const at = now()
  part("position").textContent = clock(at)
  const seek = /** @type {HTMLInputElement} */ (part("seek"))
  if (document.activeElement !== seek || isPlaying) seek.value = String(Math.round((at / shape.length) * 1000))
  seek.setAttribute("aria-valuetext", (data.position ?? "").replace("{at}", clock(at)).replace("{length}", clock(shape.length)))
  const button = part("play")
  button.textContent = (isPlaying ? data.pause : data.play) ?? ""
  button.setAttribute("aria-pressed", String(isPlaying))
  box.dataset.state = isPlaying ? "playing" : "paused"
  screen.tell(at, isPlaying)
}

async function make() {
  tell(data.loading)
  const plain = () => streamed(element, sound)
  engine = await (data.gapless ? decoded(element, sound).catch(plain) : plain())
  engine.onEnd = () => {
    isPlaying = false
    position = 0
    sleep.rest()
    sleep.renew()
    draw()
    events.dispatchEvent(new Event("finished"))
  }
  engine.onHalt = (wouldBeLoud) => {
    pause()
    if (wouldBeLoud) tell(data.loud)
  }
  engine.onResume = () => void play()
  tell()
  let wasAsWanted = true
  engine.onLevel = (isAsWanted) => {
    if (isAsWanted !== wasAsWanted) tell(isAsWanted ? "" : data.level)
    wasAsWanted = isAsWanted
  }
  setVolume()
  return engine
}

/** Made once, and anew where that has failed. */
const load = () =>
  (loading ??= make().catch((error) => {
    loading = undefined
    throw error
  }))

export async function play() {
  if (isPlaying) return
  const mine = (turn += 1)
  isPlaying = true
  if (part("say").textContent === data.loud) tell()
  draw()
  try {
    const own = await load()
    if (mine !== turn) return
    if (position >= shape.length - 0.05) position = 0
    await own.start(position, minutes())
    if (mine !== turn) return
    sleep.count()
    events.dispatchEvent(new Event("begun"))
    screen.announce()
  } catch {
    // What was overtaken was no failure: a pause ends the waiting for a sound.
    if (mine !== turn) return
    pause()
    tell(data.failed)
  }
  draw()
}

export function pause() {
  if (!isPlaying) return
  turn += 1
  isPlaying = false
  if (engine) {
    position = engine.position()
    engine.halt()
  }
  sleep.rest()
  draw()
  events.dispatchEvent(new Event("paused"))
}

export function stop() {
  pause()
  position = 0
  sleep.renew()
  draw()
}

/** @param {number} seconds */
async function go(seconds) {
  const wasPlaying = isPlaying
  if (wasPlaying) pause()
  position = Math.max(0, Math.min(seconds, shape.length))
  if (wasPlaying) await play()
  draw()
}

function now() {
  return isPlaying ? (engine?.position() ?? position) : position
}

function setVolume() {
  const value = Number(/** @type {HTMLInputElement} */ (part("volume")).value)
  remember(volumePlace, String(value))
  // The ear hears steps of equal ratio as equal.
  engine?.volume((value / 100) ** 2)
}

function begin() {
  element.hidden = true
  part("panel").hidden = false
  const volume = /** @type {HTMLInputElement} */ (part("volume"))
  volume.value = recall(volumePlace) ?? volume.value
  volume.addEventListener("input", setVolume)
  part("play").addEventListener("click", () => (isPlaying ? pause() : void play()))
  part("stop").addEventListener("click", stop)
  part("back").addEventListener("click", () => void go(now() - 10))
  part("forward").addEventListener("click", () => void go(now() + 10))
  part("sleep").addEventListener("change", sleep.renew)
  part("loop").addEventListener("change", () => void go(now()))
  const seek = /** @type {HTMLInputElement} */ (part("seek"))
  seek.addEventListener("change", () => void go((Number(seek.value) / 1000) * shape.length))
  setInterval(() => isPlaying && draw(), 250)
  draw()
  // With an account it is asked afterwards how it was, and kept.
  if (document.querySelector('[data-part="rating"]')) void import("./heard.js").then((module) => module.begin())
}

begin()
