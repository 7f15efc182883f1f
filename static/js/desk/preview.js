// Shows what a form would lead to beside it as soon as something is chosen: the part of the page that its button would draw.
// Whatever goes wrong, the button is there.
for (const form of document.querySelectorAll('[data-behaviour~="preview"]')) {
  const shown = form.querySelector('[data-part="preview"]')
  let asking = null

  const look = async () => {
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    const body = new URLSearchParams(new FormData(form))
    body.set("step", "preview")
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, signal, redirect: "error" })
    if (!answer.ok) throw new Error(answer.statusText)
    const next = new DOMParser().parseFromString(await answer.text(), "text/html")
    shown.innerHTML = next.querySelector('[data-part="preview"]').innerHTML
  }

  form.addEventListener("change", () => look().catch(() => {}))
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.name !== "step" || !form.matches('[data-behaviour~="preview"]')) return
    event.preventDefault()
    try {
      await look()
      shown.tabIndex = -1
      shown.focus()
    } catch {
      form.removeAttribute("data-behaviour")
      form.requestSubmit(event.submitter)
    }
  })
}
