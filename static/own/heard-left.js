// Sends what was heard, also what a page that went away has left behind. The outbox keeps it where the device is one's own.
import { post } from "./calls.js"
import * as outbox from "./outbox.js"
import { recall, remember } from "./remembered.js"
import { account, look, stays } from "./state.js"

/**
 * @typedef {{ account: string, id: string, path: string, title: string, startedAt: string, seconds: number,
 *   loop: number | null }} Session
 */

/** Where the session that runs lies, should the page go away with it. */
export const place = "intersession-listening"

const rating = /** @type {HTMLElement | null} */ (document.querySelector('[data-part="rating"]'))

/**
 * A session that began meanwhile stays.
 * @param {Session} done
 */
function forget(done) {
  const text = recall(place)
  if (text && JSON.parse(text).id === done.id) remember(place, null)
}

/**
 * Puts it into the outbox.
 * @param {Session} done
 * @param {[string, string][]} fields
 * @param {string} words how it was
 * @returns {Promise<boolean>} false where the device keeps nothing
 */
async function keep(done, fields, words) {
  const entry = {
    id: done.id, subject: `sound ${done.id}`, path: done.path, title: done.title, at: Date.now(), fields,
    lines: /** @type {[string, string][]} */ ([[rating?.dataset.rating ?? done.title, words]]),
  }
  try {
    await outbox.keep(done.account, [await outbox.keeping(done.account, entry)])
    return true
  } catch {
    return false
  }
}

/**
 * Ends the session with an answer: a number, `declined` or `timed_out`.
 * @param {Session} done
 * @param {string} answer
 * @returns {Promise<string | undefined>} what became of it, in words
 */
export async function send(done, answer) {
  const isRated = /^[1-7]$/.test(answer)
  /** @type {[string, string][]} */
  const fields = [
    ["id", done.id], ["started_at", done.startedAt], ["listened_seconds", String(done.seconds)],
    ["loop_minutes", done.loop === null ? "" : String(done.loop)], ["rating", isRated ? answer : ""],
    ["rating_state", isRated ? "rated" : answer],
  ]
  const words = isRated ? answer : ((answer === "declined" ? rating?.dataset.declined : rating?.dataset.timedOut) ?? "")
  if (stays && (await keep(done, fields, words))) {
    forget(done)
    const result = await outbox.flush(done.account)
    await look()
    return result.isComplete && result.refused.length === 0 ? rating?.dataset.sent : rating?.dataset.waits
  }
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector('input[name="form_token"]'))?.value ?? ""
  const reply = await post(done.path, token, fields)
  if (!reply || reply.status >= 500) return rating?.dataset.waits
  forget(done)
  return reply.body?.state === "taken" ? rating?.dataset.sent : (reply.body.message ?? rating?.dataset.refused)
}

/**
 * What a page that went away has left behind: nobody has answered there.
 * @param {string | null} text
 */
export async function sendLeft(text = recall(place)) {
  if (!text || !account) return
  /** @type {Session} */
  const left = JSON.parse(text)
  if (left.account !== account) return
  if (left.seconds < 1) return forget(left)
  await send(left, "timed_out")
}

