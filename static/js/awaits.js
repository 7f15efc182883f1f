// A page that waits for another device looks by itself whether it has answered, while it is in view.
for (const place of document.querySelectorAll('[data-behaviour~="awaits"]')) {
  const path = place.dataset.path
  const look = async () => {
    if (document.visibilityState === "hidden") return
    try {
      const answer = await fetch(path, { redirect: "manual", cache: "no-store" })
      const goesOn = answer.type === "opaqueredirect" || (answer.ok && !(await answer.text()).includes('data-behaviour="awaits"'))
      if (goesOn) location.assign(path)
    } catch {
      // Without a network in a moment again.
    }
  }
  setInterval(look, 3_000)
  addEventListener("visibilitychange", look)
}
