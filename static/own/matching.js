// Matching one's tinnitus: threshold, pitch, threshold at that pitch, loudness over it. Every step has its words in the page; here
// is only what sounds, and what becomes of it.
import { limits, play, playNotched } from "./tones.js"

const lowest = 125
const octaves = 7
const stepsAnOctave = 24
/** @param {number} step */
const pitch = (step) => Math.min(16_000, lowest * 2 ** (step / stepsAnOctave))

/** @type {AudioContext | null} */
let context = null
/** @type {ReturnType<typeof play> | null} */
let sounding = null

function quiet() {
  sounding?.stop()
  sounding = null
  for (const button of document.querySelectorAll("[data-play]")) button.setAttribute("aria-pressed", "false")
}

async function ready() {
  context ??= new AudioContext()
  if (context.state === "suspended") await context.resume()
  return context
}

/** @param {HTMLElement} root */
function match(root) {
  const form = /** @type {HTMLFormElement} */ (root.querySelector("form"))
  /** @param {string} name */
  const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))
  /** @param {string} name */
  const knob = (name) => /** @type {HTMLInputElement} */ (root.querySelector(`[data-knob="${name}"]`))
  const steps = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-step]")])
  const found = { threshold: limits.floor, frequency: 1000, own: limits.floor, loudness: limits.floor }
  const pair = { middle: 2000, apart: 1, left: 9 }
  let step = "ready"

  const sound = () => ({
    kind: field("kind").value,
    frequency: step === "threshold" ? 1000 : found.frequency,
    bandwidth: field("kind").value === "noise" ? 0.33 : null,
  })
  /** Well above the threshold, and never above the limit. */
  const comfortable = () => Math.min(found.threshold + 20, limits.ceiling)
  const level = () => {
    if (step === "threshold" || step === "own" || step === "loudness") return Number(knob(step).value)
    return comfortable()
  }
  /** @param {string} next */
  const show = (next) => {
    quiet()
    step = next
    for (const one of steps) one.hidden = one.dataset.step !== next
    const heading = steps.find((one) => one.dataset.step === next)?.querySelector("h3")
    heading?.focus()
    if (next === "own" || next === "loudness") knob(next).value = String(next === "own" ? limits.floor : found.own)
  }
  /** @param {number} which 0 for the lower one, 1 for the higher one */
  const one = (which) => Math.min(16_000, Math.max(lowest, pair.middle * 2 ** ((which - 0.5) * pair.apart)))

  const after = {
    ready: () => {
      pair.middle = 2000
      pair.apart = 1.5
      pair.left = 9
      knob("threshold").value = String(limits.floor)
      show("threshold")
    },
    threshold: () => {
      found.threshold = level()
      knob("pitch").value = String(Math.round((0.25 + Math.random() / 2) * octaves * stepsAnOctave))
      found.frequency = pitch(Number(knob("pitch").value))
      show(field("method").value === "2afc" ? "pair" : "pitch")
    },
    pitch: () => show("own"),
    own: () => {
      found.own = level()
      show("loudness")
    },
    loudness: () => {
      found.loudness = level()
      field("matched_at").value = new Date().toISOString()
      field("frequency_hz").value = String(found.frequency)
      field("level_sl_db").value = String(Math.max(-20, Math.min(100, found.loudness - found.own)))
      field("bandwidth_octaves").value = sound().bandwidth === null ? "" : String(sound().bandwidth)
      field("device").value = (/** @type {any} */ (navigator).userAgentData?.platform ?? navigator.platform ?? "").slice(0, 120)
      show("certainty")
    },
  }

  root.addEventListener("input", (event) => {
    const name = /** @type {HTMLElement} */ (event.target).dataset.knob
    if (!name) return
    if (name === "pitch") {
      found.frequency = pitch(Number(knob("pitch").value))
      sounding?.tune(found.frequency)
    } else sounding?.setLevel(level())
  })
  root.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("button")
    if (!button || button.type === "submit") return
    const { go, play: which, choose } = button.dataset
    if (which !== undefined) {
      const wasOn = button.getAttribute("aria-pressed") === "true"
      quiet()
      if (wasOn) return
      void ready().then((context) => {
        quiet()
        const heard = sound()
        if (step === "pair") heard.frequency = one(Number(which))
        sounding = play(context, heard, level(), field("ear").value)
        button.setAttribute("aria-pressed", "true")
      })
    } else if (choose !== undefined) {
      pair.middle = one(Number(choose))
      pair.apart *= 0.7
      pair.left -= 1
      found.frequency = pair.middle
      quiet()
      if (pair.left === 0) show("own")
      else {
        const left = root.querySelector("[data-left]")
        if (left) left.textContent = String(pair.left)
      }
    } else if (go === "next") after[/** @type {keyof typeof after} */ (step)]?.()
    else if (go === "again") show("ready")
  })
  root.hidden = false
}

/** @param {HTMLElement} root */
function offer(root) {
  const button = /** @type {HTMLButtonElement} */ (root.querySelector("[data-play]"))
  const volume = /** @type {HTMLInputElement} */ (root.querySelector("input"))
  button.addEventListener("click", () => {
    const wasOn = button.getAttribute("aria-pressed") === "true"
    quiet()
    if (wasOn) return
    void ready().then((context) => {
      sounding = playNotched(context, Number(root.dataset.frequency), Number(volume.value))
      button.setAttribute("aria-pressed", "true")
    })
  })
  volume.addEventListener("input", () => {
    if (button.getAttribute("aria-pressed") === "true") sounding?.setLevel(Number(volume.value))
  })
  root.hidden = false
}

export function matching() {
  if (!("AudioContext" in globalThis)) return
  addEventListener("keydown", (event) => event.key === "Escape" && quiet())
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && quiet())
  addEventListener("pagehide", quiet)
  for (const note of document.querySelectorAll("[data-without-sound]")) note.remove()
  for (const root of document.querySelectorAll('[data-behaviour~="matching"]')) match(/** @type {HTMLElement} */ (root))
  for (const root of document.querySelectorAll('[data-behaviour~="notched"]')) offer(/** @type {HTMLElement} */ (root))
}
