// A run of matching that lies on this device until the server has it: a phone that rings does not end it.
import { keeping, load } from "./draft.js"
import * as outbox from "./outbox.js"
import { account, say, sentence, stays } from "./state.js"
import { change } from "./store.js"

/**
 * A run on its way, as it lies on this device until the server has it.
 * @typedef {{ step: string, found: Record<string, number>, pair: Record<string, number>,
 *   knobs: Record<string, string>, fields: Record<string, string> }} Run
 */

/** Where it lies beside the drafts of questionnaires. */
const place = "tinnitus"

let keepingLast = Promise.resolve()

/**
 * Keeps the run, or without one lets it go; one write after the other. On a device where nobody stays nothing is kept.
 * @param {Run} [run]
 */
export function keep(run) {
  if (!account || !stays) return keepingLast
  const own = account
  const copy = run && structuredClone(run)
  keepingLast = keepingLast
    .then(async () => {
      const one = await keeping(own, place, copy)
      await (copy ? outbox.keep(own, [one]) : change([one]))
    })
    .then(() => say("space"), () => say("space", sentence("space")))
  return keepingLast
}

/**
 * The run that was interrupted here, unless the server has it by now.
 * @returns {Promise<Run | undefined>}
 */
export async function interrupted() {
  if (!account || !stays) return undefined
  const run = /** @type {any} */ (await load(account, place).catch(() => undefined))
  if (!run?.fields?.id) return undefined
  if (!document.querySelector(`[data-run="${CSS.escape(run.fields.id)}"]`)) return run
  await keep()
  return undefined
}
