// Pages that are kept on this device, each marked with the moment it was kept.
import { patience } from "./calls.js"

/**
 * The name of the cache that holds one person's pages.
 * @param {string} account
 */
export const cacheName = (account) => `own ${account}`

const lock = "intersession-pages"

/**
 * Runs while nothing else goes through everything that is kept: opening what is just deleted would make it anew.
 * @param {() => Promise<void>} body
 * @returns {Promise<void>}
 */
export const alone = (body) => navigator.locks.request(lock, body)

/**
 * The same once a person has left, after a short wait at most: a tab whose network hangs, or whose storage the browser has just cleared,
 * may hold the lock for ever. Pages that it still fetches are nobody's, and not kept.
 * @param {() => Promise<void>} body
 * @returns {Promise<void>}
 */
export async function aloneAtLast(body) {
  try {
    await navigator.locks.request(lock, { signal: patience(2000) }, body)
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "AbortError") throw error
    await navigator.locks.request(lock, { steal: true }, body)
  }
}

/** What changes its address with its content, as pages name it. */
const asset = /"(\/assets\/(?:app\.[^"]+|own\/[^"]+\/main\.js))"/g

/** The token of a form with the name of its page behind it. */
const named = /(name="form_token" value="[^".]+)\.[^"]+/g

/**
 * The style sheet and the scripts that a kept page belongs to.
 * @param {Response} kept
 */
export const assetsOf = (kept) => (kept.headers.get("Assets") ?? "").split(" ").filter(Boolean)

/**
 * Whether all this lies on the device. A page that is kept without its style sheet and scripts is of no use in a tunnel.
 * @param {string[]} assets
 */
export async function lie(assets) {
  for (const one of assets) if (!(await caches.match(one))) return false
  return true
}

/**
 * Has the worker of today fetch what pages of today need, where it has not yet.
 * @param {string[]} assets
 * @returns {Promise<boolean>} false where it is not to be had now
 */
export async function equipped(assets) {
  if (await lie(assets)) return true
  try {
    const registration = await navigator.serviceWorker?.getRegistration("/my")
    await registration?.update()
    const worker = registration?.installing
    if (worker?.state === "installing") {
      await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }))
    }
  } catch {
    // Without a network, or with half of one, what lies here stays as it is.
  }
  return lie(assets)
}

/**
 * A page as it is kept: it says itself when that was.
 * @param {Response} response
 * @param {string} account whose it has to be
 * @returns {Promise<Response | undefined>} nothing for a page of somebody else, or of somebody who does not stay signed in here
 */
export async function marked(response, account) {
  const text = await response.text()
  if (!text.includes(`data-account="${account}" data-stays="true"`)) return undefined
  const headers = new Headers()
  for (const name of ["Content-Type", "Content-Security-Policy", "Permissions-Policy", "Referrer-Policy"]) {
    const value = response.headers.get(name)
    if (value) headers.set(name, value)
  }
  const now = new Date().toISOString()
  headers.set("Kept-At", now)
  headers.set("Assets", [...new Set([...text.matchAll(asset)].map((found) => found[1]))].join(" "))
  // A kept page is sent on many days: it does not bear the name by which the server knows a form that it had already.
  const kept = text.replace('data-kept=""', `data-kept="${now}"`).replaceAll(named, "$1")
  return new Response(kept, { headers })
}

/**
 * Keeps a page in the place of an older one, once what it needs lies here too.
 * @param {Cache} cache
 * @param {string} path
 * @param {Response | undefined} page
 */
export async function put(cache, path, page) {
  if (page && (await lie(assetsOf(page)))) await cache.put(path, page)
}

/**
 * Where the whole form of a questionnaire's version is fetched and kept.
 * @param {string} version
 */
export const formPath = (version) => `/my/offline/forms/${version}`
