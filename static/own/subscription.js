// What a browser gives to be reminded by push: made after a tap, compared at each start with what the server knows. Browsers renew it by
// themselves, relays forget it, and permission is taken back in a menu; each would end reminders in silence.
import { post } from "./calls.js"
import { keeping, known, refresh } from "./plan.js"
import { change } from "./store.js"

/** @typedef {{ state: "on" | "off" | "ended", mark: string | null, key: string }} Push */

/** @param {string} text of the address's alphabet */
function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

/** @param {ArrayBuffer | null} buffer */
function base64url(buffer) {
  const text = Array.from(new Uint8Array(buffer ?? new ArrayBuffer(0)), (byte) => String.fromCharCode(byte)).join("")
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

/**
 * Whether a server with this key can send to it. What a browser does not say is believed: it would be renewed at every start.
 * @param {PushSubscription} subscription
 * @param {string} key
 */
function isFor({ options }, key) {
  const made = options?.applicationServerKey
  return !made || base64url(made) === key
}

/**
 * Subscribes for a key of the server; what is there stays where it was made for this key.
 * @param {ServiceWorkerRegistration} registration
 * @param {string} key
 * @param {boolean} [isAnew] whether what is there is worth nothing
 */
export async function subscribed({ pushManager }, key, isAnew = false) {
  const old = await pushManager.getSubscription()
  if (old && !isAnew && isFor(old, key)) return old
  await old?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) })
}

/**
 * What the server is told of it.
 * @param {PushSubscription} subscription
 * @returns {[string, string][]}
 */
export const described = (subscription) => [
  ["endpoint", subscription.endpoint],
  ["p256dh", base64url(subscription.getKey("p256dh"))],
  ["auth", base64url(subscription.getKey("auth"))],
]

/** @param {PushSubscription | null} subscription */
async function markOf(subscription) {
  if (!subscription) return undefined
  return base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint)))
}

const isAllowed = () => globalThis.Notification?.permission === "granted"

/**
 * Whether reminders come as they were asked for.
 * @param {ServiceWorkerRegistration} registration
 * @param {Push} push as the server knows it
 */
async function comes(registration, push) {
  if (push.state === "off") return true
  if (push.state === "ended" || !isAllowed()) return false
  const own = await registration.pushManager.getSubscription()
  return own !== null && isFor(own, push.key) && (await markOf(own)) === push.mark
}

/**
 * Compares what this browser has with what the server knows, and sets right what can be without a tap.
 * @param {ServiceWorkerRegistration} registration
 * @param {string} account
 * @returns {Promise<boolean>} false where it takes a tap
 */
export async function compare(registration, account) {
  const push = (await known(account))?.push
  if (!registration.pushManager || (push && (await comes(registration, push)))) return true
  if (push?.state === "ended" && !isAllowed()) return false
  return navigator.locks.request("intersession-reminders", () => setRight(registration, account))
}

/**
 * The server is asked before anything is changed: reminders may have been turned off elsewhere, or set right by another page.
 * @param {ServiceWorkerRegistration} registration
 * @param {string} account
 * @returns {Promise<boolean>} false where it takes a tap
 */
async function setRight(registration, account) {
  const { plan } = await refresh()
  if (plan?.account !== account || !plan.push || (await comes(registration, plan.push))) return true
  if (isAllowed() && (await renew(registration, plan).catch(() => false))) return true
  const isGone = !isAllowed() || !(await registration.pushManager.getSubscription())
  if (plan.push.state === "on" && isGone) await told(plan, [], "ended")
  return (await known(account))?.push?.state === "off"
}

/**
 * Has them come again: in the place of what the server knows, for the same wishes.
 * @param {ServiceWorkerRegistration} registration
 * @param {import("./plan.js").Plan} plan
 * @returns {Promise<boolean>} whether they do
 */
export async function renew(registration, plan) {
  const push = /** @type {Push} */ (plan.push)
  // What the relay let go of it takes nothing for any more.
  const isDead = push.state === "ended" && (await markOf(await registration.pushManager.getSubscription())) === push.mark
  const made = await subscribed(registration, push.key, isDead)
  const status = await told(plan, described(made), "on", await markOf(made))
  if (status === 404) await made.unsubscribe()
  return status === 200
}

/**
 * @param {import("./plan.js").Plan} plan
 * @param {[string, string][]} fields
 * @param {"on" | "ended"} state
 * @param {string} [mark]
 */
async function told(plan, fields, state, mark) {
  const answer = await post("/my/settings/push/renewal", plan.formToken, fields)
  if (answer?.status === 200) await noted(plan, { state, mark: mark ?? null })
  if (answer?.status === 404) await noted(plan, { state: "off", mark: null })
  return answer?.status
}

/**
 * Keeps with the plan what is known of it now.
 * @param {import("./plan.js").Plan} plan
 * @param {Partial<Push>} changed
 */
export async function noted(plan, changed) {
  const push = /** @type {Push} */ (plan.push)
  await change([await keeping({ ...plan, push: { ...push, ...changed } })])
}
