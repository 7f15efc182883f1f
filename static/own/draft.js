// Half-filled answers on this device, brought together with those of other devices item by item: the later one counts.
import { spelled } from "./number.js"
import { keyOf, seal, unseal } from "./sealing.js"
import { find } from "./store.js"

/**
 * @typedef {{ values: string[], at: string, order?: string }} Item the answers as the form has them, none for one that was taken back.
 *   `at` is when it was given by this device's clock, `order` the same by the server's, as far as it is known here: by it the later of two
 *   is found, whichever device's clock is wrong
 * @typedef {{ sheet: string, startedAt: string, items: Record<string, Item> }} Draft
 * @typedef {import("./plan.js").Entry} Entry
 * @typedef {import("./plan.js").ServerDraft} ServerDraft
 */

/** @param {Date} [date] */
export const stamp = (date = new Date()) => date.toISOString().replace(/\.\d+Z$/, "Z")

/**
 * @param {string} account
 * @param {string} key of what is filled in
 */
const name = (account, key) => `${account} ${key}`

/** @param {string} key */
const place = (key) => `draft/${key}`

/**
 * @param {string} account
 * @param {string} key
 * @returns {Promise<Draft | undefined>}
 */
export async function load(account, key) {
  const sealed = await find("drafts", name(account, key))
  if (!sealed) return undefined
  try {
    return await unseal(await keyOf(account), place(key), sealed)
  } catch {
    return undefined
  }
}

/**
 * The change that keeps a draft, or without one lets it go.
 * @param {string} account
 * @param {string} key
 * @param {object} [draft]
 * @returns {Promise<import("./store.js").Change>}
 */
export async function keeping(account, key, draft) {
  const value = draft && (await seal(await keyOf(account), place(key), draft))
  return { store: "drafts", key: name(account, key), value }
}

/** @returns {Draft} */
export const fresh = () => ({ sheet: crypto.randomUUID(), startedAt: stamp(), items: {} })

/**
 * What the server knows, on top of what lies here.
 * @param {Draft | undefined} own
 * @param {ServerDraft | null | undefined} theirs
 * @returns {Draft}
 */
export function merged(own, theirs) {
  const draft = own ?? fresh()
  if (!theirs) return draft
  // Two devices that go on with one sheet send one.
  draft.sheet = theirs.sheet ?? draft.sheet
  draft.startedAt = theirs.startedAt ?? draft.startedAt
  for (const [question, at] of Object.entries(theirs.at)) {
    const known = draft.items[question]
    const answer = theirs.answers[question]
    const all = answer === undefined ? [] : Array.isArray(answer) ? answer : [answer]
    const values = all.map((value) => (typeof value === "number" ? spelled(value) : value))
    if (known && `${known.values}` === `${values}`) {
      // The server has it, and has given it its time; what was said here once more since is later.
      if (!known.order || known.order < at) known.order = at
      continue
    }
    if (known && (known.order ?? known.at) >= at) continue
    draft.items[question] = { values, at, order: at }
  }
  return draft
}
