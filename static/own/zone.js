// Says once on Today that this device goes by another clock than the account, and offers the change.
import { zoneHere } from "./device.js"
import { recall, remember } from "./remembered.js"
import { keptAt, stays, zone as own } from "./state.js"
import { change, find } from "./store.js"

const week = 7 * 86_400_000

/**
 * Whether clocks of two zones show another time, now or within a year: two names may mean the same.
 * @param {string} one
 * @param {string} other
 */
function differ(one, other) {
  try {
    const clocks = [one, other].map((timeZone) =>
      new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short", timeStyle: "short" }))
    const moments = Array.from({ length: 53 }, (_, turn) => Date.now() + turn * week)
    return moments.some((at) => clocks[0].format(at) !== clocks[1].format(at))
  } catch {
    // The server knows zones that this browser does not.
    return one !== other
  }
}

/**
 * What both clocks show now; where that is the same, the places that they are named after.
 * @param {string} here
 * @param {string} own
 */
function clocks(here, own) {
  try {
    const [first, second] = [here, own].map((timeZone) =>
      new Intl.DateTimeFormat(document.documentElement.lang, { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" }).format())
    if (first !== second) return { here: first, own: second }
  } catch {
    // As above.
  }
  const place = (/** @type {string} */ zone) => zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ")
  return { here: place(here), own: place(own) }
}

/**
 * @param {string} account
 */
export async function compareZones(account) {
  const line = /** @type {HTMLElement | null} */ (document.querySelector('[data-behaviour~="zone"]'))
  const here = zoneHere()
  // A page that was kept sends nothing, and may be of before the change.
  if (!line || !here || !own || keptAt) return
  const key = `${account} zone`
  // Where nobody stays signed in nothing is kept: then once for this tab.
  const read = async () => (stays ? find("facts", key) : recall(key, "sessionStorage") ?? undefined)
  const note = async (/** @type {string | undefined} */ value) => {
    if (stays) await change([{ store: "facts", key, value }])
    else remember(key, value ?? null, "sessionStorage")
  }
  const said = await read()
  if (!differ(here, own)) {
    // Back home; the next journey is another one.
    if (said) await note(undefined)
    return
  }
  if (said === `${here} ${own}`) return
  const text = /** @type {HTMLElement} */ (line.querySelector("[data-text]"))
  const times = clocks(here, own)
  text.textContent = (text.dataset.text ?? "").replace("{here}", times.here).replace("{own}", times.own)
  const form = /** @type {HTMLFormElement} */ (line.querySelector("form"))
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("timezone"))
  field.value = here
  line.querySelector('[data-go="no"]')?.addEventListener("click", () => {
    line.hidden = true
    void note(`${here} ${own}`)
  })
  line.hidden = false
}
