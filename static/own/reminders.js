// The line on Today that says that reminders on this device have ended, and turns them on again with one tap.
import { post } from "./calls.js"
import { known, refresh } from "./plan.js"
import { keptAt, token } from "./state.js"
import { compare, noted, renew } from "./subscription.js"

const line = /** @type {HTMLElement | null} */ (document.querySelector('[data-behaviour~="reminders"]'))

/** @param {string} name */
function say(name) {
  const place = /** @type {HTMLElement} */ (line?.querySelector('[role="status"]'))
  place.textContent = place.dataset[name] ?? ""
}

/**
 * @param {ServiceWorkerRegistration} registration
 * @param {string} account
 */
export async function watch(registration, account) {
  if ((await compare(registration, account)) || !line || keptAt || !line.hidden) return
  const button = (/** @type {string} */ name) => /** @type {HTMLButtonElement} */ (line.querySelector(`[data-go="${name}"]`))
  const done = () => line.querySelector(".toolbar__actions")?.remove()
  button("on").addEventListener("click", async () => {
    // The browser asks only where a tap asks for it.
    if ((await Notification.requestPermission()) !== "granted") return say("denied")
    const { plan } = await refresh()
    const isOn = plan?.push && (await renew(registration, plan).catch(() => false))
    say(isOn ? "on" : "failed")
    if (isOn) done()
  })
  button("off").addEventListener("click", async () => {
    const answer = await post("/my/settings/push/removal", token ?? "", [])
    if (answer?.status !== 200 && answer?.status !== 404) return say("failed")
    await (await registration.pushManager.getSubscription())?.unsubscribe()
    const plan = await known(account)
    if (plan?.push) await noted(plan, { state: "off", mark: null })
    say("off")
    done()
  })
  line.hidden = false
}
