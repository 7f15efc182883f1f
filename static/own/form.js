// A whole questionnaire on the device, one part at a time. Every step is kept here, and told to the server where it can be
// reached; what is sent goes into the outbox first.
import { post } from "./calls.js"
import { zoneHere } from "./device.js"
import * as drafts from "./draft.js"
import { numberIn, spelled } from "./number.js"
import * as outbox from "./outbox.js"
import * as plans from "./plan.js"
import { account, ahead, closing, keptAt, look, opening, say, sentence, when } from "./state.js"
import { refusal } from "./verdict.js"

/** @typedef {import("./plan.js").Entry} Entry */

/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (document.querySelector(`[data-part="${name}"]`))

const form = /** @type {HTMLFormElement | null} */ (document.querySelector('[data-behaviour~="own-form"]'))

/**
 * The field sets of the questions that are shown with these answers, in all parts.
 * @param {ParentNode} where
 * @returns {HTMLElement[]}
 */
const questions = (where) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (where.querySelectorAll("[data-question]"))].filter(
    (question) => !question.closest("[hidden]"),
  )

/**
 * @param {HTMLElement} question
 * @returns {HTMLInputElement[]}
 */
const inputs = (question) => [...question.querySelectorAll(/** @type {"input"} */ ("input[name], textarea[name]"))]

/**
 * What is chosen or typed.
 * @param {HTMLElement} question
 */
function values(question) {
  return inputs(question)
    .filter((input) => (["radio", "checkbox"].includes(input.type) ? input.checked : input.value !== ""))
    .map((input) => input.value)
}

/**
 * @param {HTMLElement} question
 * @param {string[]} values
 */
function fill(question, values) {
  for (const input of inputs(question)) {
    if (["radio", "checkbox"].includes(input.type)) {
      input.checked = values.includes(input.value)
    } else if (input.value !== (values[0] ?? "")) {
      input.value = values[0] ?? ""
      // A slider beside it moves along.
      input.dispatchEvent(new Event("input", { bubbles: true }))
    }
  }
}

/**
 * What the server is told: numbers are spelled in one way; what cannot be read as one stays here until it can.
 * @param {HTMLElement} question
 * @param {string[]} values
 * @returns {string[] | undefined}
 */
function sent(question, values) {
  const input = inputs(question)[0]
  if (values.length === 0 || !input?.matches("[data-number]")) return values
  const number = numberIn(input)
  return number === undefined ? undefined : [spelled(number)]
}

class Filling {
  /**
   * @param {Entry} entry
   * @param {drafts.Draft} draft
   * @param {import("./plan.js").Plan} plan
   */
  constructor(entry, draft, plan) {
    this.entry = entry
    this.draft = draft
    this.zone = plan.zone
    /** By how much the server's clock was ahead of this one's when the page was opened, in milliseconds. */
    this.ahead = plan.now - plan.fetchedAt
    this.isSent = false
    /** While the fields are filled from the draft, what stands in them is not what somebody says. */
    this.isDrawing = false
    /** @type {Promise<unknown>} */
    this.keeping = Promise.resolve()
    this.parts = /** @type {HTMLElement[]} */ ([...form?.querySelectorAll("[data-section]") ?? []])
    this.now = ""
  }

  /** Where the questionnaire shows the parts of these answers. */
  get shown() {
    return this.parts.filter((section) => !section.hidden)
  }

  /** Fills in what the draft has, also where nothing is shown yet: which parts are follows from the answers, part by part. */
  draw() {
    this.isDrawing = true
    for (const question of /** @type {NodeListOf<HTMLElement>} */ (form?.querySelectorAll("[data-question]") ?? [])) {
      fill(question, this.draft.items[question.dataset.question ?? ""]?.values ?? [])
    }
    form?.dispatchEvent(new Event("input"))
    this.isDrawing = false
  }

  /** Takes in what was changed since, each with its moment. */
  note() {
    if (this.isDrawing) return false
    let isChanged = false
    const order = drafts.stamp(new Date(Date.now() + (ahead ?? this.ahead)))
    for (const question of questions(form ?? document)) {
      const key = question.dataset.question ?? ""
      const now = values(question)
      const before = this.draft.items[key]?.values ?? []
      // In whatever order another device has named them.
      if (now.length === before.length && now.every((value) => before.includes(value))) continue
      this.draft.items[key] = { values: now, at: drafts.stamp(), order }
      isChanged = true
    }
    return isChanged
  }

  /** Keeps it on the device; one write after the other. */
  keep() {
    if (this.isSent || !account) return this.keeping
    const own = account
    const copy = structuredClone(this.draft)
    this.keeping = this.keeping
      .then(async () => outbox.keep(own, [await drafts.keeping(own, this.entry.key, copy)]))
      .then(() => say("space"), () => say("space", sentence("space")))
    return this.keeping
  }

