// A questionnaire as a phone shows it: sections come and go with the answers, a choice can be taken back, a slider has
// no value before it is touched.
{
  const form = document.querySelector('[data-behaviour~="phone"]')
  if (form) {
    const refresh = form.querySelector(".phone__refresh")
    if (refresh) refresh.hidden = true
    for (const slider of form.querySelectorAll('[data-behaviour~="slider"]')) upgrade(slider)
    let wasChosen = null
    form.addEventListener("pointerdown", (event) => {
      const radio = event.target.closest("label")?.querySelector("input[type=radio]")
      wasChosen = radio?.checked ? radio : null
    })
    form.addEventListener("click", (event) => {
      if (event.target === wasChosen) {
        event.target.checked = false
        wasChosen = null
        update()
      }
    })
    form.addEventListener("change", (event) => {
      exclude(event.target)
      update()
    })
    form.addEventListener("input", update)
    update()
  }

  function upgrade(slider) {
    const number = slider.querySelector("input")
    const range = document.createElement("input")
    const { minimum: min, maximum: max, step } = number.dataset
    Object.assign(range, { type: "range", min, max, step, className: "ask__range" })
    range.setAttribute("aria-label", number.labels[0].textContent)
    const follow = () => {
      const value = numberIn(number)
      range.classList.toggle("ask__range--unset", value === undefined)
      if (value !== undefined) range.value = value
    }
    const take = () => {
      number.value = spelled(range.valueAsNumber).replace(".", number.dataset.mark)
      range.classList.remove("ask__range--unset")
    }
    range.addEventListener("input", take)
    range.addEventListener("pointerup", take)
    number.addEventListener("input", follow)
    follow()
    slider.prepend(range)
  }

  // An answer that goes with no other.
  function exclude(box) {
    if (box.type !== "checkbox" || !box.checked) return
    for (const other of form.querySelectorAll(`input[name="${CSS.escape(box.name)}"]`)) {
      const clashes = "exclusive" in box.dataset || "exclusive" in other.dataset
      if (other !== box && clashes) other.checked = false
    }
  }

  function answers() {
    const found = new Map()
    for (const question of form.querySelectorAll("[data-question]")) {
      if (question.closest("[hidden]")) continue
      const values = [...question.querySelectorAll("input, textarea")]
        .filter((input) => (["radio", "checkbox"].includes(input.type) ? input.checked : input.name && input.value !== ""))
        .map((input) => (input.matches("[data-number]") ? numberIn(input) : Number(input.value)))
        .filter((value) => value !== undefined)
      if (values.length > 0) found.set(question.dataset.question, values)
    }
    return found
  }

  function holds(condition, given) {
    if (condition.all) return condition.all.every((part) => holds(part, given))
    if (condition.any) return condition.any.some((part) => holds(part, given))
    if (condition.not) return !holds(condition.not, given)
    const values = given.get(condition.question) ?? []
    if ("equals" in condition) return values.includes(condition.equals)
    if (condition.any_of) return values.some((value) => condition.any_of.includes(value))
    return values.some((value) => value >= condition.at_least)
  }

  function update() {
    // In order: what an earlier section hides counts as unanswered further down.
    for (const part of form.querySelectorAll("[data-condition]")) {
      part.hidden = !holds(JSON.parse(part.dataset.condition), answers())
    }
    const shown = [...form.querySelectorAll("[data-question]")].filter((question) => !question.closest("[hidden]"))
    const progress = form.querySelector(".phone__progress")
    if (!progress) return
    progress.textContent = progress.dataset.progress.replace("{n}", answers().size).replace("{of}", shown.length)
  }
}
