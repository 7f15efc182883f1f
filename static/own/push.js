// Reminders by push: asked for by a tap, ended by another.
import { post } from "./calls.js"
import { isInstalled, isIOS } from "./device.js"
import { described, subscribed } from "./subscription.js"

const block = /** @type {HTMLElement | null} */ (document.querySelector('[data-behaviour~="push"]'))

/** @param {string} name */
function say(name) {
  const line = /** @type {HTMLElement} */ (block?.querySelector('[role="status"]'))
  line.textContent = line.dataset[name] ?? ""
}

/** @param {string} name */
const button = (name) => /** @type {HTMLButtonElement} */ (block?.querySelector(`[data-go="${name}"]`))

/** @param {ServiceWorkerRegistration} registration */
async function draw(registration) {
  const isOn = block?.dataset.state === "on" && (await registration.pushManager.getSubscription()) !== null
  button("on").hidden = isOn
  button("off").hidden = button("test").hidden = !isOn
}

/**
 * @param {string} path
 * @param {[string, string][]} [fields]
 */
async function tell(path, fields = []) {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector('input[name="form_token"]'))?.value ?? ""
  const answer = await post(path, token, fields)
  return { isOK: answer?.status === 200, message: answer?.body.message }
}

/** @param {ServiceWorkerRegistration} registration */
async function turnOn(registration) {
  // Asked only here, after a tap: who says no is not asked again by the browser.
  if ((await Notification.requestPermission()) !== "granted") return say("denied")
  const made = await subscribed(registration, block?.dataset.key ?? "", block?.dataset.state === "ended")
  const wants = [...block?.querySelectorAll("input[type=checkbox]:checked") ?? []].map((box) => /** @type {HTMLInputElement} */ (box).value)
  const title = /** @type {HTMLInputElement | null} */ (block?.querySelector('input[name="title"]'))?.value ?? ""
  const { isOK, message } = await tell("/my/settings/push", [
    ...described(made), ["wants", wants.join(" ")], ["title", title],
  ])
  if (!isOK) {
    await made.unsubscribe()
    const line = /** @type {HTMLElement} */ (block?.querySelector('[role="status"]'))
    line.textContent = message ?? line.dataset.failed ?? ""
    return
  }
  if (block) block.dataset.state = "on"
  say("on")
}

/** Begins where reminders are set. */
export async function reminders() {
  if (!block) return
  if (!("PushManager" in globalThis) || !navigator.serviceWorker) {
    // There it is known only to what stands on the home screen.
    return say(isIOS && !isInstalled() ? "install" : "unknown")
  }
  const registration = await navigator.serviceWorker.ready
  button("on").addEventListener("click", () => void act(() => turnOn(registration), registration))
  button("off").addEventListener("click", () => void act(async () => {
    await tell("/my/settings/push/removal")
    await (await registration.pushManager.getSubscription())?.unsubscribe()
    if (block) block.dataset.state = "off"
    say("off")
  }, registration))
  button("test").addEventListener("click", () => void act(async () => {
    say((await tell("/my/settings/push/test")).isOK ? "tested" : "failed")
  }, registration))
  await draw(registration)
}

/**
 * @param {() => Promise<void>} step
 * @param {ServiceWorkerRegistration} registration
 */
async function act(step, registration) {
  await step().catch(() => say("failed"))
  await draw(registration)
}
