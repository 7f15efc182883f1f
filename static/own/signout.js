// Signing out takes everything of a person from this device. Before that it asks, where something lies here only.
import { soundsCache } from "./kept.js"
import { cacheName } from "./pages.js"
import * as outbox from "./outbox.js"
import { close, forget } from "./store.js"
import { count } from "./words.js"

/**
 * @param {string} account
 */
export function guardSignOut(account) {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector('[data-behaviour~="sign-out"]'))
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[action="/logout"]'))) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      await outbox.flush(account)
      const unsent = (await outbox.entries(account)).filter((entry) => entry.lines.length > 0).length
      const words = await count(account)
      if (unsent + words > 0 && dialog && !(await isMeant(dialog, unsent, words))) return
      await leave(account)
      form.submit()
    })
  }
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {number} unsent
 * @param {number} words
 * @returns {Promise<boolean>}
 */
function isMeant(dialog, unsent, words) {
  for (const [name, number] of /** @type {[string, number][]} */ ([["unsent", unsent], ["words", words]])) {
    const line = /** @type {HTMLElement} */ (dialog.querySelector(`[data-lost="${name}"]`))
    line.hidden = number === 0
    line.textContent = ((number === 1 ? line.dataset.one : line.dataset.many) ?? "").replace("{n}", String(number))
  }
  for (const button of dialog.querySelectorAll("button")) button.onclick = () => dialog.close(button.value)
  dialog.returnValue = ""
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "leave"), { once: true })
  })
}

/**
 * Lets everything of one person go.
 * @param {string} account
 */
export async function leave(account) {
  await forget(account)
  close()
  await caches.delete(cacheName(account))
  await caches.delete(soundsCache(account))
  const registration = await navigator.serviceWorker?.getRegistration("/my")
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}
