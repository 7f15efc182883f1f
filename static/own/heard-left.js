// Sends what was heard, also what a page that went away has left behind. The outbox keeps it where the device is one's own.
import { post } from "./calls.js"
import * as outbox from "./outbox.js"
import { recall, remember } from "./remembered.js"
import { account, look, stays, token } from "./state.js"
import { verdict } from "./verdict.js"

/**
 * @typedef {{ account: string, id: string, path: string, title: string, startedAt: string, seconds: number,
 *   loop: number | null, answer?: string }} Session the answer is there once it was given
 */

/** Where the session that runs lies, should the page go away with it. */
export const place = "intersession-listening"

const rating = /** @type {HTMLElement | null} */ (document.querySelector('[data-part="rating"]'))

/**
 * A session that began meanwhile stays.
 * @param {Session} done
 * @param {string | null} text what is left behind of it
 */
function leave(done, text = null) {
  const known = recall(place)
  if (known && JSON.parse(known).id === done.id) remember(place, text)
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
    leave(done)
    const result = await outbox.flush(done.account)
    await look()
    const refused = result.refused.find(({ id }) => id === done.id)
    if (refused) return refused.refusal || rating?.dataset.refused
    return result.isComplete ? rating?.dataset.sent : rating?.dataset.waits
  }
  const reply = await post(done.path, token ?? "", fields)
  const said = verdict(reply)
  if (said !== "taken" && said !== "refused") {
    leave(done, JSON.stringify({ ...done, answer }))
    return rating?.dataset.waits
  }
  leave(done)
  return said === "taken" ? rating?.dataset.sent : (reply?.body.message ?? rating?.dataset.refused)
}

/**
 * What a page that went away has left behind.
 * @param {string | null} text
 */
export async function sendLeft(text = recall(place)) {
  if (!text || !account) return
  /** @type {Session} */
  const left = JSON.parse(text)
  if (left.account !== account) return
  if (left.seconds < 1) return leave(left)
  await send(left, left.answer ?? "timed_out")
}

