// The worker of own pages. It answers from what is kept on the device where the server cannot be reached, and shows what
// is pushed. It types nothing, sends nothing and knows nobody's words.
import { ranged, soundsCache } from "./kept.js"
import { cacheName, formPath, marked } from "./pages.js"
import { known, signedIn } from "./plan.js"
import { notify, open } from "./notices.js"

/** @typedef {any} Scope the scope of a service worker; its types clash with those of a page */

const scope = /** @type {Scope} */ (self)

/** How long a page may keep somebody waiting where an older one lies here. */
const patience = 5_000

/**
 * @param {string[]} files what every page needs, under names that change with it
 */
export function start(files) {
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

  // A newer one waits until no form is open; then a page asks it in.
  scope.addEventListener("message", (/** @type {any} */ event) => {
    if (event.data === "take over") scope.skipWaiting()
  })

  scope.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(notify(scope, event.data)))
  scope.addEventListener("notificationclick", (/** @type {any} */ event) => {
    event.waitUntil(open(scope, event.notification))
  })
}

/** @param {string} shell */
async function takeOver(shell) {
  for (const name of await caches.keys()) {
    if (name.startsWith("shell ") && name !== shell) await caches.delete(name)
  }
  await scope.clients.claim()
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
  try {
    const answer = await reach(event.request, kept ? patience : 0)
    // What stands before the server says that it is away.
    if ([502, 503, 504].includes(answer.status) && kept) return kept
    if (answer.ok && cache && isLook && url.search === "" && plan?.pages.includes(url.pathname)) {
      const copy = answer.clone()
      event.waitUntil(marked(copy).then((page) => cache.put(url.pathname, page)))
    }
    return answer
  } catch {
    return kept ?? (await cache?.match("/my/offline")) ?? nothing()
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

/** Nobody is signed in here any more, so nothing is shown. */
function nothing() {
  const text = "Keine Verbindung. No connection.\n\nNotruf / emergency: 112"
  return new Response(text, { status: 503, headers: { "Content-Type": "text/plain; charset=utf-8" } })
}
