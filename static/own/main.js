// Begins on every own page.
import { lettingOthersStay } from "./calls.js"
import { follow, nameAbsent } from "./absent.js"
import { show } from "./here.js"
import * as outbox from "./outbox.js"
import { soundsCache } from "./kept.js"
import { cacheName, equipped } from "./pages.js"
import { goOn, renewAfter, withhold } from "./offered.js"
import { known, letKeptGo, refresh, renewToken, signedIn, strangers } from "./plan.js"
import { recall, remember } from "./remembered.js"
import { reportShown } from "./shown.js"
import { account, compareClocks, keptAt, look, say, sentence, stays, token } from "./state.js"
import { change, holdsOthers } from "./store.js"

/** How long a plan is new enough. */
const lasting = 60_000

/** The one address that a script may make another script of. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("intersession", {
  createScriptURL: (/** @type {string} */ address) => {
    if (address !== "/my/worker.js") throw new TypeError(address)
    return address
  },
})

/** @type {Promise<ServiceWorkerRegistration | undefined> | undefined} */
let registering

/** Once for a page, and again where it failed. */
const registered = () => (registering ??= register().catch(() => (registering = undefined)))

/**
 * Begins the worker. A newer one takes over while nobody looks and no form is open in any tab: Chromium stops the one before also
 * with a page in its hands, and whoever opens that page then waits for ever.
 */
async function register() {
  if (!navigator.serviceWorker) return
  const address = policy ? policy.createScriptURL("/my/worker.js") : "/my/worker.js"
  const registration = await navigator.serviceWorker.register(address, { scope: "/my", type: "module" })
  addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden") return
    void navigator.locks.request("intersession-form", { ifAvailable: true }, async (lock) => {
      // A page that was left, and comes back by the browser's own way, hears of the lock only then.
      if (lock && document.visibilityState === "hidden") registration.waiting?.postMessage("take over")
    })
  })
  return registration
}

/**
 * Has the worker keep what is to lie here: it goes on where this page is left, and knows where it stopped.
 * @param {import("./plan.js").Plan} plan
 */
async function keepPages(plan) {
  if (!(await registered()) || !(await equipped(plan.shell ?? []))) return
  const { active } = await navigator.serviceWorker.ready
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
    // One of a release before says nothing, nor does one that was ended meanwhile.
    setTimeout(() => resolve("kept"), 60_000)
  })
  active?.postMessage("keep pages", [port2])
  if ((await answer) !== "kept") say("space", sentence("space"))
}

/**
 * Whether reminders still come; a page on which they are turned on and off looks itself.
 * @param {string} account
 */
async function watchReminders(account) {
  const registration = await registered()
  const plan = await known(account)
  if (!registration || !plan?.push || plan.push.state === "off" || has("push")) return
  await (await import("./reminders.js")).watch(registration, account)
}

/**
 * Shows nothing of somebody whose session is over. The worker has to know first: else it shows the same page again.
 * @param {string} own
 */
async function over(own) {
  say("session", sentence("signedOut"))
  if ((await signedIn()) === own) {
    await change([{ store: "facts", key: "current" }])
    await letKeptGo()
  }
  // What the page shows came from this device; the server has another one. Where somebody is typing it stays.
  const isTyping = document.activeElement?.matches("input, textarea")
  if (!isTyping && (keptAt || document.querySelector("[data-list]"))) location.reload()
}

/**
 * Whoever this page was made for is the one who is signed in; where they do not stay, nothing is kept for them.
 * @param {string} own
 */
async function settle(own) {
  if (keptAt) return
  if (!stays) {
    await change([{ store: "facts", key: "current" }])
    await letKeptGo()
  } else if ((await signedIn()) !== own) {
    await change([{ store: "facts", key: "current" }])
    await letKeptGo(own)
  }
  if (token) await renewToken(own, token)
}

/**
 * Whether a form was sent just before this page, which says so itself or in this tab: pages that are kept may be untrue since.
 */
function comesAfterSending() {
  const wasSent = recall("sent", "sessionStorage") !== null
  remember("sent", null, "sessionStorage")
  addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    if (!event.defaultPrevented && form.method === "post") remember("sent", "", "sessionStorage")
  })
  return wasSent || document.querySelector(".flash") !== null
}

/**
 * Sends what waits and asks what is new.
 * @param {string} account
 * @param {boolean} isUrgent
 * @param {boolean} [hasChanged]
 */
