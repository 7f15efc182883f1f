// The worker of own pages. It answers from what is kept on the device where the server cannot be reached, and shows what
// is pushed. It types nothing and knows nobody's words; what waits to be sent it sends when it is called.
import { ranged, soundsCache } from "./kept.js"
import { alone, assetsOf, cacheName, formPath, marked, put } from "./pages.js"
import { keepPages, known, refresh, signedIn } from "./plan.js"
import { notify, open } from "./notices.js"
import { keepForm, noted } from "./pressed.js"
import { compare } from "./subscription.js"

/** @typedef {any} Scope the scope of a service worker; its types clash with those of a page */

const scope = /** @type {Scope} */ (self)

/** How long a page may keep somebody waiting where an older one lies here. */
const patience = 5_000

/**
 * @param {string[]} files what every page needs, under names that change with it
 * @param {import("./notices.js").Words} words what is shown of a push that says nothing
 */
export function start(files, words) {
  const shell = `shell ${files.join(" ")}`

  scope.addEventListener("install", (/** @type {any} */ event) => {
    event.waitUntil(caches.open(shell).then((cache) => cache.addAll(files)))
  })

  scope.addEventListener("activate", (/** @type {any} */ event) => {
    event.waitUntil(takeOver(shell))
  })

  scope.addEventListener("fetch", (/** @type {any} */ event) => {
    const url = new URL(event.request.url)
    if (url.origin !== scope.location.origin) return
    if (event.request.method === "GET" && url.pathname.startsWith("/assets/")) {
      event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)))
    } else if (event.request.method === "GET" && url.pathname.startsWith("/api/v1/sounds/files/")) {
      event.respondWith(sound(event.request))
    } else if (event.request.mode === "navigate") {
      event.respondWith(page(event, url))
    }
  })

  // A newer one waits until no form is open and nobody looks; then a page asks it in.
  scope.addEventListener("message", (/** @type {any} */ event) => {
    if (event.data === "take over") scope.skipWaiting()
    if (event.data === "keep pages") event.waitUntil(keep(shell, event.ports[0]))
  })

  scope.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(notify(scope, event.data, words)))
  // A browser renews a subscription by itself, or lets it go; with no page open nobody else hears of it.
  scope.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(resubscribe()))
  scope.addEventListener("notificationclick", (/** @type {any} */ event) => {
    event.waitUntil(open(scope, event.notification))
  })
}

async function resubscribe() {
  const account = await signedIn()
  if (account) await compare(scope.registration, account)
}

/** @type {Promise<void>} */
let keeping = Promise.resolve()

/**
 * Keeps what a page wants kept, one page's wish after the other, and says how that went to the page if it is still there.
 * @param {string} shell
 * @param {MessagePort} asking
 */
async function keep(shell, asking) {
  keeping = keeping.catch(() => undefined).then(async () => {
    const account = await signedIn()
    const plan = account ? await known(account) : undefined
    if (plan) await keepPages(plan)
    await alone(() => tidy(shell))
  })
  await keeping.then(() => asking.postMessage("kept"), () => asking.postMessage("no space"))
}

/** @param {string} shell */
async function takeOver(shell) {
  await alone(() => tidy(shell))
  await scope.clients.claim()
}

/**
 * Lets older shells go. One that kept pages still name stays until these have been fetched anew: without a network they would
 * come without their style sheet and scripts.
 * @param {string} shell
 */
async function tidy(shell) {
  // What a worker that waits has fetched is not older.
  if (scope.registration.waiting || scope.registration.installing) return
  const names = await caches.keys()
  const today = new Set(shell.split(" "))
  const needed = new Set()
  for (const name of names.filter((name) => name.startsWith("own ") || name.startsWith("sounds "))) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const kept = await cache.match(request)
      for (const one of kept ? assetsOf(kept) : []) if (!today.has(one)) needed.add(one)
    }
  }
  for (const name of names.filter((name) => name.startsWith("shell ") && name !== shell)) {
    if (!name.split(" ").some((one) => needed.has(one))) await caches.delete(name)
  }
}

/**
 * A sound that is kept here, or the server's.
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function sound(request) {
  const kept = await caches.match(request.url)
  return kept ? ranged(kept, request.headers.get("Range")) : fetch(request)
}

/**
 * @param {any} event
 * @param {URL} url
 * @returns {Promise<Response>}
 */
async function page(event, url) {
  const account = await signedIn()
  const cache = account ? await caches.open(cacheName(account)) : undefined
  const plan = account ? await known(account) : undefined
  const isLook = event.request.method === "GET"
  const entry = isLook ? plan?.entries.find((one) => one.path === url.pathname + url.search) : undefined
  const form = entry && (await cache?.match(formPath(entry.version)))
  if (form && !entry.hasSensors) return form
  const played = account && isLook && url.pathname.startsWith("/my/sounds/") ? await caches.open(soundsCache(account)) : undefined
  const kept = form ?? (isLook ? ((await cache?.match(url.pathname)) ?? (await played?.match(url.pathname))) : undefined)
  const press = event.request.method === "POST" && noted.test(url.pathname) ? event.request.clone() : undefined
  const at = Date.now()
  try {
    const answer = await reach(event.request, kept ? patience : 0)
    // What stands before the server says that it is away.
    if ([502, 503, 504].includes(answer.status) && (kept || press)) {
      const held = kept ?? (await notedHere(account, url.pathname, press, at))
      if (held) return held
    }
    if (account && cache && answer.ok && isLook && url.search === "" && plan?.pages.includes(url.pathname)) {
      const copy = answer.clone()
      event.waitUntil(marked(copy, account).then((page) => put(cache, url.pathname, page)))
    }
    // On to another page, which may be that of signing in, or no page for whoever asks: is it still theirs?
    if (account && (answer.type === "opaqueredirect" || answer.status === 403)) {
      const asked = refresh().catch(() => undefined)
      event.waitUntil(asked)
      if (isLook) await asked
    }
    return answer
  } catch {
    return kept ?? (await notedHere(account, url.pathname, press, at)) ?? (await cache?.match("/my/offline")) ?? nothing()
  }
}

/**
 * The way back to the page whose button was pressed, once that is noted here; nothing where it is not.
 * @param {string | undefined} account
 * @param {string} path
 * @param {Request | undefined} press
 * @param {number} at
 * @returns {Promise<Response | undefined>}
 */
async function notedHere(account, path, press, at) {
  if (!account || !press) return undefined
  try {
    const back = await keepForm(account, path, new URLSearchParams(await press.text()), at)
    return back ? Response.redirect(back, 303) : undefined
  } catch {
    return undefined
  }
}

/**
 * A whole answer: one that breaks off in the middle is none.
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function whole(request) {
  const answer = await fetch(request)
  // A way to another page has no body.
  if (answer.type !== "basic" || answer.redirected) return answer
  return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers })
}

/**
 * @param {Request} request
 * @param {number} limit in milliseconds; 0 for none
 * @returns {Promise<Response>}
 */
function reach(request, limit) {
  const answer = whole(request)
  if (limit === 0) return answer
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("slow")), limit)
    answer.then(resolve, reject)
  })
}

/** Nobody is signed in here any more, so nothing is shown. Without a script of its own it has to try again by itself. */
function nothing() {
  const text = "Keine Verbindung. No connection.\n\nNotruf / emergency: 112"
  return new Response(text, { status: 503, headers: { "Content-Type": "text/plain; charset=utf-8", "Refresh": "5" } })
}
