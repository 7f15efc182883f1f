// What a browser keeps of this site besides its database: small things that a page does without. Some keep nothing, and say so by an
// error, have no place for it, or no room.

/** @typedef {"localStorage" | "sessionStorage"} Where for good, or for this tab */

/**
 * @param {string} name
 * @param {Where} [where]
 * @returns {string | null}
 */
export function recall(name, where = "localStorage") {
  try {
    return globalThis[where].getItem(name)
  } catch {
    return null
  }
}

/**
 * @param {string} name
 * @param {string | null} text nothing to forget it
 * @param {Where} [where]
 */
export function remember(name, text, where = "localStorage") {
  try {
    if (text === null) globalThis[where].removeItem(name)
    else globalThis[where].setItem(name, text)
  } catch {
    // The page goes on without.
  }
}
