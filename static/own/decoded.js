// Short sounds, which the audio context itself repeats without a gap.
import { ofNode } from "./loudness.js"
import { begun, follow, positionAfter, schedule } from "./playing.js"

/** @typedef {import("./playing.js").Engine} Engine */

/**
 * Decoded as a whole (Web Audio). It sounds through an element, so that the screen may be locked.
 * @param {HTMLAudioElement} element
 * @param {import("./playing.js").Sound} sound
 * @returns {Promise<Engine>}
 */
export async function decoded(element, { shape, gain, audio }) {
  const context = new AudioContext()
  const reply = await fetch(audio)
  if (!reply.ok) throw new Error(String(reply.status))
  const buffer = await context.decodeAudioData(await reply.arrayBuffer())
  const level = context.createGain()
  const out = context.createMediaStreamDestination?.()
  level.connect(out ?? context.destination)
  const loudness = ofNode(level)
  if (out) {
    element.removeAttribute("src")
    element.srcObject = out.stream
  }
  /** @type {ReturnType<typeof schedule> | undefined} */
  let running
  /** Which start is the last one: none that was overtaken while it waited sounds. */
  let turn = 0
  let isOn = false
  let begin = 0
  let before = 0
  let minutes = /** @type {number | null} */ (null)
  const elapsed = () => (running ? Math.max(0, Math.min(context.currentTime - running.begins, running.plan.total)) : 0)
  /** @type {Engine} */
  const engine = {
    async start(position, wanted) {
      const mine = (turn += 1)
      ;[isOn, begin, minutes] = [true, position, wanted]
      await Promise.all([begun(context), out && element.play()])
      if (mine !== turn) return
      running = schedule(context, buffer, shape, { position, minutes: wanted, at: context.currentTime + 0.03, out: level })
      const own = running
      own.source.onended = () => {
        if (running === own) {
          engine.halt()
          engine.onEnd()
        }
      }
    },
    halt() {
      turn += 1
      isOn = false
      if (out) element.pause()
      if (!running) return
      begin = engine.position()
      before += elapsed()
      running.source.onended = null
      running.fade.gain.cancelScheduledValues(context.currentTime)
      running.fade.gain.setTargetAtTime(0, context.currentTime, 0.01)
      running.source.stop(context.currentTime + 0.06)
      running = undefined
    },
    position: () => positionAfter(shape, begin, elapsed(), minutes !== null),
    heard: () => before + elapsed(),
    volume: (value) => engine.onLevel(loudness.set(value * gain)),
    fade: loudness.fade,
    onEnd: () => undefined,
    onHalt: () => undefined,
    onResume: () => undefined,
    onLevel: () => undefined,
  }
  if (out) follow(element, engine, () => isOn)
  context.addEventListener("statechange", () => running && context.state !== "running" && engine.onHalt())
  return engine
}
