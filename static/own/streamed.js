// Long sounds, piece by piece.
import { ofElement, ofNode } from "./loudness.js"
import { begun, follow, plan } from "./playing.js"

/** @typedef {import("./playing.js").Engine} Engine */

/**
 * An element that reads a sound, and a node that lifts or lowers what it reads; undefined where a browser has no such thing.
 * @param {string} audio
 */
function lifting(audio) {
  try {
    const context = new AudioContext()
    const level = context.createGain()
    const out = context.createMediaStreamDestination()
    const reader = new Audio()
    reader.preload = "none"
    reader.src = audio
    context.createMediaElementSource(reader).connect(level).connect(out)
    return { context, reader, stream: out.stream, loudness: ofNode(level) }
  } catch {
    return undefined
  }
}

/** A sound that was lowered by more than this (10 dB, about half as loud) does not go on unlowered. */
const quiet = 10 ** (-10 / 20)

/**
 * Read by an element, lifted by a node, and heard through the element of the page, so that the screen may be locked. Where the context
 * has been taken away the page's element reads the sound itself: playing on goes before loudness, but what fades or was much lowered pauses
 * where an element cannot be lowered.
 * @param {HTMLAudioElement} element
 * @param {import("./playing.js").Sound} sound
 * @returns {Promise<Engine>}
 */
export async function streamed(element, { shape, gain, audio }) {
  const lifted = lifting(audio)
  const plain = ofElement(element)
  let reader = lifted?.reader ?? element
  let loudness = lifted?.loudness ?? plain
  let level = 1
  /** @type {{ begin: number, seconds: number } | undefined} */
  let fading
  let before = 0
  let since = 0
  let ends = Infinity
  let minutes = /** @type {number | null} */ (null)
  /** Which start is the last one. */
  let turn = 0
  let isOn = false
  /** Whether it sounds through the node. */
  let isLifted = false
  const stretch = () => (since ? (performance.now() - since) / 1000 : 0)
  const rest = () => {
    before += stretch()
    since = 0
  }
  const count = () => {
    const isHeard = reader === element || isLifted
    if (isHeard && !reader.paused && reader.readyState >= reader.HAVE_FUTURE_DATA) since ||= performance.now()
  }
  const put = () => engine.onLevel(loudness.set(level))

  /**
   * Everything begins within the tap, as systems ask for.
   * @param {NonNullable<typeof lifted>} by
   * @param {number} position
   */
  async function lift({ context, reader: own, stream, loudness: node }, position) {
    ;[reader, loudness] = [own, node]
    // What an earlier fallback has lowered would count twice.
    plain.set(1)
    if (element.srcObject !== stream) element.srcObject = stream
    own.currentTime = position
    const reading = own.play()
    reading.catch(() => undefined)
    await Promise.all([begun(context), element.play()])
    isLifted = true
    await reading
  }

  /** @param {number} position */
  async function playPlainly(position) {
    rest()
    isLifted = false
    lifted?.reader.pause()
    ;[reader, loudness] = [element, plain]
    if (lifted) {
      element.srcObject = null
      element.src = audio
    }
    element.currentTime = position
    put()
    if (fading) loudness.fade(fading.seconds, (performance.now() - fading.begin) / 1000)
    await element.play()
  }

  /** @type {Engine} */
  const engine = {
    async start(position, wanted) {
      const mine = (turn += 1)
      ;[isOn, minutes, fading] = [true, wanted, undefined]
      ends = wanted === null ? Infinity : before + plan(shape, position, wanted).total
      try {
        if (!lifted) throw new Error("plain")
        await lift(lifted, position)
        if (mine === turn) put()
      } catch {
        if (mine === turn) await playPlainly(position)
      }
      count()
    },
    halt() {
      turn += 1
      ;[isOn, isLifted] = [false, false]
      reader.pause()
      element.pause()
      rest()
    },
    position: () => reader.currentTime,
    heard: () => before + stretch(),
    volume(value) {
      ;[level, fading] = [value * gain, undefined]
      put()
    },
    fade(seconds) {
      fading = { begin: performance.now(), seconds }
      loudness.fade(seconds)
    },
    onEnd: () => undefined,
    onHalt: () => undefined,
    onResume: () => undefined,
    onLevel: () => undefined,
  }
  const end = () => {
    engine.halt()
    ends = Infinity
    engine.onEnd()
  }
  const again = () => {
    if (minutes === null) return end()
    reader.currentTime = shape.loopStart
    void reader.play()
  }
  const look = () => {
    if (engine.heard() >= ends) end()
    else if (minutes !== null && reader.currentTime >= shape.loopEnd && !reader.ended) reader.currentTime = shape.loopStart
  }
  for (const media of lifted ? [element, lifted.reader] : [element]) {
    const isReader = () => media === reader
    media.addEventListener("playing", count)
    for (const name of ["pause", "waiting", "seeking"]) media.addEventListener(name, () => isReader() && rest())
    media.addEventListener("ended", () => isReader() && again())
    media.addEventListener("timeupdate", () => isReader() && look())
    follow(media, engine, () => isOn, () => media === element || isReader())
  }
  lifted?.context.addEventListener("statechange", () => {
    if (!isLifted || lifted.context.state === "running") return
    // A call takes the context and pauses the elements.
    if (element.paused || reader.paused) return engine.onHalt()
    const isLow = fading !== undefined || level < quiet
    if (isLow && !plain.set(Math.min(level, quiet))) return engine.onHalt(true)
    const mine = turn
    playPlainly(reader.currentTime).catch(() => mine === turn && engine.onHalt())
  })
  return engine
}
