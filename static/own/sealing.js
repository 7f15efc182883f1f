// Seals what somebody types on this device (AES-256-GCM). The key lies in the browser's database and cannot be taken out of
// it; whoever holds the unlocked device can still use it.
import { find, settle } from "./store.js"

/** @typedef {{ iv: Uint8Array, bytes: ArrayBuffer }} Sealed */

const coder = new TextEncoder()

/**
 * The key of one person on this device; made when it is first asked for.
 * @param {string} account
 * @returns {Promise<CryptoKey>}
 */
export async function keyOf(account) {
  const known = await find("keys", account)
  if (known) return known
  const fresh = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
  return settle("keys", account, fresh)
}

/**
 * @param {CryptoKey} key
 * @param {string} place where it belongs; moved elsewhere it does not open
 * @param {unknown} value
 * @returns {Promise<Sealed>}
 */
export async function seal(key, place, value) {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const about = { name: "AES-GCM", iv, additionalData: coder.encode(place) }
  return { iv, bytes: await crypto.subtle.encrypt(about, key, coder.encode(JSON.stringify(value))) }
}

/**
 * @param {CryptoKey} key
 * @param {string} place
 * @param {Sealed} sealed
 * @returns {Promise<any>}
 * @throws when it was sealed with another key or for another place
 */
export async function unseal(key, place, sealed) {
  const about = { name: "AES-GCM", iv: sealed.iv, additionalData: coder.encode(place) }
  return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt(about, key, sealed.bytes)))
}
