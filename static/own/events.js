// The buttons of what happens at any time on a page that lies here, or whose network has gone: what is pressed is noted on this device,
// and shown as waiting until the server has it (ST-2).
import * as outbox from "./outbox.js"
import { cacheName, formPath } from "./pages.js"
import { known } from "./plan.js"
import * as pressed from "./pressed.js"
import { remember } from "./remembered.js"
import { account, keptAt, look, say, sentence, when } from "./state.js"

const lists = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-behaviour~="events"]')])

/** Two presses within this time are one. */
const double = 2_000

/** What was drawn here beside what the server has drawn. */
const drawn = "data-drawn"

const isAway = () => keptAt !== undefined || !navigator.onLine

/**
 * @param {string} name
 * @param {Record<string, string>} texts by part
 */
function copy(name, texts) {
  const template = /** @type {HTMLTemplateElement} */ (document.querySelector(`template[data-row="${name}"]`))
  const row = /** @type {HTMLElement} */ (/** @type {DocumentFragment} */ (template.content.cloneNode(true)).firstElementChild)
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("[data-part]"))) {
    const text = texts[place.dataset.part ?? ""]
    if (text !== undefined) place.textContent = text
  }
  row.setAttribute(drawn, "")
  return row
}

/**
 * @param {ParentNode} row
 * @param {string} name
 */
const part = (row, name) => /** @type {HTMLElement} */ (row.querySelector(`[data-part="${name}"], [data-go="${name}"]`))

/**
 * @param {string} name
 * @param {Record<string, string>} values
 */
function words(name, values) {
  const template = /** @type {HTMLTemplateElement | null} */ (document.querySelector('template[data-row="pressed"]'))
  const text = template && part(template.content, "state").dataset[name]
  return Object.entries(values).reduce((text, [place, value]) => text.replace(`{${place}}`, value), text ?? "")
}

/**
 * Fills in a form that notes something, so that each press has an id of its own.
 * @param {Element} form
 */
function renew(form) {
  const field = form.querySelector('input[name="id"]')
  if (field instanceof HTMLInputElement) field.value = crypto.randomUUID()
}

/** @typedef {{ begin: outbox.Entry, end?: outbox.Entry, isAnswered: boolean, hasForm: boolean }} Waiting */

/**
 * @param {string} own
 * @param {import("./plan.js").Plan | undefined} plan
 * @param {outbox.Entry[]} all
 * @returns {Promise<Waiting[]>}
 */
async function waiting(own, plan, all) {
  const cache = await caches.open(cacheName(own))
  const begun = all.filter(({ press, refusal }) => press?.kind === "begin" && refusal === undefined)
  return Promise.all(begun.map(async (begin) => {
    const event = begin.id
    const entry = plan?.entries.find(({ key }) => key === event)
    return {
      begin, end: all.find(({ press }) => press?.kind === "end" && press.event === event),
      isAnswered: all.some(({ subject }) => subject === event),
      hasForm: entry !== undefined && (await cache.match(formPath(entry.version))) !== undefined,
    }
  }))
}

/**
 * @param {string} own
 * @param {Waiting} one
 */
function row(own, { begin, end, isAnswered, hasForm }) {
  const event = begin.id
  const started = when(begin.press?.at ?? begin.at)
  const goesOn = begin.press?.isSpan && !end
  const state = goesOn ? words("goesOn", { when: started }) : end ? words("was", { from: started, to: when(end.at) }) : started
  const made = copy("pressed", { title: begin.title, state, name: `: ${begin.title}` })
  made.dataset.event = event
  part(made, "later").hidden = hasForm || isAnswered
  const fill = /** @type {HTMLAnchorElement} */ (part(made, "fill"))
  fill.href = `/my/events/${event}`
  if (!hasForm || isAnswered) fill.remove()
  const over = part(made, "end")
  if (goesOn) over.addEventListener("click", () => void press(own, event, () => pressed.end(own, { event })))
  else over.remove()
  const mistake = part(made, "mistake")
  if (isAnswered) mistake.remove()
  else mistake.addEventListener("click", async () => {
    await pressed.letGo(own, event)
    await draw(own)
    await look()
  })
  return made
}

/**
 * A row of the server about something that has since ended here.
 * @param {HTMLElement} known
 * @param {outbox.Entry | undefined} end
 */
