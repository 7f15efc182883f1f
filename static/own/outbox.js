// What was filled in or done here and has not reached the server yet. An entry stays until the server has said that it has
// it, or until somebody has read why it was refused. Sending the same twice is harmless: the server knows it by its id.
import { post } from "./calls.js"
import { cacheName } from "./pages.js"
import { known, refresh } from "./plan.js"
import { keyOf, seal, unseal } from "./sealing.js"
import { all, change } from "./store.js"
import { refusal, verdict } from "./verdict.js"

/**
 * @typedef {{ id: string, subject: string, path: string, title: string, at: number, fields: [string, string][],
 *   lines: [string, string][], press?: Press, refusal?: string, code?: string, mayReopen?: boolean, mayResend?: boolean }} Entry
 *   `subject` is what it answers; `lines` are questions and answers in words. What was refused opens again where something in it
 *   was wrong, and else can be sent again as it is
 * @typedef {{ event: string, item: string, kind: "begin" | "end", at: number, isSpan: boolean }} Press of the button of an event
 * @typedef {{ sent: { entry: Entry, path: string | null }[], refused: Entry[], isSignedOut: boolean, isComplete: boolean }} Result
 */

/**
 * Whether somebody has filled something in; else it tells only that something was opened or done.
 * @param {Entry} entry
 */
export const isTyped = (entry) => !/^\/my\/interventions\/[^/]+\/(opening|completion)$/.test(entry.path)

/**
 * Where the server asks what an entry answers; undefined where only the device knows that it is asked.
 * @param {Entry} entry
 */
export function askedAt(entry) {
  const places = new Map([["assignment", "assignments"], ["item", "questionnaires"], ["event", "events"]])
  const [name, id] = entry.fields.find(([name]) => places.has(name)) ?? []
  return id && `/my/${places.get(name ?? "")}/${id}`
}

/**
 * The event that an entry notes, ends or answers.
 * @param {Entry} entry
 */
const eventOf = (entry) => entry.press?.event ?? entry.fields.find(([name]) => name === "event")?.[1]

/**
 * A press goes before what was filled in about it, whatever the clock has done in between.
 * @param {Entry} entry
 */
const turn = ({ press }) => (press ? ["begin", "end"].indexOf(press.kind) : 2)

/** @param {Entry} entry */
const place = (entry) => `outbox/${entry.id}`

/**
 * The change that keeps an entry.
 * @param {string} account
 * @param {Entry} entry
 * @returns {Promise<import("./store.js").Change>}
 */
export async function keeping(account, entry) {
  const sealed = await seal(await keyOf(account), place(entry), entry)
  return { store: "outbox", key: `${account} ${entry.id}`, value: { id: entry.id, at: entry.at, ...sealed } }
}

/**
 * Keeps entries and whatever goes with them. Unsent answers come before pages: where there is no room, the pages go.
 * @param {string} account
 * @param {import("./store.js").Change[]} changes
 */
export async function keep(account, changes) {
  try {
    await change(changes)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error
    await caches.delete(cacheName(account))
    await change(changes)
  }
}

/**
 * What one person has here, in the order it was made.
 * @param {string} account
 * @returns {Promise<Entry[]>}
 */
export async function entries(account) {
  const key = await keyOf(account)
  /** @type {Entry[]} */
  const found = []
  for (const { value } of await all("outbox", account + " ")) {
    try {
      found.push(await unseal(key, `outbox/${value.id}`, value))
    } catch {
      // Another key sealed it: the browser has lost that one. What cannot be opened cannot be sent.
      continue
    }
  }
  return found.sort((one, other) => one.at - other.at)
}

/**
 * How many unsent things of others lie here.
 * @param {string | undefined} account
 */
export async function foreign(account) {
  const keys = (await all("outbox")).map(({ key }) => key)
  return keys.filter((key) => !account || !key.startsWith(account + " ")).length
}

/**
 * @param {string} account
 * @param {string} id
 */
export const remove = (account, id) => change([{ store: "outbox", key: `${account} ${id}` }])

/**
 * Lets go what was refused and read; the end of something that was never taken goes with it.
 * @param {string} account
 * @param {Entry} entry
 */
