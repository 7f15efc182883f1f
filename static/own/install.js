// Says once how these pages become an app, on a device of one's own, and not again to whoever has read it.
import { isInstalled, isIOS } from "./device.js"
import { change, find } from "./store.js"

/** @param {string} account */
export async function install(account) {
  const hint = /** @type {HTMLElement | null} */ (document.querySelector('[data-behaviour~="install"]'))
  const isRead = await find("facts", `${account} install`)
  if (!hint || isInstalled() || isRead) return
  const how = /** @type {HTMLElement} */ (hint.querySelector('[data-part="how"]'))
  how.textContent = (isIOS ? hint.dataset.ios : hint.dataset.other) ?? ""
  hint.hidden = false
  const done = async () => {
    hint.hidden = true
    await change([{ store: "facts", key: `${account} install`, value: true }])
  }
  hint.querySelector('[data-go="no"]')?.addEventListener("click", () => void done())
  // Where the browser can do it itself there is a button.
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault()
    const button = /** @type {HTMLElement} */ (hint.querySelector('[data-go="install"]'))
    button.hidden = false
    button.addEventListener("click", () => {
      void (/** @type {any} */ (event).prompt())
      void done()
    })
  })
}
