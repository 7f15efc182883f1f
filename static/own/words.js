// Own words on exercises. They lie on this device alone, sealed; the server has no field for them. Without a PIN the key
// lies beside them and cannot be taken out of the browser; with one it is sealed with the PIN, and gone when that is gone.
import { seal, unseal } from "./sealing.js"
import { all, change, find, settle } from "./store.js"

/**
 * @typedef {{ answer: string | null, isDone: boolean | null, changedAt: string }} Note
 * @typedef {{ salt: Uint8Array, rounds: number, iv: Uint8Array, wrapped: ArrayBuffer }} Lock
 */

/** PBKDF2-SHA-256, as OWASP asks for. */
const rounds = 600_000

/** The fewest characters of a PIN. */
export const shortestPin = 4

/** Thrown while a PIN is asked for. */
export class Locked extends Error {}

/** @type {CryptoKey | undefined} opened with the PIN, for as long as this page is open */
let opened

/** Beside the notes, under a name that no exercise has. */
const vaultName = ".vault"

/** @param {string} account */
const keyName = (account) => `${account} words`
/** @param {string} account */
const lockName = (account) => `${account} pin`
/** @param {string} id */
const place = (id) => `words/${id}`

/**
 * @param {string} account
 * @returns {Promise<Lock | undefined>}
 */
const lockOf = (account) => find("facts", lockName(account))

/** @param {string} account */
export const hasPin = async (account) => (await lockOf(account)) !== undefined

/** @param {string} account */
export const isLocked = async (account) => !opened && (await hasPin(account))

/**
 * @param {string} account
 * @returns {Promise<CryptoKey>}
 * @throws {Locked}
 */
async function keyOf(account) {
  if (opened) return opened
  if (await hasPin(account)) throw new Locked()
  const known = await find("keys", keyName(account))
  return known ?? settle("keys", keyName(account), await freshKey())
}

const freshKey = () => crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])

/** @param {BufferSource} bytes */
const imported = (bytes) => crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])

/**
 * @param {string} pin
 * @param {Uint8Array} salt
 * @param {number} rounds
 */
async function stretched(pin, salt, rounds) {
  const text = new TextEncoder().encode(pin.normalize("NFC"))
  const base = await crypto.subtle.importKey("raw", text, "PBKDF2", false, ["deriveKey"])
  const how = { name: "PBKDF2", hash: "SHA-256", salt, iterations: rounds }
  return crypto.subtle.deriveKey(how, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
}

/**
 * Opens the words for as long as this page is open.
 * @param {string} account
 * @param {string} pin
 * @returns {Promise<boolean>} false for a wrong one
 */
export async function unlock(account, pin) {
  const lock = await lockOf(account)
  if (!lock) return true
  try {
    const key = await stretched(pin, lock.salt, lock.rounds)
    opened = await imported(await crypto.subtle.decrypt({ name: "AES-GCM", iv: lock.iv }, key, lock.wrapped))
    return true
  } catch {
    return false
  }
}

/**
 * All words under another key, in one step: a cut in the middle leaves the old ones as they were.
 * @param {string} account
 * @param {CryptoKey} key
 * @param {import("./store.js").Change[]} changes what goes with it
 */
async function reseal(account, key, changes) {
  const old = await keyOf(account)
  /** @type {import("./store.js").Change[]} */
  const moved = []
  for (const { key: name, value } of await all("words", account + " ")) {
    const id = name.slice(account.length + 1)
    moved.push({ store: "words", key: name, value: await seal(key, place(id), await unseal(old, place(id), value)) })
  }
  await change([...moved, ...changes])
}

/**
 * @param {string} account
 * @param {string} pin
 */
export async function setPin(account, pin) {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const [salt, iv] = [crypto.getRandomValues(new Uint8Array(16)), crypto.getRandomValues(new Uint8Array(12))]
  const wrapped = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await stretched(pin, salt, rounds), bytes)
  const key = await imported(bytes)
  bytes.fill(0)
  await reseal(account, key, [
    { store: "facts", key: lockName(account), value: { salt, rounds, iv, wrapped } },
    { store: "keys", key: keyName(account) },
  ])
  opened = key
}

/** @param {string} account */
export async function removePin(account) {
  const key = await freshKey()
  await reseal(account, key, [
    { store: "facts", key: lockName(account) },
    { store: "keys", key: keyName(account), value: key },
  ])
  opened = undefined
}

/**
 * @param {string} account
 * @param {string} id of the exercise
 * @returns {Promise<Note | undefined>}
 */
export async function note(account, id) {
  const sealed = await find("words", `${account} ${id}`)
  return sealed && unseal(await keyOf(account), place(id), sealed)
}

/**
 * @param {string} account
 * @returns {Promise<Record<string, Note>>} by exercise
 */
export async function notes(account) {
  const key = await keyOf(account)
  /** @type {Record<string, Note>} */
  const found = {}
  for (const { key: name, value } of await all("words", account + " ")) {
    const id = name.slice(account.length + 1)
    if (id !== vaultName) found[id] = await unseal(key, place(id), value)
  }
  return found
}

/**
 * @param {string} account
 * @param {Record<string, Note>} notes
 */
export async function keep(account, notes) {
  const key = await keyOf(account)
  await change(
    await Promise.all(
      Object.entries(notes).map(async ([id, note]) => ({
        store: /** @type {const} */ ("words"), key: `${account} ${id}`, value: await seal(key, place(id), note),
      })),
    ),
  )
}

/**
 * How many exercises have words; told without the PIN.
 * @param {string} account
 */
export async function count(account) {
  return (await all("words", account + " ")).filter(({ key }) => !key.endsWith(vaultName)).length
}

/**
 * Lets all words go, with their key and their PIN: the way out when that is forgotten.
 * @param {string} account
 */
export async function removeAll(account) {
  /** @type {import("./store.js").Change[]} */
  const changes = (await all("words", account + " ")).map(({ key }) => ({ store: "words", key }))
  await change([
    ...changes,
    { store: "facts", key: lockName(account) },
    { store: "keys", key: keyName(account) },
  ])
  opened = undefined
}

/**
 * The key of the vault, sealed like the words.
 * @param {string} account
 * @returns {Promise<string | undefined>}
 */
export async function vaultKey(account) {
  const sealed = await find("words", `${account} ${vaultName}`)
  return sealed && unseal(await keyOf(account), place(vaultName), sealed)
}

/**
 * @param {string} account
 * @param {string} [text] nothing to forget it
 */
export async function keepVaultKey(account, text) {
  const value = text && (await seal(await keyOf(account), place(vaultName), text))
  await change([{ store: "words", key: `${account} ${vaultName}`, value }])
}
