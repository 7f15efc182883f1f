// What can be filled in, now and in the two weeks to come, and the pages that belong to it.
import { get } from "./calls.js"
import { cacheName, formPath, marked } from "./pages.js"
import { keyOf, seal, unseal } from "./sealing.js"
import { change, closed, find } from "./store.js"

/**
 * @typedef {{ sheet: string | null, startedAt: string | null, answers: Record<string, unknown>, at: Record<string, string> }} ServerDraft
 * @typedef {{ key: string, path: string, title: string, version: string, from: number, due: number | null,
 *   target: Record<string, string>, hasSensors: boolean, isAsked: boolean, draft: ServerDraft | null }} Entry
 * @typedef {{ account: string, now: number, zone: string, formToken: string, entries: Entry[], pages: string[],
 *   fetchedAt: number }} Plan
 * @typedef {"fresh" | "signed out" | "unreachable"} Outcome
 */

const place = "plan"

/**
 * The plan as it was fetched last.
 * @param {string} account
 * @returns {Promise<Plan | undefined>}
 */
export async function known(account) {
  const sealed = await find("plans", account)
  if (!sealed) return undefined
  try {
    return await unseal(await keyOf(account), place, sealed)
  } catch {
    return undefined
  }
}

/**
 * The change that keeps a plan.
 * @param {Plan} plan
 * @returns {Promise<import("./store.js").Change>}
 */
export async function keeping(plan) {
  return { store: "plans", key: plan.account, value: await seal(await keyOf(plan.account), place, plan) }
}

/** Whoever is signed in on this device; undefined once the session has ended. */
export const signedIn = () => find("facts", "current")

/**
 * Asks the server.
 * @returns {Promise<{ outcome: Outcome, plan?: Plan }>}
 */
export async function refresh() {
  const answer = await get("/my/offline/plan")
  if (answer?.status === 401 || answer?.status === 403) {
    await change([{ store: "facts", key: "current" }])
    return { outcome: "signed out" }
  }
  if (answer?.status !== 200) return { outcome: "unreachable" }
  /** @type {Plan} */
  const plan = { ...answer.body, fetchedAt: Date.now() }
  await change([await keeping(plan), { store: "facts", key: "current", value: plan.account }])
  return { outcome: "fresh", plan }
}

/**
 * Fetches what is missing of pages and forms, and lets go what belongs to nothing any more. Fetching opens nothing.
 * @param {Plan} plan
 */
export async function keepPages(plan) {
  const cache = await caches.open(cacheName(plan.account))
  const forms = [...new Set(plan.entries.map((entry) => formPath(entry.version)))]
  const wanted = [...plan.pages, ...forms]
  for (const request of await cache.keys()) {
    if (!wanted.includes(new URL(request.url).pathname)) await cache.delete(request)
  }
  for (const path of wanted) {
    const kept = await cache.match(path)
    const keptAt = Date.parse(kept?.headers.get("Kept-At") ?? "")
    const isStatic = forms.includes(path) || /\/interventions\/./.test(path)
    // A form belongs to the style sheet and the words of its time.
    // A clock that was set back has kept it in what is the future now.
    if (Math.abs(Date.now() - keptAt) < (isStatic ? 86_400_000 : 600_000)) continue
    try {
      const reply = await fetch(path, { headers: { "X-Purpose": "keep" }, redirect: "error" })
      if (closed()) return
      if (reply.ok) await cache.put(path, await marked(reply))
    } catch (error) {
      if (error instanceof DOMException && error.name === "QuotaExceededError") throw error
      return
    }
  }
}
