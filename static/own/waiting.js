// On the page of signing in: says that something unsent waits on this device, and nothing else of it.
import { waits } from "./outbox.js"

const notice = /** @type {HTMLElement | null} */ (document.querySelector('[data-behaviour~="waiting"]'))
if (notice && (await waits().catch(() => false))) {
  notice.textContent = notice.dataset.text ?? ""
  notice.hidden = false
}

export {}