async function synchronise(account, isUrgent, hasChanged = false) {
  const result = await outbox.flush(account)
  if (result.isSignedOut) return over(account)
  let plan = await known(account)
  const isOld = !plan || Math.abs(Date.now() - plan.fetchedAt) > lasting || (!keptAt && strangers(plan).length > 0)
  const isPressed = result.sent.some(({ entry }) => entry.press)
  if (isUrgent || hasChanged || result.sent.length > 0 || isOld) {
    const { outcome, plan: newer } = await refresh(hasChanged || isPressed)
    if (hasChanged && outcome === "unreachable") remember("sent", "", "sessionStorage")
    // Or somebody else has signed in since this page was drawn.
    if (outcome === "signed out" || (newer && newer.account !== account)) return over(account)
    if (newer) {
      compareClocks(newer.now)
      plan = newer
      await reportShown(account, newer.formToken)
    }
  }
  await show()
  await showPressed(account)
  await look()
  renewAfter(result)
  await nameAbsent(account)
  // Also what a page before this one had no time for.
  if (plan && navigator.onLine) {
    await watchReminders(account).catch(() => undefined)
    await goOn(account, plan)
    await keepPages(plan)
    // Where its form went with a session that ended, it has come again only now.
    await goOn(account, plan)
  }
}

/**
 * Where nobody stays signed in: sends what waits.
 * @param {string} account
 */
async function sendOnly(account) {
  const result = await outbox.flush(account, token)
  await look()
  renewAfter(result)
}

/**
 * As without scripts, but that what others have here stays, and nothing of this person is shown any more. What is removed here can
 * be fetched again.
 * @param {string} account
 * @param {HTMLFormElement} form
 */
async function leavePlainly(account, form) {
  if (await holdsOthers(account).catch(() => false)) lettingOthersStay(form)
  for (const name of [cacheName(account), soundsCache(account)]) await caches.delete(name).catch(() => false)
  await change([{ store: "plans", key: account }, { store: "facts", key: "current" }]).catch(() => undefined)
  form.submit()
}

/**
 * Asks before the session or the account ends. What does so is fetched only then; without it the form does what it does without
 * scripts, but that what others have here stays.
 * @param {string} account
 */
function guardLeaving(account) {
  const forms = 'form[action="/logout"], form[action="/my/settings/deletion"]'
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll(forms))) {
    let isUnderWay = false
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      if (isUnderWay) return
      isUnderWay = true
      try {
        await (await import("./signout.js")).leaveBy(account, form)
      } catch {
        await leavePlainly(account, form)
      } finally {
        isUnderWay = false
      }
    })
  }
}

/**
 * Whether this page has a part that needs a module of its own.
 * @param {string} behaviour
 */
const has = (behaviour) => document.querySelector(`[data-behaviour~="${behaviour}"]`) !== null

/** How long what could not be sent waits at first, and at most; in milliseconds. */
const [soonest, latest] = [5_000, 300_000]

/** @type {number | undefined} */
let waiting
let wait = soonest

/**
 * Tries again in a while what could not be sent, while somebody looks: browsers say that they are online before anything can be
 * reached, and nobody is told that a server is back.
 * @param {() => void} again
 */
function inAWhile(again) {
  clearTimeout(waiting)
  waiting = setTimeout(() => document.visibilityState === "visible" && navigator.onLine && again(), wait)
  wait = Math.min(2 * wait, latest)
}

/**
 * Draws what was pressed here and waits.
 * @param {string} account
 */
async function showPressed(account) {
  if (has("events")) await (await import("./events.js")).draw(account)
}

async function begin() {
  if (!account) return
  const own = account
  const hasChanged = comesAfterSending()
  const again = (isAfter = false) => void (stays ? synchronise(own, false, isAfter) : sendOnly(own)).catch(() => undefined)
  const now = () => {
    wait = soonest
    again()
  }
  outbox.whenTried((result) => !result.isComplete && !result.isSignedOut && inAWhile(() => again()))
  const settled = settle(own).catch(() => undefined)
  // From the first moment on: what the worker says to a page that does not listen yet is lost.
  if (stays) {
    const pushed = () => void settled.then(() => synchronise(own, true)).catch(() => undefined)
    navigator.serviceWorker?.addEventListener("message", pushed)
  }
  await settled
  // First of all what waits is sent: somebody may look in for a moment only.
  again(hasChanged)
  follow()
  guardLeaving(own)
  // The rows first: what is said to be unsent is not among what is still asked.
  if (stays) await show()
  if (stays && has("events")) (await import("./events.js")).listen(own)
  if (stays) await showPressed(own)
  await withhold()
  await look()
  if (has("practice")) await (await import("./practice.js")).practise(own)
  if (has("moving")) await (await import("./moving.js")).moving()
  if (has("matching")) (await import("./matching.js")).matching()
  if (has("zone")) await (await import("./zone.js")).compareZones(own)
  if (!stays) return
  addEventListener("online", now)
  addEventListener("visibilitychange", () => document.visibilityState === "visible" && now())
  if (has("own-form")) void (await import("./form.js")).fillIn()
  await registered()
  if (has("install")) await (await import("./install.js")).install(own)
  if (has("push")) await (await import("./push.js")).reminders()
}

void begin()
