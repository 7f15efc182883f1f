// Sounds that somebody keeps on this device, with the pages that play them.
import { assetsOf, equipped } from "./pages.js"

/**
 * The name of the cache that holds one person's sounds.
 * @param {string} account
 */
export const soundsCache = (account) => `sounds ${account}`

/**
 * Fetches a sound's files and its page to be kept; all of it or nothing.
 * @param {string} account
 * @param {string[]} files
 * @param {string} page
 * @param {(response: Response, account: string) => Promise<Response | undefined>} marked what a page becomes when it is kept
 * @returns {Promise<boolean>} whether there was room, and somebody to ask
 */
export async function keep(account, files, page, marked) {
  const cache = await caches.open(soundsCache(account))
  try {
    for (const file of files) {
      const reply = await fetch(file)
      if (!reply.ok) throw new Error(String(reply.status))
      await cache.put(file, reply)
    }
    const reply = await fetch(page, { headers: { "X-Purpose": "keep" }, redirect: "error" })
    if (!reply.ok) throw new Error(String(reply.status))
    const own = await marked(reply, account)
    if (!own || !(await equipped(assetsOf(own)))) throw new Error(page)
    await cache.put(page, own)
    return true
  } catch {
    for (const file of [...files, page]) await cache.delete(file)
    return false
  }
}

/**
 * The part of a kept file that is asked for: players ask in ranges.
 * @param {Response} kept
 * @param {string | null} range
 * @returns {Promise<Response>}
 */
export async function ranged(kept, range) {
  const wanted = /^bytes=(\d*)-(\d*)$/.exec(range ?? "")
  if (!wanted || (wanted[1] === "" && wanted[2] === "")) return kept
  const bytes = await kept.blob()
  const size = bytes.size
  const first = wanted[1] === "" ? Math.max(0, size - Number(wanted[2])) : Number(wanted[1])
  const last = wanted[1] === "" || wanted[2] === "" ? size - 1 : Math.min(size - 1, Number(wanted[2]))
  if (first > last) return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${size}` } })
  const type = kept.headers.get("Content-Type") ?? ""
  return new Response(bytes.slice(first, last + 1, type), {
    status: 206,
    headers: {
      "Content-Type": type, "Content-Length": String(last - first + 1), "Accept-Ranges": "bytes",
      "Content-Range": `bytes ${first}-${last}/${size}`,
    },
  })
}
