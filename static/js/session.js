// Warns two minutes before the session runs out, so that nobody loses time over it. Staying asks the server once, which
// counts as being there. Whoever is late gets back what they had typed after signing in again.
for (const dialog of document.querySelectorAll('[data-behaviour~="session"]')) {
  const [warning, length] = [120_000, Number(dialog.dataset.seconds) * 1000]
  let ends = Date.now() + length

  const look = () => {
    if (Date.now() >= ends - warning && !dialog.open) dialog.showModal()
    if (Date.now() >= ends) dialog.querySelector("p").textContent = dialog.dataset.over
  }
  setInterval(look, 5_000)
  addEventListener("visibilitychange", look)

  dialog.querySelector("button").addEventListener("click", () => dialog.close())
  dialog.addEventListener("close", async () => {
    const answer = await fetch("/session", { redirect: "manual" }).catch(() => null)
    if (answer?.status === 204) ends = Date.now() + length
  })
}