  /**
   * @param {string} name of a part, or `review`
   * @param {string} [question] to begin at, where one is shown after the other
   */
  show(name, question) {
    this.now = name
    const isReview = name === "review"
    for (const section of this.parts) section.classList.toggle("answer__part--away", section.dataset.section !== name)
    part("review").hidden = !isReview
    part("required").hidden = isReview || !part("required").dataset.has
    part("problem").hidden = true
    this.button("send").hidden = !isReview
    if (isReview) this.review()
    const place = this.shown.findIndex((section) => section.dataset.section === name)
    this.button("back").hidden = place === 0
    this.button("next").hidden = isReview
    const begin = document.querySelector("#main")
    if (begin instanceof HTMLElement) begin.focus({ preventScroll: true })
    scrollTo(0, 0)
    form?.dispatchEvent(new CustomEvent("part", { detail: question }))
    this.progress()
  }

  /** @param {string} name */
  button(name) {
    return /** @type {HTMLButtonElement} */ (form?.querySelector(`.answer__bar [data-go="${name}"]`))
  }

  progress() {
    // One question a screen counts by itself.
    if (form?.matches(".answer--steps")) return
    const all = questions(form ?? document)
    const answered = all.filter((question) => values(question).length > 0).length
    const count = part("count")
    count.textContent = (count.dataset.text ?? "").replace("{n}", String(answered)).replace("{of}", String(all.length))
    part("bar").setAttribute("value", String(all.length ? Math.floor((answered * 100) / all.length) : 0))
  }

  /** @param {boolean} isRequired */
  missing(isRequired) {
    const open = questions(form ?? document).filter((question) => values(question).length === 0)
    return open.filter((question) => Boolean(question.querySelector(".ask__required")) === isRequired)
  }

  review() {
    for (const [name, isRequired] of /** @type {[string, boolean][]} */ ([["missing", true], ["optional", false]])) {
      const block = part(name)
      const missing = this.missing(isRequired)
      block.hidden = missing.length === 0
      const list = /** @type {HTMLElement} */ (block.querySelector("ul"))
      list.replaceChildren(...missing.map((question) => this.link(question)))
    }
    part("ready").hidden = this.missing(true).length > 0
    this.button("send").hidden = this.missing(true).length > 0
  }

  /** @param {HTMLElement} question */
  link(question) {
    const row = document.createElement("li")
    row.className = "own__row"
    const button = document.createElement("button")
    Object.assign(button, { type: "button", className: "own__link own__link--button", dir: "auto" })
    button.textContent = question.querySelector("legend")?.textContent?.replace("*", "").trim() ?? ""
    button.addEventListener("click", () => {
      this.show(/** @type {HTMLElement} */ (question.closest("[data-section]")).dataset.section ?? "", question.id)
      question.scrollIntoView({ block: "center" })
      inputs(question)[0]?.focus()
    })
    row.append(button)
    return row
  }

  /** @param {number} distance */
  step(distance) {
    const shown = this.shown
    const place = this.now === "review" ? shown.length : shown.findIndex((one) => one.dataset.section === this.now)
    const wrong = distance > 0 && shown[place] ? this.wrong(shown[place]) : undefined
    if (wrong) {
      wrong.reportValidity()
      return
    }
    const next = shown[place + distance]
    this.show(next?.dataset.section ?? "review")
    void this.tell()
  }

  /**
   * The first field whose value cannot be an answer.
   * @param {HTMLElement} section
   */
  wrong(section) {
    return questions(section).flatMap(inputs).find((input) => !input.checkValidity())
  }

  /** What the server is told; only what is shown counts in the end. */
  fields() {
    /** @type {[string, string][]} */
    const fields = [
      ["id", this.draft.sheet],
      ["version", this.entry.version],
      ["started_at", this.draft.startedAt],
      ["timezone", zoneHere() ?? this.zone],
      ...Object.entries(this.entry.target),
    ]
    for (const question of questions(form ?? document)) {
      const key = question.dataset.question ?? ""
      const item = this.draft.items[key]
      if (!item) continue
      const values = sent(question, item.values)
      if (!values) continue
      fields.push([`at.${key}`, item.at], ...values.map((value) => /** @type {[string, string]} */ ([`answers.${key}`, value])))
    }
    return fields
  }

