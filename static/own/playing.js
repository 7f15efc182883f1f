// How a sound is repeated: the arithmetic of loops, and what is put on the clock of an audio context. Nothing here knows of a
// page, so that the same code can be rendered without one.

/**
 * A sound as it is repeated, in seconds.
 * @typedef {{ length: number, loopStart: number, loopEnd: number }} Shape
 * @typedef {{ rest: number, rounds: number, remainder: number, total: number }} Plan
 *   What is left of the round that runs, whole rounds after it, and what is left of the time then
 * @typedef {{ shape: Shape, gain: number, audio: string }} Sound its gain as a factor, and its address
 */

/**
 * What plays: `start` from a position, `halt` where it stands. It says when it has come to its end, and when the system has halted it or
 * has it go on: headphones are pulled out, a call comes and ends; and whether it is as loud as it should be.
 * @typedef {{ start: (position: number, minutes: number | null) => Promise<void>, halt: () => void, position: () => number,
 *   heard: () => number, volume: (value: number) => void, fade: (seconds: number) => void, onEnd: () => void, onHalt: (wouldBeLoud?: boolean) => void,
 *   onResume: () => void, onLevel: (isAsWanted: boolean) => void }} Engine
 */

/**
 * How long is played from a position on, where somebody wants to hear it for some minutes.
 *
 * The time is used up by the rest of this round first, then by whole rounds; what is left is the begin of another one.
 * @param {Shape} shape
 * @param {number} position where it stands, in seconds from the begin of the sound
 * @param {number | null} minutes null: once; 0: without an end
 * @returns {Plan}
 */
export function plan(shape, position, minutes) {
  if (minutes === null) {
    const rest = Math.max(0, shape.length - position)
    return { rest, rounds: 0, remainder: 0, total: rest }
  }
  if (minutes === 0) return { rest: shape.loopEnd - position, rounds: Infinity, remainder: 0, total: Infinity }
  const time = minutes * 60
  const rest = Math.max(0, shape.loopEnd - position)
  if (rest >= time) return { rest: time, rounds: 0, remainder: 0, total: time }
  const round = shape.loopEnd - shape.loopStart
  const rounds = Math.floor((time - rest) / round)
  return { rest, rounds, remainder: time - rest - rounds * round, total: time }
}

/**
 * Where a sound stands after some time of playing, rounds and all.
 * @param {Shape} shape
 * @param {number} begin where it began
 * @param {number} elapsed
 * @param {boolean} loops
 */
export function positionAfter(shape, begin, elapsed, loops) {
  const position = begin + elapsed
  if (!loops) return Math.min(position, shape.length)
  if (position < shape.loopEnd) return position
  const round = shape.loopEnd - shape.loopStart
  return shape.loopStart + ((position - shape.loopStart) % round)
}

/** How long a sound takes to come and to go, so that neither clicks. */
const ramp = 0.02

/**
 * Puts a sound on the clock of a context. The context repeats it itself, sample by sample: there is no gap to close.
 * @param {BaseAudioContext} context
 * @param {AudioBuffer} buffer
 * @param {Shape} shape
 * @param {{ position: number, minutes: number | null, at?: number, out: AudioNode }} how
 * @returns {{ source: AudioBufferSourceNode, fade: GainNode, begins: number, plan: Plan }}
 */
export function schedule(context, buffer, shape, { position, minutes, at = context.currentTime, out }) {
  const source = context.createBufferSource()
  source.buffer = buffer
  source.loop = minutes !== null
  source.loopStart = shape.loopStart
  source.loopEnd = Math.min(shape.loopEnd, buffer.duration)
  const fade = context.createGain()
  fade.gain.setValueAtTime(0, at)
  fade.gain.linearRampToValueAtTime(1, at + ramp)
  source.connect(fade).connect(out)
  const found = plan(shape, position, minutes)
  source.start(at, position)
  if (Number.isFinite(found.total)) {
    const end = at + found.total
    // What ends by itself fades by itself; what is cut off is faded here.
    if (minutes !== null) {
      fade.gain.setValueAtTime(1, Math.max(at + ramp, end - ramp))
      fade.gain.linearRampToValueAtTime(0, end)
    }
    source.stop(end)
  }
  return { source, fade, begins: at, plan: found }
}

/** @param {number} decibels */
export const linear = (decibels) => 10 ** (decibels / 20)

/**
 * Follows what the system does to an element.
 * @param {HTMLMediaElement} element
 * @param {Engine} engine
 * @param {() => boolean} isOn whether it is meant to sound
 * @param {() => boolean} [isUsed] whether it is one that sounds go through now
 */
export function follow(element, engine, isOn, isUsed = () => true) {
  // Events come later than what they tell of: how it stands now is asked, too.
  element.addEventListener("pause", () => isUsed() && isOn() && element.paused && !element.ended && engine.onHalt())
  element.addEventListener("play", () => isUsed() && !isOn() && !element.paused && engine.onResume())
}

/** How long a context may take to begin, in milliseconds: a system that has taken it away says nothing. */
const patience = 1500

/**
 * Has a context begin.
 * @param {AudioContext} context
 * @returns {Promise<unknown>} rejected where it does not
 */
export const begun = (context) =>
  Promise.race([context.resume(), new Promise((_, reject) => setTimeout(reject, patience, new Error(context.state)))])
