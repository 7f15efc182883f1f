// How loud a sound is: as its volume and its gain say, softer and softer while it fades, and as before when that is over.

/**
 * @typedef {{ set: (level: number) => boolean, fade: (seconds: number, gone?: number) => void }} Loudness the level as a factor; to set
 *   one ends a fade, and tells whether it is as loud then. A fade may have begun elsewhere some seconds ago
 */

/**
 * On a node of an audio context, which may lift as well.
 * @param {GainNode} node
 * @returns {Loudness}
 */
export function ofNode({ gain, context }) {
  /** From here on nothing is planned, and it begins where it is: a ramp without a begin starts at the last one's end. */
  const anew = () => {
    const now = context.currentTime
    const value = gain.value
    gain.cancelScheduledValues(now)
    gain.setValueAtTime(value, now)
    return now
  }
  return {
    set(level) {
      gain.setTargetAtTime(level, anew(), 0.02)
      return true
    },
    fade: (seconds, gone = 0) => gain.linearRampToValueAtTime(0, anew() + seconds - gone),
  }
}

/**
 * By an element alone: never louder than the file, and on iPhones as loud as the device.
 * @param {HTMLMediaElement} element
 * @returns {Loudness}
 */
export function ofElement(element) {
  let whole = 1
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let fading
  /** @param {number} level */
  const put = (level) => (element.volume = Math.min(1, level))
  return {
    set(level) {
      clearInterval(fading)
      whole = level
      put(level)
      return Math.abs(element.volume - level) < 0.01
    },
    fade(seconds, gone = 0) {
      const begin = performance.now() - gone * 1000
      const step = () => {
        const left = Math.max(0, 1 - (performance.now() - begin) / (seconds * 1000))
        put(whole * left)
        if (left === 0) clearInterval(fading)
      }
      fading = setInterval(step, 250)
      step()
    },
  }
}
