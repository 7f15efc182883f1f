// What stands in the field of a number is read as it is typed (own/number.js is put before this): what cannot be an answer
// is said by the browser, and which of two numbers was meant is asked beside the field.
{
  const fields = 'input[data-number]'

  const problem = (input) => {
    const [read, limits] = [readNumber(input.value, limitsOf(input)), limitsOf(input)]
    if (read === null) return ""
    if (read.readings) return question(input, read.readings)
    if (read.number === undefined) return input.dataset.wrong
    if (allows(read.number, limits)) return ""
    return allows(read.number, { ...limits, step: undefined }) ? input.dataset.off : input.dataset.range
  }

  const marked = (input, typed) => typed.replace(".", input.dataset.mark)

  const question = (input, { grouped, typed }) =>
    input.dataset.which.replace("{grouped}", grouped).replace("{decimal}", marked(input, typed))

  const place = (input) => input.closest("fieldset")

  const asked = (input) => place(input).querySelector('[data-part="readings"]')

  function judge(input) {
    input.setCustomValidity(problem(input))
    if (!readNumber(input.value, limitsOf(input))?.readings) asked(input)?.remove()
  }

  // The buttons take the place of what a page without scripts has.
  function ask(input) {
    judge(input)
    const readings = readNumber(input.value, limitsOf(input))?.readings
    if (!readings) return undefined
    asked(input)?.remove()
    const box = document.createElement("div")
    box.className = "readings"
    box.dataset.part = "readings"
    box.setAttribute("role", "group")
    const words = document.createElement("p")
    words.className = "field__error"
    words.setAttribute("role", "alert")
    words.textContent = question(input, readings)
    const choices = [[readings.grouped, readings.grouped], [readings.fraction, marked(input, readings.typed)]]
    box.append(words, ...choices.map(([value, label]) => {
      const button = document.createElement("button")
      Object.assign(button, { type: "button", className: "button", value, textContent: label })
      button.addEventListener("click", () => {
        input.value = value.replace(".", input.dataset.mark)
        for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }))
        input.focus()
      })
      return button
    }))
    place(input).append(box)
    return box
  }

  for (const input of document.querySelectorAll(fields)) if (place(input)) ask(input)
  // Before the form's own scripts, which ask whether the field is valid.
  addEventListener("input", (event) => event.target.matches?.(fields) && judge(event.target), true)
  for (const kind of ["change", "invalid"]) {
    addEventListener(kind, (event) => event.target.matches?.(fields) && ask(event.target), true)
  }
  addEventListener("submit", (event) => {
    if (event.submitter?.value?.startsWith("clear:")) return
    // Half a date is sent as none, where the form leaves it to the server to say what is wrong.
    const half = [...event.target.elements].find((input) => input.validity?.badInput && !input.closest("[hidden]"))
    const open = [...event.target.querySelectorAll(fields)].filter((input) => !input.closest("[hidden]"))
    const box = open.map(ask).find(Boolean)
    if (!half && !box) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (box) box.querySelector("button").focus()
    else half.reportValidity()
  }, true)
}
