// What was pressed without a network: the button of what happens at any time. The clock of this device notes it, and it is sent before
// what is filled in about it (ST-2).
import { zoneHere } from "./device.js"
import { keeping as keepingDraft, stamp } from "./draft.js"
import * as outbox from "./outbox.js"
import { keeping, known } from "./plan.js"
import { change } from "./store.js"

const path = "/my/offline/events"

/** @param {string} event */
const endOf = (event) => `${event}.end`

/**
 * The forms that are noted here where the server cannot be reached: a button, and that it is over.
 * @type {RegExp}
 */
export const noted = /^\/my\/events(?:\/([^/]+)\/end)?$/

/**
 * Notes a press: a moment, or the begin of a span. The same one again changes nothing.
 * @param {string} account
 * @param {{ event: string, item: string, title?: string, isSpan?: boolean, at?: number }} press
 * @returns {Promise<boolean>} whether it is kept here
 */
export async function begin(account, { event, item, title, isSpan = false, at = Date.now() }) {
  const plan = await known(account)
  const button = plan?.buttons?.find((one) => one.item === item)
  const name = button?.title ?? title
  if (!name) return false
  if ((await outbox.entries(account)).some(({ id }) => id === event)) return true
  const started = stamp(new Date(at))
  /** @type {outbox.Entry} */
  const entry = {
    id: event, subject: `press ${event}`, path, title: name, at, lines: [],
    fields: [["id", event], ["item_id", item], ["started_at", started], .../** @type {[string, string][]} */ (zoneHere() ? [["timezone", zoneHere()]] : [])],
    press: { event, item, kind: "begin", at, isSpan: button?.isSpan ?? isSpan },
  }
  const changes = [await outbox.keeping(account, entry)]
  if (plan && button?.version) {
    plan.entries.push({
      key: event, path: `/my/events/${event}`, title: name, version: button.version, from: at, due: null, isFromRandom: false,
      isDueRandom: false, target: { event }, hasSensors: button.hasSensors, isAsked: false, draft: null,
    })
    changes.push(await keeping(plan))
  }
  await outbox.keep(account, changes)
  return true
}

/**
 * Notes that a span is over, whether the server knows of its begin or not. The first time that was said counts.
 * @param {string} account
 * @param {{ event: string, item?: string, title?: string, at?: number }} press
 * @returns {Promise<boolean>}
 */
export async function end(account, { event, item, title, at = Date.now() }) {
  const all = await outbox.entries(account)
  // One that was refused is told anew.
  if (all.some(({ id, refusal }) => id === endOf(event) && refusal === undefined)) return true
  const begun = all.find(({ id }) => id === event)
  const plan = await known(account)
  const name = title ?? begun?.title ?? plan?.entries.find(({ key }) => key === event)?.title
    ?? plan?.buttons?.find((one) => one.item === item)?.title ?? ""
  // A clock that was set back in between ends nothing before it began.
  const over = Math.max(at, begun?.press?.at ?? 0)
  /** @type {outbox.Entry} */
  const entry = {
    id: endOf(event), subject: `press ${event}`, path, title: name, at: over, lines: [],
    fields: [["action", "end"], ["id", event], ["ended_at", stamp(new Date(over))]],
    press: { event, item: item ?? begun?.press?.item ?? "", kind: "end", at: over, isSpan: true },
  }
  await outbox.keep(account, [await outbox.keeping(account, entry)])
  return true
}

/**
 * Lets a mistake go that has not been sent, with what is half filled in about it.
 * @param {string} account
 * @param {string} event
 */
export const letGo = (account, event) =>
  navigator.locks.request("intersession-outbox", async () => {
    const all = await outbox.entries(account)
    // It may have been sent meanwhile; then the page of the server takes it away.
    if (!all.some(({ id }) => id === event) || all.some(({ subject }) => subject === event)) return
    const plan = await known(account)
    const changes = [
      .../** @type {import("./store.js").Change[]} */ ([event, endOf(event)].map((id) => ({ store: "outbox", key: `${account} ${id}` }))),
      await keepingDraft(account, event),
    ]
    if (plan) changes.push(await keeping({ ...plan, entries: plan.entries.filter(({ key }) => key !== event) }))
    await change(changes)
  })

/**
 * Notes what a form of a page would have told the server, which cannot be reached.
 * @param {string} account who is signed in here
 * @param {string} path of the form
 * @param {URLSearchParams} fields
 * @param {number} at when it was pressed
 * @returns {Promise<string | undefined>} the page to show; nothing for a form of somebody else
 */
export async function keepForm(account, path, fields, at) {
  if (fields.get("account") !== account) return undefined
  const [event, item] = [noted.exec(path)?.[1], fields.get("item") ?? undefined]
  const id = fields.get("id")
  const isKept = event
    ? await end(account, { event, item, at })
    : id && item && (await begin(account, { event: id, item, at }))
  if (!isKept) return undefined
  return fields.get("from") === "studies" ? "/my/studies" : "/my"
}
