// Large files: how much has arrived, and a way to stop it. Without this script the browser sends the form by itself.
for (const form of document.querySelectorAll('[data-behaviour~="upload"]')) {
  const shown = form.querySelector('[data-part="progress"]')
  const bar = shown.querySelector("progress")
  const words = shown.querySelector('[data-part="words"]')
  const button = form.querySelector("button:not([type])")
  let request = null

  const end = (message) => {
    request = null
    button.disabled = false
    shown.querySelector('[data-part="stop"]').hidden = true
    bar.hidden = true
    words.textContent = message
  }

  /** The page that the server drew from a form with mistakes; files cannot be filled in again by anybody but the person. */
  const replace = (text) => {
    const next = new DOMParser().parseFromString(text, "text/html")
    const errors = next.querySelector(".errors")
    if (!errors) return end(form.dataset.failed)
    // What this page has sent is known by its token.
    const token = next.querySelector('form[data-behaviour~="upload"] input[name="form_token"]')
    if (token) form.elements.form_token.value = token.value
    document.querySelector(".errors")?.remove()
    form.before(errors)
    end("")
    shown.hidden = true
    errors.tabIndex = -1
    errors.focus()
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (request) return
    // The server refuses it before it has read it; then nobody would hear why.
    const sizes = [...form.querySelectorAll('input[type="file"]')].flatMap((field) => [...field.files]).map((file) => file.size)
    if (Math.max(0, ...sizes) > Number(form.dataset.limit)) {
      shown.hidden = false
      return end(form.dataset.large)
    }
    request = new XMLHttpRequest()
    button.disabled = true
    shown.hidden = bar.hidden = shown.querySelector('[data-part="stop"]').hidden = false
    bar.value = 0
    words.textContent = form.dataset.sending
    request.upload.addEventListener("progress", (step) => {
      if (step.lengthComputable) bar.value = step.loaded / step.total
    })
    request.upload.addEventListener("load", () => {
      bar.removeAttribute("value")
      words.textContent = form.dataset.measuring
    })
    request.addEventListener("load", () => {
      const isMoved = new URL(request.responseURL).pathname !== new URL(form.action).pathname
      if (request.status < 400 && isMoved) location.assign(request.responseURL)
      else replace(request.responseText)
    })
    request.addEventListener("error", () => end(form.dataset.failed))
    request.addEventListener("abort", () => end(form.dataset.stopped))
    request.open("POST", form.action)
    request.send(new FormData(form))
  })
  form.querySelector('[data-part="stop"]').addEventListener("click", () => request?.abort())
}
