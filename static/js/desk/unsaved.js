// What is typed and not saved is not lost without a word: leaving asks first, and where the form names a place for it, what
// was typed so far is kept there, sealed, and stands in the form again on return.
for (const form of document.querySelectorAll('[data-behaviour~="unsaved"]')) {
  const [pause, place] = [3_000, form.dataset.draft]
  let [isTyped, timer, sending] = [false, 0, null]

  const keep = () => {
    clearTimeout(timer)
    timer = 0
    sending = fetch(place, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "application/json" }, keepalive: true })
      .catch(() => null)
      .finally(() => (sending = null))
  }

  form.addEventListener("input", () => {
    isTyped = true
    if (place) timer ||= setTimeout(keep, pause)
  })
  form.addEventListener("submit", async (event) => {
    isTyped = false
    clearTimeout(timer)
    timer = 0
    // A draft that is still on its way must not arrive after what is saved.
    if (!sending) return
    event.preventDefault()
    await sending
    form.requestSubmit(event.submitter)
  })
  addEventListener("beforeunload", (event) => {
    if (timer) keep()
    if (isTyped) event.preventDefault()
  })
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden" && timer) keep()
  })
}
