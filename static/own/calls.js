// How the server is asked: in JSON, as the person whose session it is, and never for longer than somebody would wait.

/** @typedef {{ status: number, body: any }} Answer */

/**
 * @param {number} milliseconds
 * @returns {AbortSignal} aborted after that time
 */
export function patience(milliseconds) {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), milliseconds)
  return controller.signal
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<Answer | undefined>} undefined where the server cannot be reached, and where something else answers in
 *   its place
 */
async function ask(path, options) {
  try {
    const headers = { Accept: "application/json" }
    const reply = await fetch(path, { headers, cache: "no-store", redirect: "error", signal: patience(20_000), ...options })
    return { status: reply.status, body: await reply.json() }
  } catch {
    return undefined
  }
}

/** @param {string} path */
export const get = (path) => ask(path, {})

/**
 * Sends a form.
 * @param {string} path
 * @param {string} token what forms bring along in this session
 * @param {[string, string][]} fields
 */
export const post = (path, token, fields) =>
  ask(path, { method: "POST", body: new URLSearchParams([["form_token", token], ...fields]) })

/**
 * What says at the way out that something of others lies here: then the browser is not told to clear everything.
 * @type {[string, string]}
 */
export const othersStay = ["others_stay", "true"]

/**
 * The same in a form that the browser sends.
 * @param {HTMLFormElement} form
 */
export function lettingOthersStay(form) {
  const [name, value] = othersStay
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }))
}
