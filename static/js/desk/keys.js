// Keys for those who want them, and a switcher between patients and pages. Everything they do has a link or a button too.
{
  const switcher = document.querySelector('[data-behaviour~="switcher"]')
  const help = document.querySelector('[data-behaviour~="keys"]')
  if (switcher) prepare(switcher)
  help?.querySelector("button").addEventListener("click", () => help.close())

  const isTyping = (target) => target.closest?.('input, textarea, select, [contenteditable="true"]')
  let isGoing = false

  addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return
    const isCommand = event.ctrlKey || event.metaKey
    if (switcher && isCommand && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault()
      return open()
    }
    // Single keys only where they are wanted, and never where somebody types.
    if (!help || isCommand || event.altKey || isTyping(event.target)) return
    const wasGoing = isGoing
    isGoing = false
    const act = wasGoing && event.key === "t" ? () => location.assign("/") : keys[event.key]
    if (!act || act() === false) return
    event.preventDefault()
  })

  const keys = {
    "/": () => open(),
    "?": () => help.showModal(),
    g: () => void (isGoing = true),
    j: () => move(1),
    k: () => move(-1),
    b: () => press("b"),
    v: () => press("v"),
  }

  function open() {
    switcher.showModal()
    switcher.querySelector("input").select()
  }

  // Rows of every list; those that a page puts first are reached first, wherever they stand.
  const row = "#main :is(.rows, .visits, .unseen__list) > li, #main .table tbody tr"
  const rows = () => {
    const all = [...document.querySelectorAll(row)].filter((row) => way(row) && row.checkVisibility())
    const isFirst = (row) => row.closest("[data-rows=first]") !== null
    return [...all.filter(isFirst), ...all.filter((row) => !isFirst(row))]
  }
  const way = (row) => row?.querySelector("a[href], button:not([disabled]), summary")

  function move(step) {
    const list = rows()
    const here = list.indexOf(list.find((row) => row.contains(document.activeElement)))
    const next = here < 0 ? (step > 0 ? list[0] : list.at(-1)) : list[here + step]
    if (!next) return false
    way(next).focus()
    next.scrollIntoView({ block: "nearest" })
  }

  // What belongs to the row that has the focus, else to the page; never to another row.
  function press(key) {
    const own = document.activeElement?.closest?.(row)?.querySelector(`[data-key="${key}"]`)
    const target = own ?? [...document.querySelectorAll(`[data-key="${key}"]`)].find((target) => !target.closest(row))
    if (!target) return false
    target.click()
  }

  function prepare(dialog) {
    const field = dialog.querySelector("input")
    const list = dialog.querySelector("ul")
    const status = dialog.querySelector("[role=status]")
    let asked = null

    const look = async () => {
      asked?.abort()
      asked = new AbortController()
      try {
        const answer = await fetch(`/search?q=${encodeURIComponent(field.value)}`, { headers: { Accept: "application/json" }, signal: asked.signal })
        if (!answer.ok) return location.assign("/search")
        show((await answer.json()).entries)
      } catch (problem) {
        if (problem.name !== "AbortError") location.assign("/search")
      }
    }

    const show = (entries) => {
      list.replaceChildren(
        ...entries.slice(0, 8).map((entry) => {
          const link = Object.assign(document.createElement("a"), { href: entry.path, textContent: entry.label })
          const row = document.createElement("li")
          row.append(link)
          if (entry.detail) row.append(Object.assign(document.createElement("span"), { className: "mute", textContent: entry.detail }))
          if (entry.briefing) link.dataset.briefing = entry.briefing
          return row
        }),
      )
      status.textContent = entries.length > 0 ? "" : dialog.dataset.none
    }

    const links = () => [...list.querySelectorAll("a")]
    field.addEventListener("input", look)
    dialog.addEventListener("close", () => asked?.abort())
    new MutationObserver(() => dialog.open && look()).observe(dialog, { attributeFilter: ["open"] })
    dialog.addEventListener("keydown", (event) => {
      const all = links()
      const here = all.indexOf(document.activeElement)
      if (event.key === "Enter" && event.target === field) {
        event.preventDefault()
        all[0]?.click()
      }
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
      event.preventDefault()
      const next = here + (event.key === "ArrowDown" ? 1 : -1)
      const target = next < 0 ? field : all[Math.min(next, all.length - 1)]
      target?.focus()
    })
    // Beside it, not in it.
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close())
  }
}
