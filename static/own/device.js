// What this device is, as far as its browser tells.

/** An iPad calls itself a Mac, and no Mac has a screen to touch. */
export const isIOS =
  /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Whether these pages stand on the home screen. */
export const isInstalled = () =>
  matchMedia("(display-mode: standalone)").matches || /** @type {any} */ (navigator).standalone === true

/**
 * The zone that this device is in now.
 * @returns {string | undefined} where it does not say
 */
export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone
