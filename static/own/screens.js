// One question a screen on a phone. The form stays whole: what is not asked now is out of sight, and is sent with the rest.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.answer"))
const narrow = matchMedia("(width < 47.5rem)")

/**
 * @param {HTMLElement} ask
 * @returns {HTMLInputElement[]}
 */
const inputs = (ask) => [...ask.querySelectorAll(/** @type {"input"} */ ("input[name], textarea[name]"))]

/** @param {HTMLInputElement} input */
const isPick = (input) => ["radio", "checkbox"].includes(input.type)

/** @param {HTMLElement} ask */
const values = (ask) => inputs(ask).filter((it) => (isPick(it) ? it.checked : it.value !== "")).map((it) => it.value)

/** @param {HTMLFormElement} form */
function begin(form) {
  const count = /** @type {HTMLElement} */ (document.querySelector(".answer__count"))
  const bar = /** @type {HTMLProgressElement} */ (document.querySelector(".own__bar"))
  const told = { count: count.textContent, bar: bar.value }
  const note = /** @type {HTMLElement | null} */ (form.querySelector('[data-part="required"]'))
  const call = /** @type {HTMLElement | null} */ (form.querySelector('[data-part="call"]'))
  const skip = /** @type {HTMLButtonElement | null} */ (form.querySelector('[data-go="skip"]'))
  /** @param {"next" | "back"} way */
  const button = (way) =>
    /** @type {HTMLButtonElement} */ (form.querySelector(`.answer__bar :is([data-go="${way}"], [value="${way}"])`))
  const isWhole = form.matches('[data-behaviour~="own-form"]')
  const before = Number(count.dataset.before ?? 0)
  /** @type {HTMLElement[]} */
  let asks = []
  let now = 0
  /** Which way the last press led. */
  let way = 1

  /** @param {ParentNode} where */
  const shown = (where) =>
    /** @type {HTMLElement[]} */ ([...where.querySelectorAll("[data-question]")]).filter((it) => !it.closest("[hidden]"))

  /** The questions of the part in sight; nil where it is shown as a list. */
  function steps() {
    const part = form.querySelector(".answer--one:not(.answer__part--away):not([hidden])")
    return narrow.matches && part ? shown(part) : undefined
  }

  /** Draws the screen of the present question. */
  function draw() {
    const found = steps()
    form.classList.toggle("answer--steps", found !== undefined)
    asks = found ?? []
    now = Math.max(0, Math.min(now, asks.length - 1))
    for (const ask of asks) ask.classList.toggle("ask--now", ask === asks[now])
    watch()
    if (!found) return
    const all = shown(form)
    const place = before + (isWhole ? all.indexOf(asks[now]) + 1 : asks.length && now + 1)
    const of = Number(count.dataset.of ?? all.length)
    count.textContent = (count.dataset.text ?? "").replace("{n}", String(place)).replace("{of}", String(of))
    bar.value = of ? (place * 100) / of : 0
    form.classList.toggle("answer--first", place <= 1)
    form.classList.toggle("answer--end", place <= 1 || place === of)
    button("back").hidden = place <= 1
    const needs = isNeeded()
    if (skip) skip.hidden = needs || asks.length === 0
    if (!note) return
    note.classList.toggle("answer__note--now", needs)
    note.classList.remove("field__error")
    note.removeAttribute("role")
  }

  /** After an answer that has to be seen the numbers to call come at once. */
  function watch() {
    if (!call) return
    const met = shown(form).find((it) => it.dataset.call && it.offsetParent && holds(JSON.parse(it.dataset.call), values(it)))
    if (met && met !== call.parentElement) met.append(call)
    if (call.hidden !== Boolean(met)) return
    call.hidden = !met
    if (met) call.scrollIntoView({ block: "nearest" })
  }

  const isNeeded = () => Boolean(note && !note.hidden && asks[now]?.querySelector(".ask__required"))

  /** Whether the present answer may be left; says what is wrong. */
  function mayLeave() {
    const ask = asks[now]
    if (!ask) return true
    const wrong = inputs(ask).find((it) => !it.checkValidity())
    if (wrong) return wrong.reportValidity()
    if (!note || !isNeeded() || values(ask).length > 0) return true
    note.setAttribute("role", "alert")
    note.classList.add("field__error")
    // Said again to those who hear it.
    note.textContent = note.textContent
    inputs(ask)[0]?.focus()
    return false
  }

  /** Moves to the heading of the present question. */
  function read() {
    const heading = asks[now]?.querySelector("legend")
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    scrollTo(0, 0)
    // That it goes on here was said where it did.
    const notice = /** @type {HTMLElement | null} */ (document.querySelector(".own__main > .notice--quiet"))
    if (notice) notice.hidden = true
  }

  /** Notes the present question in the history, so that the browser's own button leads back to it. */
  const mark = (isNew = false) => {
    const depth = (history.state?.depth ?? 0) + (isNew ? 1 : 0)
    history[isNew ? "pushState" : "replaceState"]({ ask: asks[now]?.id, depth }, "", location.href)
  }

  /** @returns {string} the question that this place in the history is about */
  const here = () => history.state?.ask ?? decodeURIComponent(location.hash.slice(1))

  /** @param {string} id */
  function seek(id) {
    const ask = document.getElementById(id)
    if (!ask || !form.contains(ask)) return false
    if (!asks.includes(ask)) {
      const part = /** @type {HTMLElement | null} */ (ask.closest("[data-section]:not([hidden])"))
      way = -1
      return Boolean(part && form.dispatchEvent(new CustomEvent("seek", { detail: [part.dataset.section, id] })))
    }
    now = asks.indexOf(ask)
    draw()
    return true
  }

  /**
   * Begins a part: at a named question, at the first that is wrong, at its end when one comes back, else where no answer is yet.
   * @param {string} [id]
   */
  function open(id = here()) {
    asks = steps() ?? []
    const places = [
      asks.findIndex((it) => it.matches(".field--wrong")),
      asks.findIndex((it) => it.id === id),
      way < 0 || id === "end" ? asks.length - 1 : -1,
      asks.findIndex((it) => values(it).length === 0),
      0,
    ]
    now = places.find((it) => it >= 0) ?? 0
    draw()
  }

  document.addEventListener("submit", (event) => {
    const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter)
    const name = pressed?.dataset.go ?? pressed?.value ?? "next"
    if (event.target !== form || !form.matches(".answer--steps") || !["next", "back"].includes(name)) return
    way = name === "next" ? 1 : -1
    const goesBack = way < 0 && history.state?.depth > 0
    const passes = way < 0 || mayLeave()
    if (passes && !goesBack && !asks[now + way]) {
      // The fragment outlives what the server leads to.
      if (way < 0 && !isWhole) form.setAttribute("action", `${form.getAttribute("action")}#end`)
      return
    }
    event.preventDefault()
    event.stopImmediatePropagation()
    if (goesBack) return history.back()
    if (!passes) return
    now += way
    draw()
    mark(way > 0)
    read()
    form.dispatchEvent(new Event("step"))
  }, true)

  skip?.addEventListener("click", () => {
    for (const input of inputs(asks[now])) {
      if (isPick(input)) input.checked = false
      else input.value = ""
      for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }))
    }
    form.requestSubmit(button("next"))
  })

  // A whole questionnaire has come to another part.
  form.addEventListener("part", (event) => {
    const isFirst = asks.length === 0
    open(/** @type {CustomEvent<string | undefined>} */ (event).detail)
    if (!steps()) return
    mark(!isFirst && way > 0)
    way = 1
    if (!isFirst) read()
  })
  addEventListener("popstate", () => {
    if (narrow.matches && seek(here())) read()
  })
  narrow.addEventListener("change", () => {
    draw()
    if (steps()) return
    count.textContent = told.count
    bar.value = told.bar
    form.dispatchEvent(new Event("input"))
  })

  // Letting a choice go is a click alone.
  for (const kind of ["input", "click"]) form.addEventListener(kind, watch)

  open()
  if (steps()) mark()
}

/**
 * @param {{ at_least?: number, any_of?: number[] }} answers that have to be seen
 * @param {string[]} given
 */
const holds = ({ at_least: least, any_of: these }, given) =>
  given.map(Number).some((value) => (least === undefined ? these?.includes(value) : value >= least))

if (form) begin(form)