  /** Tells the server how far it is, so that another device can go on; where it cannot be reached it waits. */
  async tell() {
    if (this.isSent || !account) return
    const plan = await plans.known(account)
    if (!plan) return
    const told = { ...this.draft.items }
    const answer = await post("/my/offline/sheets", plan.formToken, [["action", "keep"], ["sent_at", new Date().toISOString()], ...this.fields()])
    if (answer?.status === 409 && refusal(answer)) {
      this.refuse(answer.body.message)
      part("counts").hidden = false
      return
    }
    // Where it was not heard, it lies here and goes with what is sent.
    if (answer?.body?.state !== "kept" || this.isSent) return
    this.take(answer.body.draft, told)
    await this.keep()
  }

  /**
   * Takes in what another device has said meanwhile, and shows it: what stands in a field is what somebody says here.
   * @param {import("./plan.js").ServerDraft | undefined} theirs
   * @param {Record<string, drafts.Item>} told what the server was told
   */
  take(theirs, told) {
    this.note()
    if (!theirs) return
    // What was changed here while the server was asked is newer than what it knows.
    const news = Object.entries(theirs.at).filter(([key]) => this.draft.items[key] === told[key])
    this.draft = drafts.merged(this.draft, { ...theirs, at: Object.fromEntries(news) })
    this.draw()
    if (this.now === "review") this.review()
  }

  /** @param {string} message */
  refuse(message) {
    const problem = part("problem")
    problem.hidden = false
    const heading = /** @type {HTMLElement} */ (problem.querySelector("h2"))
    heading.textContent = message
    problem.focus()
  }

  async send() {
    const wrong = this.shown.map((section) => this.wrong(section)).find(Boolean)
    if (wrong) {
      this.show(
        /** @type {HTMLElement} */ (wrong.closest("[data-section]")).dataset.section ?? "",
        wrong.closest("[data-question]")?.id,
      )
      wrong.reportValidity()
      return
    }
    if (this.isSent || !account) return
    if (this.missing(true).length > 0) return this.show("review")
    this.isSent = true
    await this.keeping
    const completed = drafts.stamp()
    /** @type {import("./outbox.js").Entry} */
    const sheet = {
      id: this.draft.sheet, subject: this.entry.key, path: "/my/offline/sheets", title: this.entry.title, at: Date.now(),
      fields: [...this.fields(), ["completed_at", completed], ["action", "send"]], lines: this.lines(),
    }
    try {
      await outbox.keep(account, [
        await outbox.keeping(account, sheet),
        await drafts.keeping(account, this.entry.key),
        ...(await this.planWithout(account)),
      ])
    } catch {
      this.isSent = false
      say("space", sentence("space"))
      this.refuse(sentence("space"))
      return
    }
    void navigator.storage?.persist?.()
    this.sent()
    const own = account
    outbox.whenTried((result) => void this.follow(own, result))
    await this.arrive(await outbox.flush(account))
  }

  /** What it answers is asked no more on this device, and no other sheet goes on from this draft. */
  async planWithout(/** @type {string} */ account) {
    const plan = await plans.known(account)
    if (!plan) return []
    const draft = this.draft.sheet
    plan.entries = plan.entries
      .filter((entry) => !((entry.isAsked || entry.target.event) && entry.key === this.entry.key))
      .map((entry) => (entry.draft?.sheet === draft ? { ...entry, draft: null } : entry))
    return [await plans.keeping(plan)]
  }

  lines() {
    return questions(form ?? document)
      .filter((question) => values(question).length > 0)
      .map((question) => {
        const words = inputs(question)
          .filter((input) => (["radio", "checkbox"].includes(input.type) ? input.checked : input.value !== ""))
          .map((input) => (["radio", "checkbox"].includes(input.type) ? input.labels?.[0]?.textContent?.trim() : input.value))
        const text = question.querySelector("legend")?.textContent?.replace("*", "").trim() ?? ""
        return /** @type {[string, string]} */ ([text, words.join(", ")])
      })
  }

  sent() {
    if (form) form.hidden = true
    for (const name of ["count", "bar", "due", "notice", "problem"]) part(name).hidden = true
    part("sent").hidden = false
    part("sent").querySelector("h2")?.focus()
  }

  /** @param {import("./outbox.js").Result} result */
  async arrive(result) {
    await look()
    const arrived = result.sent.find(({ entry }) => entry.id === this.draft.sheet)
    if (arrived) return location.replace(arrived.path ?? "/my")
    const refused = result.refused.find((entry) => entry.id === this.draft.sheet)
    if (refused) return location.replace("/my/offline")
    if (result.isSignedOut) say("session", sentence("signedOut"))
  }

