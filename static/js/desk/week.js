// A noted session is dragged to another half hour of the week. What is sent is the form that "Move" opens; that is the way by
// keyboard and without this script.
for (const week of document.querySelectorAll('[data-behaviour~="week"]')) {
  let held = null

  const cell = (event) => event.target.closest("td[data-at]")
  const light = (place) => {
    for (const other of week.querySelectorAll(".week__cell--over")) if (other !== place) other.classList.remove("week__cell--over")
    place?.classList.add("week__cell--over")
  }

  const send = (visit, at) => {
    const form = document.createElement("form")
    form.method = "post"
    form.action = visit.dataset.move
    for (const [name, value] of Object.entries({ form_token: week.dataset.token, was: visit.dataset.was, starts_at: at })) {
      const field = document.createElement("input")
      field.type = "hidden"
      field.name = name
      field.value = value
      form.append(field)
    }
    document.body.append(form)
    form.submit()
  }

  week.addEventListener("dragstart", (event) => {
    held = event.target.closest("[data-move]")
    if (!held) return
    // What is dragged out of the window is the session's time, and nobody's name.
    event.dataTransfer.clearData()
    event.dataTransfer.setData("text/plain", held.querySelector(".week__time").textContent)
    event.dataTransfer.effectAllowed = "move"
  })
  week.addEventListener("dragover", (event) => {
    const place = held && cell(event)
    light(place)
    if (!place) return
    event.preventDefault()
    event.dataTransfer.dropEffect = "move"
  })
  week.addEventListener("drop", (event) => {
    const place = held && cell(event)
    if (!place) return
    event.preventDefault()
    send(held, place.dataset.at)
  })
  week.addEventListener("dragend", () => {
    held = null
    light(null)
  })
}
