// An exercise: its text once somebody opens it, the words on it that stay here, and that it is done.
import { post } from "./calls.js"
import * as outbox from "./outbox.js"
import { account, look, stays, token } from "./state.js"
import * as words from "./words.js"
import { stamp } from "./draft.js"

/**
 * Tells the server of a step; where it cannot be reached, later. What somebody wrote is no part of it.
 * @param {string} account
 * @param {string} path
 */
async function tell(account, path) {
  // Nothing is kept on a device that is not one's own: there it is told at once, or not.
  if (!stays) return { isComplete: (await post(path, token ?? "", []))?.status === 200 }
  /** @type {outbox.Entry} */
  const entry = { id: crypto.randomUUID(), subject: path, path, title: document.querySelector("h1")?.textContent?.trim() ?? "", at: Date.now(), fields: [], lines: [] }
  await outbox.keep(account, [await outbox.keeping(account, entry)])
  return outbox.flush(account)
}

/**
 * @param {HTMLElement} page
 * @param {string} account
 */
function unfold(page, account) {
  const template = /** @type {HTMLTemplateElement | null} */ (page.querySelector("template"))
  if (!template) return
  page.querySelector("[data-unopened]")?.remove()
  template.replaceWith(template.content.cloneNode(true))
  void tell(account, `/my/interventions/${page.dataset.intervention}/opening`)
}

/**
 * @param {HTMLElement} page
 * @param {string} account
 */
function complete(page, account) {
  const form = /** @type {HTMLFormElement | null} */ (page.querySelector('form[action$="/completion"]'))
  form?.addEventListener("submit", async (event) => {
    event.preventDefault()
    const { isComplete } = await tell(account, `/my/interventions/${page.dataset.intervention}/completion`)
    if (isComplete) return location.reload()
    form.replaceChildren()
    const later = document.createElement("p")
    later.className = "own__quiet"
    later.textContent = page.dataset.completed ?? ""
    form.append(later)
    await look()
  })
}

class Writing {
  /**
   * @param {HTMLElement} block
   * @param {string} account
   * @param {string} id
   */
  constructor(block, account, id) {
    this.block = block
    this.account = account
    this.id = id
    this.area = /** @type {HTMLTextAreaElement} */ (block.querySelector("textarea"))
    this.done = /** @type {HTMLInputElement | null} */ (block.querySelector('input[type="checkbox"]'))
    this.status = /** @type {HTMLElement} */ (block.querySelector("[data-kept]"))
    /** @type {Promise<unknown>} */
    this.keeping = Promise.resolve()
    /** @type {number | undefined} */
    this.timer = undefined
    this.kept = ""
    /** Whether something typed waits for the PIN that another tab has set meanwhile. */
    this.isWaiting = false
  }

  async begin() {
    const isLocked = await words.isLocked(this.account)
    const note = isLocked ? undefined : await this.note()
    // Shown only now: what somebody begins to type is not written over by what lay here.
    this.area.value = note?.answer ?? ""
    if (this.done) this.done.checked = note?.isDone ?? false
    this.kept = this.state
    this.part("locked").hidden = !isLocked
    this.part("open").hidden = isLocked
    this.block.hidden = false
  }

  async note() {
    try {
      return await words.note(this.account, this.id)
    } catch (error) {
      if (!(error instanceof words.Unreadable)) throw error
      this.status.textContent = this.status.dataset.unreadable ?? ""
      return undefined
    }
  }

  /** What was typed stays here, and is kept once the words are open again. */
  lock() {
    this.isWaiting = true
    this.part("open").hidden = true
    this.part("changed").hidden = false
    this.part("locked").hidden = false
  }

  /** @param {string} name */
  part(name) {
    return /** @type {HTMLElement} */ (this.block.querySelector(`[data-part="${name}"]`))
  }

  get state() {
    return JSON.stringify([this.area.value, this.done?.checked ?? null])
  }

  listen() {
    this.area.addEventListener("input", () => {
      clearTimeout(this.timer)
      this.timer = window.setTimeout(() => this.keep(), 400)
    })
    this.area.addEventListener("change", () => this.keep())
    this.done?.addEventListener("change", () => this.keep())
    addEventListener("pagehide", () => this.keep())
    addEventListener("visibilitychange", () => this.keep())
    const form = /** @type {HTMLFormElement} */ (this.part("locked").querySelector("form"))
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      const field = /** @type {HTMLInputElement} */ (form.querySelector("input"))
      const isOpen = await words.unlock(this.account, field.value)
      field.value = ""
      const wrong = /** @type {HTMLElement} */ (form.querySelector('[role="alert"]'))
      wrong.textContent = isOpen ? "" : (wrong.dataset.wrong ?? "")
      if (!isOpen) return field.focus()
      if (this.isWaiting) {
        this.isWaiting = false
        for (const name of ["locked", "changed"]) this.part(name).hidden = true
        this.part("open").hidden = false
        void this.keep()
      } else {
        await this.begin()
      }
      this.area.focus()
    })
  }

  keep() {
    clearTimeout(this.timer)
    if (this.part("open").hidden || this.state === this.kept) return this.keeping
    const now = this.state
    const note = { answer: this.area.value || null, isDone: this.done?.checked ?? null, changedAt: stamp() }
    this.kept = now
    this.keeping = this.keeping.then(() => words.keep(this.account, { [this.id]: note })).then(
      () => (this.status.textContent = this.status.dataset.kept ?? ""),
      (error) => {
        // Whoever goes away now would lose it.
        this.kept = ""
        if (error instanceof words.Locked) return this.lock()
        this.status.textContent = this.status.dataset.failed ?? ""
      },
    )
    return this.keeping
  }
}

/** @param {string} own */
export async function practise(own) {
  const page = /** @type {HTMLElement | null} */ (document.querySelector('[data-behaviour~="practice"]'))
  if (!page || !account) return
  unfold(page, own)
  if (stays) complete(page, own)
  const block = /** @type {HTMLElement | null} */ (page.querySelector("[data-words]"))
  if (!block) return
  const writing = new Writing(block, own, page.dataset.intervention ?? "")
  writing.listen()
  await writing.begin()
}
