// What was heard, and how it was (SN-2): asked on leaving, sent by the outbox where the device is one's own, so also later.
import { place, send, sendLeft } from "./heard-left.js"
import { keep, soundsCache } from "./kept.js"
import { marked } from "./pages.js"
import { events, heard, minutes, pause, playing, tell } from "./player.js"
import { recall, remember } from "./remembered.js"
import { account, stays } from "./state.js"

/** @typedef {import("./heard-left.js").Session} Session */

/** From here on it is a play, and asked about. */
const shortest = 10
/** How long the question waits for an answer. */
const patience = 30

const rating = /** @type {HTMLElement} */ (document.querySelector('[data-part="rating"]'))
const box = /** @type {HTMLElement} */ (document.querySelector('[data-behaviour~="player"]'))

/** @type {Session | undefined} */
let session
/** What was heard on this page before this session. */
let before = 0

function note() {
  if (!session) return
  session.seconds = Math.round((heard() - before) * 10) / 10
  session.loop = minutes()
  remember(place, JSON.stringify(session))
}

function open() {
  if (session || !account) return
  before = heard()
  session = {
    account, id: crypto.randomUUID(), path: rating.dataset.action ?? "", title: box.dataset.title ?? "",
    startedAt: new Date().toISOString().replace(/\.\d+/, ""), seconds: 0, loop: minutes(),
  }
}

/**
 * Asks how it was.
 * @returns {Promise<string>}
 */
function ask() {
  const dialog = /** @type {HTMLDialogElement} */ (document.querySelector('[data-part="dialog"]'))
  const line = /** @type {HTMLElement} */ (dialog.querySelector('[data-part="left"]'))
  let left = patience
  const count = () => (line.textContent = (line.dataset.text ?? "").replace("{n}", String(left)))
  count()
  const timer = setInterval(() => {
    left -= 1
    count()
    if (left <= 0) dialog.close("timed_out")
  }, 1000)
  for (const button of dialog.querySelectorAll("button")) button.onclick = () => dialog.close(button.value)
  dialog.returnValue = ""
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener(
      "close",
      () => {
        clearInterval(timer)
        resolve(dialog.returnValue || "declined")
      },
      { once: true },
    )
  })
}

/** Ends what was heard, and asks where it was long enough. */
async function finish() {
  if (!session) return
  pause()
  note()
  const done = session
  session = undefined
  if (done.seconds < 1) return remember(place, null)
  tell(await send(done, done.seconds < shortest ? "timed_out" : await ask()))
}

/** Asked once, on the way out. */
function guard() {
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest?.("a[href]")
    if (!session || !(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return
    // Help in a crisis waits for nobody.
    if (link.protocol === "tel:" || link.origin !== location.origin || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    void finish().finally(() => location.assign(link.href))
  })
  addEventListener("pagehide", note)
}

/** The button that keeps the sound on this device. */
async function offerKeeping() {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-part="keep"]'))
  if (!button || !stays || !account || !("caches" in globalThis)) return
  const own = account
  const address = box.dataset.audio ?? ""
  const cache = await caches.open(soundsCache(own))
  const draw = async () => {
    const isKept = (await cache.match(address)) !== undefined
    button.textContent = (isKept ? button.dataset.letGo : button.dataset.keep) ?? ""
    button.setAttribute("aria-pressed", String(isKept))
    return isKept
  }
  button.hidden = false
  await draw()
  button.addEventListener("click", async () => {
    const files = [address, ...(box.dataset.picture ? [box.dataset.picture] : [])]
    if (await draw()) {
      for (const file of [...files, location.pathname]) await cache.delete(file)
      tell(button.dataset.gone)
    } else {
      const isDone = await keep(own, files, location.pathname, marked)
      tell(isDone ? button.dataset.kept : button.dataset.noRoom)
    }
    await draw()
  })
}

export async function begin() {
  const minutesField = /** @type {HTMLElement | null} */ (document.querySelector('[data-part="minutes"]'))
  // The form is for those without scripts: here it is counted and asked.
  if (minutesField) rating.hidden = true
  const left = recall(place)
  events.addEventListener("begun", open)
  // Somebody was quicker than this module.
  if (playing()) open()
  events.addEventListener("finished", () => void finish())
  setInterval(note, 5000)
  guard()
  if (left) await sendLeft(left).catch(() => undefined)
  await offerKeeping().catch(() => undefined)
}
