// What the lock screen shows of a sound, and what its buttons do.

/** @typedef {{ title: string, category: string, picture: string, length: number }} Shown */

/** How far the bar may be from where the sound is before it is told anew, in seconds: it moves by itself. */
const slack = 0.5

/**
 * @param {Shown} shown
 * @param {{ play: () => void, pause: () => void, stop: () => void, go: (seconds: number) => void, now: () => number }} player
 */
export function lockScreen({ title, category, picture, length }, { play, pause, stop, go, now }) {
  const session = navigator.mediaSession
  let isMoving = false
  let position = NaN
  let since = 0
  /** Seconds to move by, which systems may choose. */
  const step = (/** @type {MediaSessionActionDetails} */ details) => details.seekOffset || 10
  /** @type {[MediaSessionAction, MediaSessionActionHandler][]} */
  const actions = [
    ["play", play],
    ["pause", pause],
    ["stop", stop],
    ["seekbackward", (details) => go(now() - step(details))],
    ["seekforward", (details) => go(now() + step(details))],
    ["seekto", (details) => Number.isFinite(details.seekTime) && go(Number(details.seekTime))],
  ]
  return {
    announce() {
      if (!session) return
      session.metadata = new MediaMetadata({ title, artist: category, artwork: picture ? [{ src: picture }] : [] })
      for (const [name, action] of actions) {
        try {
          session.setActionHandler(name, action)
        } catch {
          // An older browser has no such button.
        }
      }
    },
    /**
     * Told at every look; the system hears of it where it could not know.
     * @param {number} at
     * @param {boolean} isPlaying
     */
    tell(at, isPlaying) {
      if (!session) return
      session.playbackState = isPlaying ? "playing" : "paused"
      const expected = position + (isMoving ? (performance.now() - since) / 1000 : 0)
      if (isPlaying === isMoving && Math.abs(at - expected) < slack) return
      ;[position, isMoving, since] = [at, isPlaying, performance.now()]
      session.setPositionState?.({ duration: length, position: Math.max(0, Math.min(at, length)), playbackRate: 1 })
    },
  }
}
