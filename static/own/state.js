// The line at the head of every own page: what is unsent, from when the page is, what is wrong with this device.
import { entries, foreign, isTyped } from "./outbox.js"

const line = /** @type {HTMLElement | null} */ (document.querySelector('[data-behaviour~="own-state"]'))

/** Whose pages these are; undefined where nobody is signed in. */
export const account = line?.dataset.account

/** Whether this is a device of their own, where they stay signed in. */
export const stays = line?.dataset.stays === "true"

/** What forms of this page bring along. */
export const token = line?.dataset.token

/** The zone that pages of the server say their times in; undefined where nobody is signed in. */
export const zone = line?.dataset.zone || undefined

/** When this page was kept; undefined for one that the server has just made. */
export const keptAt = line?.dataset.kept ? new Date(line.dataset.kept) : undefined

/** @type {Map<string, string>} what is to be said, by reason */
const said = new Map()

/**
 * A sentence of the page, with its places filled.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function sentence(name, values = {}) {
  const text = line?.dataset[name] ?? ""
  return Object.entries(values).reduce((text, [place, value]) => text.replaceAll(`{${place}}`, String(value)), text)
}

/**
 * Says something at the head of the page, or no more.
 * @param {string} reason
 * @param {string} [text]
 */
export function say(reason, text) {
  if (text) said.set(reason, text)
  else said.delete(reason)
  draw()
}

function draw() {
  if (!line) return
  const list = /** @type {HTMLElement} */ (line.querySelector("ul"))
  list.replaceChildren(
    ...[...said].map(([reason, text]) => {
      const item = document.createElement("li")
      item.dataset.reason = reason
      if (["unsent", "refused"].includes(reason) && location.pathname !== "/my/offline") {
        const link = document.createElement("a")
        Object.assign(link, { href: "/my/offline", textContent: text })
        item.append(link)
      } else {
        item.textContent = text
      }
      return item
    }),
  )
  line.hidden = said.size === 0
}

/**
 * A moment as people say it: the time, and the day where it is another one.
 * @param {Date | number} moment
 */
export function when(moment) {
  const date = new Date(moment)
  const language = document.documentElement.lang
  // By the zone that the server's pages say it in, wherever the device thinks that it is.
  const clock = { timeZone: zone }
  const isToday = date.toLocaleDateString(language, clock) === new Date().toLocaleDateString(language, clock)
  const year = date.toLocaleDateString(language, { ...clock, year: "numeric" })
  const isOther = year !== new Date().toLocaleDateString(language, { ...clock, year: "numeric" })
  /** @type {Intl.DateTimeFormatOptions} */
  const day = isToday ? {} : { weekday: "short", day: "numeric", month: "numeric", year: isOther ? "numeric" : undefined }
  return date.toLocaleString(language, { ...clock, ...day, hour: "2-digit", minute: "2-digit" })
}

/**
 * When what is to come opens. The minute of a random time measures nothing once it is awaited: of it the day alone is said.
 * @param {import("./plan.js").Entry} entry
 */
export function opening(entry) {
  if (!entry.isFromRandom || entry.from <= Date.now()) return when(entry.from)
  const days = daysUntil(entry.from)
  if (days <= 0) return sentence("laterToday")
  if (days === 1) return sentence("randomTomorrow")
  const language = document.documentElement.lang
  const day = new Date(entry.from).toLocaleDateString(language, {
    timeZone: zone, weekday: "short", day: "numeric", month: "numeric",
  })
  return sentence("randomDay", { day })
}

/**
 * Until when what is open can be answered. What ends with a random time says what ends it.
 * @param {import("./plan.js").Entry} entry
 */
export const closing = (entry) => (entry.isDueRandom ? sentence("nextOne") : when(entry.due ?? entry.from))

/**
 * How many midnights lie before a moment, by the zone of the pages.
 * @param {number} moment
 */
function daysUntil(moment) {
  const day = (/** @type {number} */ at) =>
    Date.parse(new Date(at).toLocaleDateString("en-CA", { timeZone: zone }))
  return Math.round((day(moment) - day(Date.now())) / 86_400_000)
}

let looks = 0

/** Looks at what lies here. Of two looks at once the later one counts: the earlier one may have seen what has been sent since. */
export async function look() {
  const turn = ++looks
  if (keptAt && !document.querySelector('[data-behaviour~="own-form"]')) say("kept", sentence("keptText", { when: when(keptAt) }))
  const own = account ? await entries(account) : []
  const others = await foreign(account)
  if (turn !== looks) return
  const unsent = own.filter((entry) => entry.refusal === undefined && isTyped(entry)).length
  const refused = own.filter((entry) => entry.refusal !== undefined).length
  say("unsent", unsent > 0 ? sentence(unsent === 1 ? "unsentOne" : "unsentMany", { n: unsent }) : undefined)
  say("refused", refused > 0 ? sentence(refused === 1 ? "refusedOne" : "refusedMany", { n: refused }) : undefined)
  say("foreign", others > 0 ? sentence("foreign") : undefined)
}

/** Clocks that are further off than this refuse what is in time, and take what is late. */
const slack = 5 * 60_000

/**
 * By how much the server's clock was ahead of this one's when it last answered this page, in milliseconds; undefined before.
 * @type {number | undefined}
 */
export let ahead

/**
 * @param {number} server the server's clock, in milliseconds since 1970
 */
export function compareClocks(server) {
  ahead = server - Date.now()
  const minutes = Math.round((Date.now() - server) / 60_000)
  const isOff = Math.abs(Date.now() - server) > slack
  say("clock", isOff ? sentence(minutes > 0 ? "clockFast" : "clockSlow", { n: Math.abs(minutes) }) : undefined)
}
