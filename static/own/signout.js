// Signing out takes everything of a person from this device, once the server has heard of it. Before that it asks, where something
// lies here only. What others have left here stays.
import { lettingOthersStay, othersStay, patience, post } from "./calls.js"
import { soundsCache } from "./kept.js"
import * as outbox from "./outbox.js"
import { aloneAtLast, cacheName } from "./pages.js"
import { refresh } from "./plan.js"
import { stays, token } from "./state.js"
import { close, destroy, forget, holdsOthers } from "./store.js"
import { refusal } from "./verdict.js"
import { count } from "./words.js"

/** @typedef {"unsent" | "refused" | "words"} Kind */

/** @param {string} behaviour */
const dialog = (behaviour) => /** @type {HTMLDialogElement} */ (document.querySelector(`dialog[data-behaviour~="${behaviour}"]`))

/**
 * In the place of a form that ends the session, or the account.
 * @param {string} account
 * @param {HTMLFormElement} form
 */
export async function leaveBy(account, form) {
  if (!form.matches('[action="/logout"]')) return erase(account, form)
  if (await isMeant(account)) await signOut(account)
}

/**
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<string>} the value of the button that was pressed; empty for none
 */
function answered(dialog) {
  for (const button of dialog.querySelectorAll("button")) button.onclick = () => dialog.close(button.value)
  dialog.returnValue = ""
  dialog.showModal()
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }))
}

/**
 * Sends what can be sent, and asks about what would be lost, for as long as there is something to choose.
 * @param {string} account
 * @returns {Promise<boolean>}
 */
async function isMeant(account) {
  const box = dialog("sign-out")
  for (let isAgain = false; ; isAgain = true) {
    await outbox.flush(account, stays ? undefined : token)
    const own = (await outbox.entries(account)).filter(outbox.isTyped)
    const refused = own.filter((entry) => entry.refusal !== undefined).length
    /** @type {Record<Kind, number>} */
    const lost = { unsent: own.length - refused, refused, words: await count(account) }
    if (lost.unsent + lost.refused + lost.words === 0) return true
    for (const [kind, number] of Object.entries(lost)) {
      const line = /** @type {HTMLElement} */ (box.querySelector(`[data-lost="${kind}"]`))
      line.textContent = ((number === 1 ? line.dataset.one : line.dataset.many) ?? "").replace("{n}", String(number))
      for (const part of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(`[data-lost="${kind}"], [data-of="${kind}"]`))) {
        part.hidden = number === 0
      }
    }
    const inVain = /** @type {HTMLElement} */ (box.querySelector("[data-in-vain]"))
    inVain.hidden = !isAgain || lost.unsent === 0
    const choice = await answered(box)
    if (choice !== "send-first") return choice === "leave"
  }
}

/**
 * Ends the session, then lets everything of one person go. Where the server has not heard of it nothing has happened.
 * @param {string} account
 */
async function signOut(account) {
  const others = await holdsOthers(account)
  const fields = others ? [othersStay] : []
  let answer = await post("/logout", token ?? "", fields)
  if (refusal(answer) === "foreign_form") {
    // A page that was kept brings along what belonged to an earlier session.
    const { outcome, plan } = await refresh()
    if (plan && plan.account !== account) return location.assign("/my")
    if (outcome === "signed out") {
      // There is no session to end any more; the next page says so.
      await left(account, others)
      return location.replace("/my/more")
    }
    answer = plan && (await post("/logout", plan.formToken, fields))
  }
  if (answer?.body?.state !== "taken") return void answered(dialog("no-sign-out"))
  // The session is over, whatever can still be removed here.
  await left(account, others)
  location.replace(answer.body.path)
}

/**
 * Deleting the account clears everything here, too. Where something of others lies here only what is one's own goes.
 * @param {string} account
 * @param {HTMLFormElement} form
 */
async function erase(account, form) {
  if (!(await holdsOthers(account))) return form.submit()
  const [[, first], ...rest] = /** @type {[string, string][]} */ (
    [...new FormData(form)].sort(([name], [other]) => Number(other === "form_token") - Number(name === "form_token"))
  )
  const answer = await post(form.action, first, [...rest, othersStay])
  if (answer?.status === 422) {
    // What is wrong stands on the form itself.
    lettingOthersStay(form)
    return form.submit()
  }
  if (answer?.body?.state !== "taken") return void answered(dialog("no-sign-out"))
  await left(account, true)
  location.replace(answer.body.path)
}

/**
 * Lets everything of one person go, as far as the browser answers: one that has just cleared what this site kept may not.
 * @param {string} account
 * @param {boolean} others whether something of others stays
 */
async function left(account, others) {
  const late = new Promise((resolve) => patience(6000).addEventListener("abort", resolve))
  await Promise.race([leave(account, others).catch(() => undefined), late])
}

/**
 * Lets everything of one person go.
 * @param {string} account
 * @param {boolean} others whether something of others stays
 */
async function leave(account, others) {
  if (others) await forget(account)
  close()
  if (!others) await destroy()
  await aloneAtLast(async () => {
    await caches.delete(cacheName(account))
    await caches.delete(soundsCache(account))
  })
  const registration = await navigator.serviceWorker?.getRegistration("/my")
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}
