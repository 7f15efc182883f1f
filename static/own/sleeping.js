// The sleep timer: it counts for as long as a sound is playing, and fades before it ends.

/** How long it fades, in seconds. */
const fading = 10

/**
 * @param {{ minutes: () => number, fade: (seconds: number) => void, restore: () => void, end: () => void }} how the minutes that are
 *   chosen, 0 for none; restored is the loudness, where the person is awake after all
 */
export function sleepTimer({ minutes, fade, restore, end }) {
  /** @type {number | undefined} what is left when it rests, in milliseconds; at first the whole */
  let left
  let since = 0
  let isCounting = false
  let isFading = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting

  function count() {
    left ??= (minutes() || Infinity) * 60_000
    since = performance.now()
    isCounting = true
    if (left === Infinity) return
    waiting = setTimeout(() => {
      isFading = true
      fade(fading)
      waiting = setTimeout(end, fading * 1000)
    }, left - fading * 1000)
  }

  /** What stops it while it is fading was done by somebody awake: the time begins anew. */
  function rest() {
    if (!isCounting) return
    clearTimeout(waiting)
    left = isFading || left === undefined ? undefined : left - (performance.now() - since)
    isCounting = false
    if (isFading) restore()
    isFading = false
  }

  /** Begins anew: with another choice, or for another evening. */
  function renew() {
    const wasCounting = isCounting
    rest()
    left = undefined
    if (wasCounting) count()
  }

  return { count, rest, renew }
}
