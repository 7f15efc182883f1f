// What a browser keeps of this site besides its database: small things that a page does without. Some keep nothing, and say so by an
// error, have no place for it, or no room.

/**
 * @param {string} name
 * @returns {string | null}
 */
export function recall(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/**
 * @param {string} name
 * @param {string | null} text nothing to forget it
 */
export function remember(name, text) {
  try {
    if (text === null) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
  } catch {
    // The page goes on without.
  }
}
