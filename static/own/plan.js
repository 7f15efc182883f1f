// What can be filled in, now and in the two weeks to come, and the pages that belong to it.
import { get, patience } from "./calls.js"
import { soundsCache } from "./kept.js"
import { alone, aloneAtLast, assetsOf, cacheName, formPath, lie, marked, put } from "./pages.js"
import { keyOf, seal, unseal } from "./sealing.js"
import { all, change, find } from "./store.js"
import { refusal } from "./verdict.js"

/**
 * @typedef {{ sheet: string | null, startedAt: string | null, answers: Record<string, unknown>, at: Record<string, string> }} ServerDraft
 * @typedef {{ key: string, path: string, title: string, version: string, from: number, due: number | null,
 *   isFromRandom: boolean, isDueRandom: boolean,
 *   target: Record<string, string>, hasSensors: boolean, isAsked: boolean, draft: ServerDraft | null }} Entry
 * @typedef {{ item: string, title: string, press: string, isSpan: boolean, version: string | null, hasSensors: boolean }} Button
 * @typedef {{ account: string, now: number, zone: string, formToken: string, entries: Entry[], buttons?: Button[], pages: string[],
 *   shell: string[], notice?: { title: string, body: string }, push?: import("./subscription.js").Push, fetchedAt: number, changedAt?: number, elsewhere?: string[] }} Plan
 *   `shell` is what every page of today names; pages from before `changedAt` may say what is true no more; `elsewhere` is what pages
 *   named and the server did not: it needs a network
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

/**
 * What forms bring along belongs to the session, and what lies here may be of an earlier one.
 * @param {string} account
 * @param {string} token of a page that the server has just made
 */
export async function renewToken(account, token) {
  const plan = await known(account)
  if (plan && plan.formToken !== token) await change([await keeping({ ...plan, formToken: token })])
}

/** Whoever is signed in on this device; undefined once the session has ended. */
export const signedIn = () => find("facts", "current")

/** Where something is filled in or practised. */
const fillable = /^\/my\/(assignments|questionnaires|interventions)\/[^/]+$/

/** What this page names of it, itself included. */
function named() {
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("main a[href]"))
  return [location.pathname, ...[...links].map((one) => one.pathname)].filter((path) => fillable.test(path))
}

/**
 * What this page names and the plan does not know: it was given since, and has to be here when the network goes.
 * @param {Plan} plan
 */
export function strangers(plan) {
  const paths = new Set([...plan.entries.map((entry) => entry.path), ...plan.pages, ...(plan.elsewhere ?? [])])
  return named().filter((path) => !paths.has(path))
}

/**
 * Whether it is connected, and with what: pages say other things then. Exercises come and go without it.
 * @param {Plan} plan
 */
const situation = (plan) => plan.pages.filter((path) => !fillable.test(path)).join(" ")

/**
 * Lets go what is kept of everybody but one: pages, sounds and plans, which a session has opened and nothing may open once it has
 * ended, wherever that was. What was typed here is sealed and stays.
 * @param {string} [own] who is signed in here
 */
export async function letKeptGo(own) {
  const stay = own ? [cacheName(own), soundsCache(own)] : []
  await (own ? alone : aloneAtLast)(async () => {
    for (const name of await caches.keys()) {
      if (/^(own|sounds) /.test(name) && !stay.includes(name)) await caches.delete(name)
    }
  })
  const plans = (await all("plans")).filter(({ key }) => key !== own)
  await change(plans.map(({ key }) => ({ store: "plans", key })))
}

/**
 * Asks the server.
 * @param {boolean} [hasChanged] whether something was sent since pages were kept
 * @returns {Promise<{ outcome: Outcome, plan?: Plan }>}
 */
export async function refresh(hasChanged = false) {
  const answer = await get("/my/offline/plan")
  const why = refusal(answer)
  // Or signed in, but not to stay; then nothing is kept here either.
  if (why && ([401, 403].includes(answer?.status ?? 0) || why === "not_own_device")) {
    await change([{ store: "facts", key: "current" }])
    await letKeptGo()
    return { outcome: "signed out" }
  }
  if (answer?.status !== 200 || typeof answer.body?.account !== "string") return { outcome: "unreachable" }
  /** @type {Plan} */
  const plan = { ...answer.body, fetchedAt: Date.now() }
  const before = await known(plan.account)
  const isOther = hasChanged || (before && situation(before) !== situation(plan))
  plan.changedAt = isOther ? Date.now() : before?.changedAt
  plan.elsewhere = before?.elsewhere ?? []
  if (typeof document !== "undefined") plan.elsewhere = [...plan.elsewhere, ...strangers(plan)].slice(-mostElsewhere)
  // What was pressed here and has not arrived is asked here alone.
  for (const entry of before?.entries ?? []) {
    if (!entry.target.event || plan.entries.some(({ key }) => key === entry.key)) continue
    if (await find("outbox", `${plan.account} ${entry.key}`)) plan.entries.push(entry)
  }
  await change([await keeping(plan), { store: "facts", key: "current", value: plan.account }])
  await letKeptGo(plan.account)
  return { outcome: "fresh", plan }
}

