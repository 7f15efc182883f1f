// What a page of the server offers although this device knows better: a sheet that was filled in here and waits to be sent, a form
// that was begun here.
import { load } from "./draft.js"
import * as outbox from "./outbox.js"
import { cacheName, formPath } from "./pages.js"
import { account, keptAt } from "./state.js"

/** Whether something was typed or chosen here: not every browser gives what is chosen the focus. */
let isTouched = false
addEventListener("input", () => (isTouched = true), true)

/** A form with a script of its own looks after itself, and where something is being typed it stays. */
const isLeftAlone = () =>
  keptAt !== undefined || isTouched || document.querySelector('[data-behaviour~="own-form"]') !== null
  || document.activeElement?.matches("input, textarea, select") === true

/** On the way to another page: that one is made after what was sent, and asking for this one anew would end the way there. */
let isLeaving = false
addEventListener("beforeunload", () => (isLeaving = true))
addEventListener("pageshow", () => (isLeaving = false))

const askAnew = () => {
  if (!isLeaving && !isLeftAlone()) location.reload()
}

/** Takes away what waits here to be sent: it is not asked anew. */
export async function withhold() {
  if (!account || keptAt) return
  const waiting = (await outbox.entries(account)).filter((entry) => entry.refusal === undefined).map(outbox.askedAt)
  for (const row of document.querySelectorAll("[data-asked]")) {
    const list = row.closest("ul")
    const path = row.querySelector("a")?.pathname
    if (!path || !waiting.includes(path)) continue
    row.remove()
    list?.closest("section")?.toggleAttribute("hidden", list.children.length === 0)
  }
}

/**
 * Asks for the page anew where what was sent since makes it untrue.
 * @param {outbox.Result} result
 */
export function renewAfter({ sent }) {
  const sheets = sent.filter(({ entry }) => outbox.isTyped(entry))
  const isUntrue = document.querySelector("[data-today]") || sheets.some(({ entry }) => outbox.askedAt(entry) === location.pathname)
  const isPressed = document.querySelector('[data-behaviour~="events"]') && sheets.some(({ entry }) => entry.press)
  // A page that lies here would offer the same once more.
  if (isPressed && keptAt && !isLeaving && !isTouched) return location.reload()
  if (sheets.length > 0 && (isUntrue || isPressed)) askAnew()
}

/**
 * Where a form was begun on this device the one that knows of it takes the place of the server's, as soon as it lies here: the session
 * that kept it has ended since.
 * @param {string} own
 * @param {import("./plan.js").Plan} plan
 */
export async function goOn(own, plan) {
  const entry = plan.entries.find((one) => one.path === location.pathname + location.search)
  // What asks sensors is filled in with the server; a page that came so by reloading would come so again.
  const [shown] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"))
  if (!entry || entry.hasSensors || !navigator.serviceWorker?.controller || shown?.type === "reload" || isLeftAlone()) return
  const draft = await load(own, entry.key)
  if (!draft || Object.keys(draft.items).length === 0) return
  if (await (await caches.open(cacheName(own))).match(formPath(entry.version))) askAnew()
}
