// Long sounds, piece by piece.
import { ofElement } from "./loudness.js"
import { follow, plan } from "./playing.js"

/** @typedef {import("./playing.js").Engine} Engine */

/**
 * Played by the element, which asks for what it needs.
 * @param {HTMLAudioElement} element
 * @param {import("./playing.js").Sound} sound
 * @returns {Promise<Engine>}
 */
export async function streamed(element, { shape, gain }) {
  let before = 0
  let since = 0
  let ends = Infinity
  let minutes = /** @type {number | null} */ (null)
  const loudness = ofElement(element)
  let isOn = false
  const stretch = () => (since ? (performance.now() - since) / 1000 : 0)
  const pause = () => {
    before += stretch()
    since = 0
  }
  element.addEventListener("playing", () => (since ||= performance.now()))
  for (const name of ["pause", "waiting", "seeking"]) element.addEventListener(name, pause)
  /** @type {Engine} */
  const engine = {
    async start(position, wanted) {
      ;[isOn, minutes] = [true, wanted]
      element.currentTime = position
      const found = plan(shape, position, wanted)
      ends = wanted === null ? Infinity : before + found.total
      await element.play()
    },
    halt() {
      isOn = false
      element.pause()
    },
    position: () => element.currentTime,
    heard: () => before + stretch(),
    volume: (value) => loudness.set(value * gain),
    fade: loudness.fade,
    onEnd: () => undefined,
    onHalt: () => undefined,
    onResume: () => undefined,
  }
  follow(element, engine, () => isOn)
  const end = () => {
    engine.halt()
    ends = Infinity
    engine.onEnd()
  }
  const again = () => {
    if (minutes === null) return end()
    element.currentTime = shape.loopStart
    void element.play()
  }
  element.addEventListener("ended", again)
  element.addEventListener("timeupdate", () => {
    if (engine.heard() >= ends) end()
    else if (minutes !== null && element.currentTime >= shape.loopEnd && !element.ended) {
      element.currentTime = shape.loopStart
    }
  })
  return engine
}