export async function letGo(account, entry) {
  await remove(account, entry.id)
  if (entry.press?.kind === "begin") await remove(account, `${entry.id}.end`)
}

/**
 * Has something that was refused wait again, as it was.
 * @param {string} account
 * @param {Entry} refused
 */
export async function waitAgain(account, refused) {
  const told = { refusal: undefined, code: undefined, mayReopen: undefined, mayResend: undefined }
  await navigator.locks.request("intersession-outbox", async () => {
    // Another tab may have let it go, or opened it again.
    const known = (await entries(account)).find(({ id }) => id === refused.id)
    if (known?.refusal !== undefined) await change([await keeping(account, { ...known, ...told })])
  })
}

/** Whether something that was filled in, by whomever, waits here to be sent. */
export async function waits() {
  const accounts = new Set((await all("outbox")).map(({ key }) => key.split(" ")[0] ?? ""))
  for (const account of accounts) {
    if ((await entries(account)).some((entry) => entry.refusal === undefined && isTyped(entry))) return true
  }
  return false
}

/** @type {((result: Result) => void)[]} */
const listeners = []

/** @param {(result: Result) => void} call what follows whenever this page has tried to send */
export const whenTried = (call) => void listeners.push(call)

/**
 * Sends what waits, in its order. Of all tabs, and the worker, only one does so at a time.
 * @param {string} account
 * @param {string} [token] of the page, on a device where nobody stays signed in: there is no plan to take it from
 * @returns {Promise<Result>}
 */
export async function flush(account, token) {
  const result = await navigator.locks.request("intersession-outbox", () => send(account, token))
  for (const call of listeners) call(result)
  return result
}

/**
 * @param {string} account
 * @param {string} [given]
 * @returns {Promise<Result>}
 */
async function send(account, given) {
  /** @type {Result} */
  const result = { sent: [], refused: [], isSignedOut: false, isComplete: true }
  const all = await entries(account)
  const waiting = all.filter((entry) => entry.refusal === undefined).sort((one, other) => turn(one) - turn(other))
  if (waiting.length === 0) return result
  // What is about something that was refused waits until that is settled.
  const held = new Set(all.filter(({ press, refusal }) => press?.kind === "begin" && refusal !== undefined).map(({ id }) => id))
  let token = given ?? (await known(account))?.formToken
  let isFresh = given !== undefined
  for (const entry of waiting) {
    if (held.has(eventOf(entry) ?? "")) continue
    let answer = token ? await post(entry.path, token, entry.fields) : undefined
    // The token belongs to the session: after signing in again there is another one.
    if ((!token || verdict(answer) === "token") && !isFresh) {
      const { outcome, plan } = await refresh()
      if (outcome === "signed out" || (plan && plan.account !== account)) {
        return { ...result, isSignedOut: true, isComplete: false }
      }
      if (!plan) return { ...result, isComplete: false }
      isFresh = true
      token = plan.formToken
      answer = await post(entry.path, token, entry.fields)
    }
    switch (verdict(answer)) {
      case "token":
      case "unknown":
        return { ...result, isComplete: false }
      case "signed out":
        return { ...result, isSignedOut: true, isComplete: false }
      case "taken":
        await remove(account, entry.id)
        result.sent.push({ entry, path: answer?.body.path ?? null })
        break
      case "refused": {
        const code = refusal(answer) ?? ""
        // That something was opened or done is known already, or wanted no more; but pairing can come back.
        if (!isTyped(entry) && !(code === "not_paired" && entry.path.endsWith("/completion"))) {
          await remove(account, entry.id)
          break
        }
        const mayReopen = answer?.status === 422 && entry.path === "/my/offline/sheets"
        // Pairing can come back, and what has to come first can be filled in; what another device has answered cannot be again.
        const mayResend = !mayReopen && !["already_answered", "other_content"].includes(code)
        const refused = { ...entry, refusal: answer?.body.message ?? "", code, mayReopen, mayResend }
        await change([await keeping(account, refused)])
        result.refused.push(refused)
        if (entry.press?.kind === "begin") held.add(entry.id)
      }
    }
  }
  return result
}
