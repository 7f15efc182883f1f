// What is typed and not saved is not lost without a word: leaving asks first, and where the form names a place for it, what
// was typed so far is kept there, sealed, and stands in the form again on return.
for (const form of document.querySelectorAll('[data-behaviour~="unsaved"]')) {
  const [pause, place] = [3_000, form.dataset.draft]
  let [isTyped, timer, sending, sent] = [false, 0, null, null]

  const keep = () => {
    clearTimeout(timer)
    timer = 0
    // What is older must not arrive after what is newer.
    sent?.abort()
    const control = (sent = new AbortController())
    const body = new URLSearchParams(new FormData(form))
    const answer = fetch(place, { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true, signal: control.signal })
    const done = answer.catch(() => null).finally(() => sending === done && (sending = null))
    sending = done
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