/** How many addresses are remembered that the server did not name. */
const mostElsewhere = 50

/** How long a page is new enough, and how long what stands still. */
const [lasting, lastingLong] = [600_000, 86_400_000]

/**
 * Does something with what is kept of a person, for as long as they are signed in here: what they have left is not begun anew.
 * @param {Plan} plan
 * @param {(cache: Cache) => Promise<void>} body
 * @param {string} [name] of what is kept
 */
const whileIn = ({ account }, body, name = cacheName(account)) =>
  alone(async () => {
    if ((await signedIn()) === account) await body(await caches.open(name))
  })

/**
 * Fetches what is missing of pages and forms, and lets go what belongs to nothing any more. Fetching opens nothing. Pages of a day
 * whose style sheet and scripts are not here yet wait for these: until then those of the day before are the better ones. The worker
 * does it: it goes on where a page is left, and where it was stopped itself it goes on with what is missing still.
 * @param {Plan} plan
 */
export async function keepPages(plan) {
  if (!(await lie(plan.shell ?? []))) return
  const forms = [...new Set([...plan.entries, ...(plan.buttons ?? [])].flatMap(({ version }) => (version ? [formPath(version)] : [])))]
  // First what can be filled in: a page that was seen lies here as it was seen.
  const wanted = [...forms, ...plan.pages]
  await whileIn(plan, async (cache) => {
    for (const request of await cache.keys()) {
      if (!wanted.includes(new URL(request.url).pathname)) await cache.delete(request)
    }
  })
  const own = cacheName(plan.account)
  for (const path of wanted) {
    const isStatic = forms.includes(path) || /\/interventions\/./.test(path)
    const since = isStatic ? 0 : (plan.changedAt ?? 0)
    const kept = await caches.match(path, { cacheName: own })
    if (isCurrent(kept, isStatic ? lastingLong : lasting, plan, since)) continue
    if (!(await fetched(path, own, plan))) return
  }
  // Pages that play kept sounds lie beside these, for as long as they are kept.
  const beside = soundsCache(plan.account)
  /** @type {string[]} */
  let old = []
  await whileIn(plan, async (sounds) => {
    for (const request of await sounds.keys()) {
      const path = new URL(request.url).pathname
      if (path.startsWith("/my/") && !isCurrent(await sounds.match(request), Infinity, plan)) old.push(path)
    }
  }, beside)
  for (const path of old) if (!(await fetched(path, beside, plan))) return
}

/**
 * Whether a page that is kept will do: it is young, and belongs to the style sheet and the scripts of today.
 * @param {Response | undefined} kept
 * @param {number} limit
 * @param {Plan} plan
 * @param {number} [since] when something changed that it says
 */
function isCurrent(kept, limit, plan, since = 0) {
  if (!kept) return false
  const keptAt = Date.parse(kept.headers.get("Kept-At") ?? "")
  const assets = assetsOf(kept)
  // A clock that was set back has kept it in what is the future now.
  return Math.abs(Date.now() - keptAt) < limit && keptAt >= since && (plan.shell ?? []).every((one) => assets.includes(one))
}

/**
 * @param {string} path
 * @param {string} name where it is kept
 * @param {Plan} plan
 * @returns {Promise<boolean>} false where there is no use in asking for more
 */
async function fetched(path, name, plan) {
  try {
    const reply = await fetch(path, { headers: { "X-Purpose": "keep" }, redirect: "error", signal: patience(60_000) })
    const page = reply.ok ? await marked(reply, plan.account) : undefined
    await whileIn(plan, (cache) => put(cache, path, page), name)
    return (await signedIn()) === plan.account
  } catch (error) {
    if (error instanceof DOMException && error.name === "QuotaExceededError") throw error
    return false
  }
}