  /**
   * Says whether it waits, after every try of this page. Of what another tab has sent it says only that it waits no more: that tab knows
   * whether it was taken. What was refused the head of the page tells.
   * @param {string} account
   * @param {import("./outbox.js").Result} result
   */
  async follow(account, result) {
    const own = (await outbox.entries(account)).find((entry) => entry.id === this.draft.sheet)
    part("waiting").hidden = !own || own.refusal !== undefined
    const line = part("under-way")
    if (result.sent.some(({ entry }) => entry.id === this.draft.sheet)) line.textContent = line.dataset.arrived ?? ""
  }
}

/** Begins where a page holds a whole questionnaire. */
export async function fillIn() {
  if (!form || !account) return
  const own = account
  // As long as it is open no newer worker takes over.
  void navigator.locks.request("intersession-form", { mode: "shared" }, () => new Promise(() => {}))
  const path = location.pathname + location.search
  let plan = await plans.known(own)
  let entry = plan?.entries.find((one) => one.path === path)
  // What lies here is shown soon, whatever the network does.
  const asking = plans.refresh()
  const patience = new Promise((resolve) => setTimeout(() => resolve({ outcome: "unreachable" }), entry ? 2_500 : 20_000))
  const { outcome, plan: newer } = /** @type {Awaited<typeof asking>} */ (await Promise.race([asking, patience]))
  // Nothing of theirs is shown until the same person is back; now the server says how.
  const isOver = (/** @type {Awaited<typeof asking>} */ answer) =>
    answer.outcome === "signed out" || (answer.plan !== undefined && answer.plan.account !== own)
  if (isOver({ outcome, plan: newer })) return location.reload()
  if (newer) {
    plan = newer
    entry = newer.entries.find((one) => one.path === path)
  }
  const isWaiting = (await outbox.entries(own)).some((one) => one.subject === entry?.key)
  if (!plan || !entry || isWaiting) {
    // It is answered or was taken back; the server says which. Without it, what lies here says what there is.
    return location.replace(outcome === "fresh" && !isWaiting ? `${location.pathname}?from=server` : "/my/offline")
  }
  if (entry.version !== form.dataset.version) return location.reload()
  // Forms lie here always; that there is no network is said only where that was tried.
  if (outcome === "unreachable" && keptAt) say("kept", sentence("keptText", { when: when(keptAt) }))
  const filling = begin(entry, drafts.merged(await drafts.load(own, entry.key), entry.draft), plan)
  const late = await asking
  if (!filling || !isOver(late)) return
  form.hidden = true
  await filling.keeping
  location.reload()
}

/**
 * @param {Entry} entry
 * @param {drafts.Draft} draft
 * @param {import("./plan.js").Plan} plan
 * @returns {Filling | undefined}
 */
function begin(entry, draft, plan) {
  if (!form) return undefined
  const filling = new Filling(entry, draft, plan)
  const heading = document.querySelector("h1")
  if (heading) heading.textContent = entry.title
  const due = part("due")
  // The end of what is not open yet would tell when it opens.
  const isEarly = Date.now() < entry.from
  if (entry.due && !isEarly && entry.due < Date.now() + 60 * 86_400_000) {
    due.textContent = (due.dataset.text ?? "").replace("{when}", closing(entry))
    due.hidden = false
  }
  if (isEarly || (entry.due && Date.now() > entry.due)) {
    const why = isEarly ? (entry.isFromRandom ? "earlyRandom" : "early") : "late"
    filling.refuse((part("problem").dataset[why] ?? "").replace("{when}", opening(entry)))
  }
  form.hidden = false
  filling.draw()
  const open = filling.shown.find((section) => questions(section).some((question) => values(question).length === 0))
  if (Object.keys(draft.items).length > 0) {
    const notice = part("notice")
    notice.textContent = notice.dataset.text ?? ""
    notice.hidden = false
  }
  filling.show(open?.dataset.section ?? "review")

  form.addEventListener("step", () => void filling.tell())
  form.addEventListener("seek", (event) => filling.show(.../** @type {CustomEvent<[string, string]>} */ (event).detail))
  const changed = () => {
    if (filling.note()) void filling.keep()
    filling.progress()
  }
  form.addEventListener("input", changed)
  form.addEventListener("change", changed)
  // Letting a choice go is a click alone.
  form.addEventListener("click", () => setTimeout(changed))
  addEventListener("pagehide", changed)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter)
    if (pressed?.value.startsWith("clear:")) {
      const question = /** @type {HTMLElement} */ (pressed.closest("[data-question]"))
      fill(question, [])
      changed()
      form.dispatchEvent(new Event("input"))
      return
    }
    changed()
    switch (pressed?.dataset.go) {
      case "back": return filling.step(-1)
      case "send": return void filling.send()
      case "later": return void filling.keep().then(() => filling.tell()).then(() => location.assign("/my"))
      default: return filling.step(1)
    }
  })
  return filling
}
