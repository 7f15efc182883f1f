// Reads a figure out: what lies nearest to the pointer, and with the arrow keys what comes next. The tables below say the same.
for (const plot of document.querySelectorAll("svg[data-readings]")) {
  const readings = plot.dataset.readings.split("\n").map((line) => {
    const [x, text] = [line.slice(0, line.indexOf("|")), line.slice(line.indexOf("|") + 1)]
    return { x: Number.parseFloat(x), text }
  })
  const words = Object.assign(document.createElement("p"), { className: "chart__readout", hidden: true })
  words.setAttribute("role", "status")
  plot.parentElement.append(words)
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line")
  line.setAttribute("class", "chart__here")
  line.setAttribute("y2", "100%")
  let here = readings.length - 1

  const show = (index) => {
    here = Math.max(0, Math.min(readings.length - 1, index))
    for (const end of ["x1", "x2"]) line.setAttribute(end, `${readings[here].x}%`)
    plot.append(line)
    words.textContent = readings[here].text
    words.hidden = false
  }
  const hide = () => {
    line.remove()
    words.hidden = true
  }

  plot.tabIndex = 0
  plot.addEventListener("pointermove", (event) => {
    const box = plot.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * 100
    const distance = (reading) => Math.abs(reading.x - x)
    show(readings.reduce((best, reading, index) => (distance(reading) < distance(readings[best]) ? index : best), 0))
  })
  plot.addEventListener("pointerleave", () => document.activeElement !== plot && hide())
  plot.addEventListener("focus", () => show(here))
  plot.addEventListener("blur", hide)
  plot.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: readings.length - 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    show(step)
  })
}
