// The editor of reactions: the sentence fills itself in, and the dry run beside it follows what is typed. Both are parts of
// the page that the server draws from the form as it stands; whatever goes wrong, the form works as without this script.
for (const form of document.querySelectorAll('[data-behaviour~="reaction"]')) {
  const part = (name, within = form) => within.querySelector(`[data-part="${name}"]`)
  /** The parts that are to be drawn anew, until an answer has come. */
  const wanted = new Set()
  let [waiting, asking, drawing] = [0, null, []]

  const reach = () => {
    for (const box of form.querySelectorAll("[data-reach]")) box.hidden = box.disabled = box.dataset.reach !== form.elements.reach.value
  }

  /** What the server makes of the form as it stands, with a button pressed. A later question takes the place of this one. */
  const draw = async (step) => {
    clearTimeout(waiting)
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    const sent = new URLSearchParams(new FormData(form))
    const body = new URLSearchParams(sent)
    body.set("step", step)
    // What an earlier question was to draw is drawn by this one.
    const parts = drawing = [...new Set([...drawing, ...wanted])]
    wanted.clear()
    part("run").setAttribute("aria-busy", "true")
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, signal, redirect: "error" })
    if (!answer.ok) throw new Error(answer.statusText)
    const next = new DOMParser().parseFromString(await answer.text(), "text/html")
    replace(parts, next, sent, step === "preview")
    part("run").removeAttribute("aria-busy")
    drawing = []
    return next
  }

  const replace = (parts, next, sent, isSame) => {
    const now = new URLSearchParams(new FormData(form))
    const held = document.activeElement
    const marked = held?.matches("input.gap") ? [held.selectionStart, held.selectionEnd, held.selectionDirection] : null
    for (const name of parts) part(name).innerHTML = part(name, next).innerHTML
    if (parts.includes("when") && isSame) {
      // What was typed while the answer was on its way stands.
      for (const [name, value] of now) {
        const field = form.elements[name]
        if (sent.get(name) !== value && part("when").contains(field)) field.value = value
      }
      const field = held?.id && !held.isConnected ? document.getElementById(held.id) : null
      field?.focus({ preventScroll: true })
      if (field && marked) field.setSelectionRange(...marked)
    }
  }

  const look = (parts, delay) => {
    for (const name of parts) wanted.add(name)
    clearTimeout(waiting)
    waiting = setTimeout(() => draw("preview").catch((error) => {
      if (error.name !== "AbortError") part("run").removeAttribute("aria-busy")
    }), delay)
  }

  const concerns = (field) => part("when").contains(field) || /^(rest_days|session_within_days|reach|patient_ids)$/.test(field.name)

  form.addEventListener("input", (event) => {
    if (event.target.matches("input") && concerns(event.target)) look(["run"], 400)
  })
  form.addEventListener("change", (event) => {
    reach()
    const field = event.target
    if (field.matches("input.gap") || field.name === "add_kind" || !concerns(field)) return
    look(field.matches("[data-redraw], [name=combine]") ? ["when", "run"] : ["run"], 0)
  })

  // Adding, removing and looking without a new page.
  form.addEventListener("submit", async (event) => {
    const button = event.submitter
    if (button?.name !== "step" || !form.matches('[data-behaviour~="reaction"]')) return
    event.preventDefault()
    try {
      for (const name of ["when", "run"]) wanted.add(name)
      const next = await draw(button.value)
      const fresh = part("when", next).querySelector("[autofocus]")?.id
      const target = button.value === "preview" ? part("run") : document.getElementById(fresh ?? "add_kind") ?? part("when").querySelector("select")
      if (target === part("run")) target.tabIndex = -1
      target.focus()
    } catch (error) {
      if (error.name === "AbortError") return
      form.removeAttribute("data-behaviour")
      form.requestSubmit(button)
    }
  })

  reach()
}
