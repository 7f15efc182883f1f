// The editor's buttons without a new page: the answer's main part takes the place of the old one, and the focus goes
// to what was touched. Whatever goes wrong, the form is sent as without this script.
{
  const page = () => document.querySelector("#main")
  const block = ".question, .options__row, .condition, .rows__entry"
  let isTyped = false

  addEventListener("input", (event) => {
    if (event.target.closest?.('form[data-behaviour~="swap"]')) isTyped = true
  })
  addEventListener("beforeunload", (event) => {
    if (isTyped) event.preventDefault()
  })

  // Another kind of question or condition brings other fields.
  addEventListener("change", (event) => {
    const form = event.target.closest?.('form[data-behaviour~="swap"]')
    if (form && /\.(type|kind)$/.test(event.target.name)) form.requestSubmit(form.querySelector(".implicit"))
  })

  addEventListener("submit", async (event) => {
    const [form, pressed] = [event.target, event.submitter]
    if (!form.matches('[data-behaviour~="swap"]')) return
    if (!pressed || ["close", "publish"].includes(pressed.value)) {
      isTyped = false
      return
    }
    event.preventDefault()
    try {
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form, pressed)) })
      const address = new URL(answer.url)
      isTyped = false
      if (address.pathname !== location.pathname) return location.assign(address)
      swap(new DOMParser().parseFromString(await answer.text(), "text/html"), pressed.value, document.activeElement?.id)
    } catch {
      isTyped = false
      form.removeAttribute("data-behaviour")
      form.requestSubmit(pressed)
    }
  })

  function swap(next, action, focused) {
    const known = new Set([...document.querySelectorAll(block)].map((element) => element.id))
    document.title = next.title
    page().innerHTML = next.querySelector("#main").innerHTML
    const fresh = [...document.querySelectorAll(block)].find((element) => !known.has(element.id))
    const wrong = document.querySelector('[data-behaviour~="focus"]')
    const target = wrong ?? (/^(add|copy|condition)/.test(action) && fresh ? fresh : moved(action))
    if (!target) return (document.getElementById(focused) ?? page()).focus({ preventScroll: true })
    target.scrollIntoView({ block: "nearest" })
    const field = target === wrong ? wrong : target.querySelector("input:not([type=hidden]), textarea, select, button")
    field?.focus()
  }

  function moved(action) {
    const [, verb, list, index] = /^(up|down):(.+)\.(\d+)$/.exec(action) ?? []
    return verb && document.getElementById(`${list}.${Number(index) + (verb === "up" ? -1 : 1)}`)
  }
}
