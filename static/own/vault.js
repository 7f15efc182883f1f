// Takes own words to another device of the same person, through bytes that the server cannot read (vault/2): one byte of
// version, 16 of salt, 12 of nonce, then AES-256-GCM under a key that HKDF-SHA-256 makes of the vault's own.
import { get, post } from "./calls.js"
import { groups, parse } from "./code.js"
import { known, refresh } from "./plan.js"
import { stays, token } from "./state.js"
import * as words from "./words.js"

/** @typedef {import("./words.js").Note} Note */

const [version, saltLength, nonceLength] = [2, 16, 12]
const coder = new TextEncoder()

/** Thrown for a key that does not open the vault, and for bytes that are none. */
export class Closed extends Error {}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} salt
 */
async function derived(key, salt) {
  const base = await crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveKey"])
  const how = { name: "HKDF", hash: "SHA-256", salt, info: coder.encode("intersession vault/2") }
  return crypto.subtle.deriveKey(how, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
}

/** @param {Uint8Array} iv */
const about = (iv) => ({ name: "AES-GCM", iv, additionalData: coder.encode("vault/2") })

/**
 * @param {Record<string, Note>} notes
 * @param {Uint8Array} key
 * @returns {Promise<Uint8Array>}
 */
export async function close(notes, key) {
  const salt = crypto.getRandomValues(new Uint8Array(saltLength))
  const iv = crypto.getRandomValues(new Uint8Array(nonceLength))
  const sealed = await crypto.subtle.encrypt(about(iv), await derived(key, salt), coder.encode(JSON.stringify(notes)))
  return new Uint8Array([version, ...salt, ...iv, ...new Uint8Array(sealed)])
}

/**
 * @param {Uint8Array} bytes
 * @param {Uint8Array} key
 * @returns {Promise<Record<string, Note>>}
 * @throws {Closed}
 */
export async function open(bytes, key) {
  const begin = 1 + saltLength + nonceLength
  if (bytes[0] !== version || bytes.length <= begin) throw new Closed()
  const [salt, iv] = [bytes.slice(1, 1 + saltLength), bytes.slice(1 + saltLength, begin)]
  try {
    const plain = await crypto.subtle.decrypt(about(iv), await derived(key, salt), bytes.slice(begin))
    return JSON.parse(new TextDecoder().decode(plain))
  } catch {
    throw new Closed()
  }
}

/** @param {Uint8Array} bytes */
const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))

/** @param {string} text */
const unbase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

/**
 * Of two notes on one exercise the later one.
 * @param {Record<string, Note>} own
 * @param {Record<string, Note>} theirs
 */
export function merged(own, theirs) {
  const all = { ...own }
  for (const [id, note] of Object.entries(theirs)) {
    if (!all[id] || all[id].changedAt < note.changedAt) all[id] = note
  }
  return all
}

/**
 * Brings this device and the vault together. Another device may put its own in between; each time there is less to bring
 * together.
 * @param {string} account
 * @param {Uint8Array} key
 * @param {boolean} replaces whether what another key sealed may go
 * @returns {Promise<number>} how many notes there are now
 * @throws {Closed} and whatever the network says
 */
export async function exchange(account, key, replaces = false) {
  for (let round = 0; round < 5; round++) {
    const answer = await get("/my/words/vault")
    if (answer?.status !== 200) throw new Error(String(answer?.status))
    const { ciphertext, revision } = answer.body
    const theirs = ciphertext && !replaces ? await open(unbase64(ciphertext), key) : {}
    const all = await words.merge(account, (own) => merged(own, theirs))
    const isSame = Object.keys(all).every((id) => theirs[id]?.changedAt === all[id].changedAt)
    if (ciphertext && isSame) return Object.keys(all).length
    // Where nobody stays signed in there is no plan.
    const plan = stays ? ((await known(account)) ?? (await refresh()).plan) : undefined
    const put = await post("/my/words/vault", plan?.formToken ?? token ?? "", [
      ["ciphertext", base64(await close(all, key))], ["revision", String(revision)],
    ])
    if (put?.status === 200) return Object.keys(all).length
    if (put?.status === 403 && stays) await refresh()
    else if (put?.status !== 412) throw new Error(String(put?.status))
  }
  throw new Error("busy")
}

/** @returns {Uint8Array} */
export const freshKey = () => crypto.getRandomValues(new Uint8Array(32))

export { groups, parse }
