// The page that says what lies on this device: what is unsent, what was refused and why, what can be filled in.
import * as drafts from "./draft.js"
import * as outbox from "./outbox.js"
import { known, refresh } from "./plan.js"
import { change } from "./store.js"
import { account, closing, keptAt, look, opening, when } from "./state.js"

/**
 * A copy of a template of the page, with its places filled.
 * @param {string} name
 * @param {Record<string, string>} values
 */
function copy(name, values) {
  const template = /** @type {HTMLTemplateElement} */ (document.querySelector(`template[data-row="${name}"]`))
  const row = /** @type {HTMLElement} */ (/** @type {DocumentFragment} */ (template.content.cloneNode(true)).firstElementChild)
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("[data-fill]"))) {
    const text = values[place.dataset.fill ?? ""] ?? ""
    place.textContent = (place.dataset.text ?? "{}").replace(/\{.*\}/, text)
  }
  return row
}

/** @type {WeakMap<Element, string>} what a row said when it was drawn */
const drawn = new WeakMap()

/**
 * Shows these rows. One that says what it said before stays the element that it is: somebody may be reading what they unfolded in it.
 * @param {string} name
 * @param {HTMLElement[]} rows
 */
function list(name, rows) {
  const block = /** @type {HTMLElement | null} */ (document.querySelector(`[data-list="${name}"]`))
  const place = block?.querySelector("ul")
  if (!block || !place) return
  const before = [...place.children]
  const next = rows.map((row) => {
    const at = before.findIndex((old) => drawn.get(old) === row.outerHTML)
    if (at >= 0) return before.splice(at, 1)[0]
    drawn.set(row, row.outerHTML)
    return row
  })
  for (const gone of before) gone.remove()
  next.forEach((row, at) => {
    // What is in its place is not taken out, which would take the focus from it.
    if (place.children[at] !== row) place.insertBefore(row, place.children[at] ?? null)
  })
  block.hidden = rows.length === 0
}

/** @param {import("./plan.js").Entry} entry */
function asked(entry) {
  const row = copy("asked", { title: entry.title, when: entry.from > Date.now() ? opening(entry) : closing(entry) })
  row.querySelector("a")?.setAttribute("href", entry.path)
  return row
}

/** @param {outbox.Entry} entry */
function refused(entry) {
  const own = /** @type {string} */ (account)
  const row = copy("refused", { title: entry.title, message: entry.refusal ?? "", when: when(entry.at) })
  row.dataset.entry = entry.id
  const answers = row.querySelector("dl")
  row.querySelector("details")?.toggleAttribute("hidden", entry.lines.length === 0)
  for (const [question, answer] of entry.lines) {
    const group = document.createElement("div")
    const [term, words] = [document.createElement("dt"), document.createElement("dd")]
    term.textContent = question
    words.textContent = answer
    group.append(term, words)
    answers?.append(group)
  }
  // Another device was faster: the page of what was asked shows which answers count.
  const asked = outbox.askedAt(entry)
  const link = /** @type {HTMLAnchorElement | null} */ (row.querySelector("[data-counts]"))
  if (link && asked && ["already_answered", "other_content"].includes(entry.code ?? "")) {
    link.href = `${asked}?from=server`
    link.hidden = false
  }
  row.querySelector('[data-go="seen"]')?.addEventListener("click", async () => {
    await outbox.letGo(own, entry)
    await show()
  })
  const resend = /** @type {HTMLElement} */ (row.querySelector('[data-go="resend"]'))
  resend.hidden = !entry.mayResend
  resend.addEventListener("click", async () => {
    await outbox.waitAgain(own, entry)
    await outbox.flush(own)
    await show()
  })
  const again = /** @type {HTMLElement | null} */ (row.querySelector('[data-go="again"]'))
  if (!again) return row
  again.hidden = !entry.mayReopen
  again.addEventListener("click", async () => {
    const line = /** @type {HTMLElement} */ (row.querySelector('[role="status"]'))
    line.textContent = line.dataset[(await reopen(own, entry)) ?? ""] ?? ""
  })
  return row
}

/**
 * Back into the form, as a sheet of its own; what was refused goes only where there is a way back.
 * @param {string} account
 * @param {outbox.Entry} entry
 * @returns {Promise<"gone" | "unreachable" | undefined>} why there is none
 */
async function reopen(account, entry) {
  // When it was sent it was taken out of what lies here; the server knows whether it is still asked.
  const { outcome, plan: fresh } = await refresh()
  if (outcome === "signed out") return void location.reload()
  const plan = fresh ?? (await known(account))
  const path = plan?.entries.find((one) => one.key === entry.subject)?.path
  if (!path) return fresh ? "gone" : "unreachable"
  const draft = drafts.fresh()
  for (const [name, value] of entry.fields) {
    if (name.startsWith("at.")) draft.items[name.slice(3)] = { values: [], at: value }
  }
  for (const [name, value] of entry.fields) {
    if (name.startsWith("answers.")) draft.items[name.slice(8)]?.values.push(value)
  }
  await change([
    await drafts.keeping(account, entry.subject, draft),
    { store: "outbox", key: `${account} ${entry.id}` },
  ])
  location.assign(path)
  return undefined
}

let turns = 0
/** @type {Promise<void>} */
let drawing = Promise.resolve()

/** Draws what lies here. Of two at once the later one draws, and both wait for it. */
export const show = () => (drawing = draw(++turns))

/** @param {number} turn */
async function draw(turn) {
  if (!account || !document.querySelector("[data-list]")) return
  const waiting = await outbox.entries(account)
  const subjects = new Set(waiting.map((entry) => entry.subject))
  const plan = await known(account)
  if (turn !== turns) return drawing
  const entries = (plan?.entries ?? []).filter((entry) => entry.isAsked && !subjects.has(entry.key))
  const open = entries.filter((entry) => entry.from <= Date.now() && (!entry.due || entry.due >= Date.now()))
  const coming = entries.filter((entry) => entry.from > Date.now()).sort((one, other) => one.from - other.from)
  list("unsent", waiting.filter((entry) => entry.refusal === undefined && outbox.isTyped(entry)).map((entry) => copy("unsent", { title: entry.title, when: when(entry.at) })))
  list("refused", waiting.filter((entry) => entry.refusal !== undefined).map(refused))
  const later = () => coming.slice(0, 5).map((entry) => copy(entry.isFromRandom ? "coming-random" : "coming", { title: entry.title, when: opening(entry) }))
  list("asked", open.map(asked))
  list("coming", later())
  if (keptAt) {
    // What the server said was open when this page was kept is no longer all.
    for (const old of document.querySelectorAll("[data-asked]")) old.remove()
    list("asked-when-kept", open.map(asked))
    list("coming-when-kept", later())
  }
  await look()
}
