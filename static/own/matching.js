// Matching one's tinnitus: threshold, pitch, threshold at that pitch, loudness over it. Every step has its words in the page; here
// is only what sounds, and what becomes of it.
import { interrupted, keep } from "./run.js"
import { stays } from "./state.js"
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
async function match(root) {
  const form = /** @type {HTMLFormElement} */ (root.querySelector("form"))
  /** @param {string} name */
  const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))
  /** @param {string} name */
  const knob = (name) => /** @type {HTMLInputElement} */ (root.querySelector(`[data-knob="${name}"]`))
  const steps = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-step]")])
  const found = { threshold: limits.floor, frequency: 1000, own: limits.floor, loudness: limits.floor }
  const pair = { middle: 2000, apart: 1, left: 9 }
  const resumed = /** @type {HTMLElement} */ (root.querySelector("[data-resumed]"))
  const missing = /** @type {HTMLElement} */ (root.querySelector("[data-missing]"))
  const knobs = /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll("[data-knob]")])
  let step = "ready"
  let isSending = false

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
  const note = () => {
    if (step === "ready") return void keep()
    const { form_token: _, ...fields } = Object.fromEntries(new FormData(form))
    const set = Object.fromEntries(knobs.map((knob) => [knob.dataset.knob, knob.value]))
    void keep({ step, found, pair, knobs: set, fields: /** @type {Record<string, string>} */ (fields) })
  }
  const count = () => {
    const left = root.querySelector("[data-left]")
    if (left) left.textContent = String(pair.left)
  }
  /** @param {string} next */
  const turn = (next) => {
    quiet()
    step = next
    for (const one of steps) one.hidden = one.dataset.step !== next
  }
  /** @param {string} next */
  const show = (next) => {
    turn(next)
    const heading = steps.find((one) => one.dataset.step === next)?.querySelector("h3")
    heading?.focus()
    if (next === "own" || next === "loudness") knob(next).value = String(next === "own" ? limits.floor : found.own)
    if (next === "ready") resumed.hidden = true
    note()
  }
  /** @param {number} which 0 for the lower one, 1 for the higher one */
  const one = (which) => Math.min(16_000, Math.max(lowest, pair.middle * 2 ** ((which - 0.5) * pair.apart)))

  const after = {
    ready: () => {
      pair.middle = 2000
      pair.apart = 1.5
      pair.left = 9
      count()
      // An id of its own: this page may be an older one whose id has been used.
      field("id").value = crypto.randomUUID()
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
  root.addEventListener("change", () => {
    if (field("certainty").value !== "") missing.hidden = true
    if (step !== "ready") note()
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
      count()
      if (pair.left === 0) show("own")
      else note()
    } else if (go === "next") after[/** @type {keyof typeof after} */ (step)]?.()
    else if (go === "again") show("ready")
  })
  form.addEventListener("submit", (event) => {
    isSending = step === "certainty" && field("certainty").value !== ""
    if (isSending) return
    // Enter on a slider is not the end of a run.
    event.preventDefault()
    if (step !== "certainty") return
    missing.hidden = false
    field("certainty").focus()
  })
  addEventListener("pageshow", () => (isSending = false))
  addEventListener("beforeunload", (event) => {
    if (!stays && !isSending && step !== "ready") event.preventDefault()
  })

  /** @param {import("./run.js").Run} run */
  const resume = (run) => {
    Object.assign(found, run.found)
    Object.assign(pair, run.pair)
    for (const one of knobs) one.value = run.knobs[one.dataset.knob ?? ""] ?? one.value
    for (const [name, value] of Object.entries(run.fields)) if (name !== "run" && field(name)) field(name).value = value
    count()
    turn(run.step)
    resumed.hidden = false
  }
  // What the server sends back with what is wrong with it is newer than what lies here.
  if (field("frequency_hz").value !== "") turn("certainty")
  else {
    const run = await interrupted()
    if (run && steps.some((one) => one.dataset.step === run.step)) resume(run)
  }
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
  for (const root of document.querySelectorAll('[data-behaviour~="matching"]')) void match(/** @type {HTMLElement} */ (root))
  for (const root of document.querySelectorAll('[data-behaviour~="notched"]')) offer(/** @type {HTMLElement} */ (root))
}
