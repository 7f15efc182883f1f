// Begins on every own page.
import { show } from "./here.js"
import * as outbox from "./outbox.js"
import { keepPages, known, refresh } from "./plan.js"
import { reportShown } from "./shown.js"
import { guardSignOut } from "./signout.js"
import { account, compareClocks, look, say, sentence, stays } from "./state.js"

/** How long a plan is new enough. */
const lasting = 60_000

/** The one address that a script may make another script of. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("intersession", {
  createScriptURL: (/** @type {string} */ address) => {
    if (address !== "/my/worker.js") throw new TypeError(address)
    return address
  },
})

async function register() {
  if (!navigator.serviceWorker) return
  const address = policy ? policy.createScriptURL("/my/worker.js") : "/my/worker.js"
  const registration = await navigator.serviceWorker.register(address, { scope: "/my", type: "module" })
  // A newer worker waits until no form is open in any tab.
  void navigator.locks.request("intersession-form", { ifAvailable: true }, async (lock) => {
    if (lock) registration.waiting?.postMessage("take over")
  })
}

/**
 * Sends what waits and asks what is new.
 * @param {string} account
 * @param {boolean} isUrgent
 */
async function synchronise(account, isUrgent) {
  const result = await outbox.flush(account)
  let plan = await known(account)
  if (isUrgent || result.sent.length > 0 || !plan || Math.abs(Date.now() - plan.fetchedAt) > lasting) {
    const { outcome, plan: newer } = await refresh()
    if (outcome === "signed out") say("session", sentence("signedOut"))
    if (newer) {
      compareClocks(newer.now)
      // Somebody else has signed in since this page was drawn.
      if (newer.account !== account) return
      plan = newer
      await reportShown(account, newer.formToken)
    }
  }
  // Also what a page before this one had no time for.
  if (plan && navigator.onLine) await keepPages(plan).catch(() => say("space", sentence("space")))
  await show()
  await look()
}

/**
 * Whether this page has a part that needs a module of its own.
 * @param {string} behaviour
 */
const has = (behaviour) => document.querySelector(`[data-behaviour~="${behaviour}"]`) !== null

async function begin() {
  if (!account) return
  const own = account
  const again = () => void synchronise(own, false).catch(() => undefined)
  // First of all what waits is sent: somebody may look in for a moment only.
  if (stays) again()
  guardSignOut(own)
  await look()
  if (has("practice")) await (await import("./practice.js")).practise(own)
  if (has("moving")) await (await import("./moving.js")).moving()
  if (has("matching")) (await import("./matching.js")).matching()
  if (!stays) return
  addEventListener("online", again)
  addEventListener("visibilitychange", () => document.visibilityState === "visible" && again())
  navigator.serviceWorker?.addEventListener("message", () => void synchronise(own, true).catch(() => undefined))
  if (has("own-form")) void (await import("./form.js")).fillIn()
  await show()
  await register().catch(() => undefined)
  if (has("install")) await (await import("./install.js")).install(own)
  if (has("push")) await (await import("./push.js")).reminders()
}

void begin()