function over(known, end) {
  const form = /** @type {HTMLElement | null} */ (known.querySelector('form[action$="/end"]'))
  if (form) form.hidden = end !== undefined
  known.querySelector(`[${drawn}]`)?.remove()
  if (!end) return
  const note = Object.assign(document.createElement("p"), { className: "mute" })
  const waits = part(/** @type {HTMLTemplateElement} */ (document.querySelector('template[data-row="pressed"]')).content, "waits")
  note.textContent = `${words("was", { from: "", to: when(end.at) }).trim()}. ${waits.textContent}`
  note.setAttribute(drawn, "")
  known.querySelector(".toolbar__actions")?.before(note)
}

let turns = 0

/**
 * Draws what waits beside what the server has drawn.
 * @param {string} own
 */
export async function draw(own) {
  const turn = ++turns
  const [plan, all] = [await known(own), await outbox.entries(own)]
  const found = await waiting(own, plan, all)
  if (turn !== turns) return
  for (const list of lists) {
    const rows = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(`li[data-event]:not([${drawn}])`)])
    const buttons = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(`li[data-press]:not([${drawn}])`)])
    const items = new Set([...rows.map(({ dataset }) => dataset.item), ...buttons.map(({ dataset }) => dataset.press)])
    const here = found.filter(({ begin }) => items.has(begin.press?.item) && !rows.some(({ dataset }) => dataset.event === begin.id))
    for (const old of list.querySelectorAll(`li[${drawn}]`)) old.remove()
    for (const known of rows) {
      const { event } = known.dataset
      over(known, all.find(({ press, refusal }) => press?.kind === "end" && press.event === event && refusal === undefined))
    }
    list.prepend(...here.map((one) => row(own, one)).reverse())
    const goesOn = (/** @type {string} */ item) =>
      here.some(({ begin, end }) => begin.press?.item === item && begin.press.isSpan && !end)
      || rows.some((one) => one.dataset.item === item && one.querySelector('form[action$="/end"]:not([hidden])'))
    for (const button of buttons) button.hidden = goesOn(button.dataset.press ?? "")
    // What went on when the page was made has a button only once it is over.
    for (const button of plan?.buttons ?? []) {
      const { item } = button
      if (!isAway() || !items.has(item) || goesOn(item) || buttons.some(({ dataset }) => dataset.press === item)) continue
      const made = copy("press", { title: button.title, press: button.press, name: `: ${button.title}` })
      const field = made.querySelector('input[name="item"]')
      if (field instanceof HTMLInputElement) field.value = item
      renew(made)
      list.append(made)
    }
  }
}

/**
 * Keeps a press, shows it, and sends it where that can be.
 * @param {string} own
 * @param {string} event
 * @param {() => Promise<boolean>} keep
 */
async function press(own, event, keep) {
  try {
    if (!(await keep())) return say("space", sentence("absentPage"))
  } catch {
    return say("space", sentence("space"))
  }
  await draw(own)
  await look()
  const shown = document.querySelector(`li[data-event="${event}"]`)
  if (shown instanceof HTMLElement) shown.focus()
  const result = await outbox.flush(own)
  const arrived = result.sent.find(({ entry }) => entry.press?.event === event)
  if (arrived) {
    // Pages that lie here say something else now.
    remember("sent", "", "sessionStorage")
    return location.assign(arrived.path ?? location.pathname)
  }
  await draw(own)
  await look()
}

/** @type {Map<string, { id: string, at: number }>} the last press of each button */
const last = new Map()

/**
 * Without a network a press is noted here; with one the form goes its way.
 * @param {string} own
 */
export function listen(own) {
  if (keptAt) for (const list of lists) for (const form of list.querySelectorAll('form[action="/my/events"]')) renew(form)
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    const path = new URL(form.action).pathname
    if (!lists.some((list) => list.contains(form)) || !pressed.noted.test(path)) return
    if (!isAway()) {
      // Where it fails the worker notes it, for whoever this page was made for.
      if (!form.elements.namedItem("account")) {
        form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "account", value: own }))
        const item = form.closest("li")?.dataset.item
        if (item && !form.elements.namedItem("item")) {
          form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "item", value: item }))
        }
      }
      return
    }
    event.preventDefault()
    const line = form.closest("li")
    const title = line?.querySelector(".rows__title")?.textContent ?? undefined
    const over = pressed.noted.exec(path)?.[1]
    const fields = new FormData(form)
    if (over) {
      const item = line?.dataset.item
      return void press(own, over, () => pressed.end(own, { event: over, item, title }))
    }
    const [item, id, now] = [String(fields.get("item")), String(fields.get("id")), Date.now()]
    const before = last.get(item)
    if (before && now - before.at < double) return
    last.set(item, { id, at: now })
    renew(form)
    void press(own, id, () => pressed.begin(own, { event: id, item, title, isSpan: line?.dataset.span === "true", at: now }))
  })
}
