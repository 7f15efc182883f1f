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

/** The fewest characters of a new PIN; a shorter one of before keeps opening. */
export const shortestPin = 6

/** Thrown while a PIN is asked for. */
export class Locked extends Error {}

/** Thrown where a note was sealed with a key that is no more. */
export class Unreadable extends Error {}

/** @type {{ key: CryptoKey, name: string } | undefined} opened with the PIN, for as long as this page is open and the PIN is the same */
let opened

/**
 * Runs alone, of all tabs: a note never goes under a key that another tab is just taking away.
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
const alone = (body) => navigator.locks.request("intersession-words", body)

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

/**
 * Tells one PIN's key from another's: each PIN has salt of its own.
 * @param {Lock} lock
 */
const nameOf = (lock) => lock.salt.join(" ")

/** @param {string} account */
export async function isLocked(account) {
  const lock = await lockOf(account)
  return lock !== undefined && opened?.name !== nameOf(lock)
}

/**
 * @param {string} account
 * @returns {Promise<CryptoKey>}
 * @throws {Locked}
 */
async function keyOf(account) {
  const lock = await lockOf(account)
  if (lock && opened?.name === nameOf(lock)) return opened.key
  if (lock) throw new Locked()
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
    const bytes = await crypto.subtle.decrypt({ name: "AES-GCM", iv: lock.iv }, key, lock.wrapped)
    opened = { key: await imported(bytes), name: nameOf(lock) }
    return true
  } catch {
    return false
  }
}

/**
 * What was sealed for this place; nothing where another key did it.
 * @param {CryptoKey} key
 * @param {string} id
 * @param {import("./sealing.js").Sealed} sealed
 */
const readable = (key, id, sealed) => unseal(key, place(id), sealed).catch(() => undefined)

/**
 * Everything under its name, with what it says as far as this key opens it.
 * @param {string} account
 * @param {CryptoKey} key
 * @returns {Promise<{ id: string, text: any }[]>}
 */
async function everything(account, key) {
  const found = await all("words", account + " ")
  return Promise.all(
    found.map(async ({ key: name, value }) => {
      const id = name.slice(account.length + 1)
      return { id, text: await readable(key, id, value) }
    }),
  )
}

/**
 * All words under another key, in one step: a cut in the middle leaves the old ones as they were. What the old key does not
 * open stays as it is.
 * @param {string} account
 * @param {CryptoKey} key
 * @param {import("./store.js").Change[]} changes what goes with it
 */
async function reseal(account, key, changes) {
  const known = (await everything(account, await keyOf(account))).filter(({ text }) => text !== undefined)
  await change([...(await Promise.all(known.map(({ id, text }) => sealed(account, key, id, text)))), ...changes])
}

/**
 * @param {string} account
 * @param {CryptoKey} key
 * @param {string} id
 * @param {unknown} text
 * @returns {Promise<import("./store.js").Change>}
 */
const sealed = async (account, key, id, text) => ({
  store: "words", key: `${account} ${id}`, value: await seal(key, place(id), text),
})

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
  /** @type {Lock} */
  const lock = { salt, rounds, iv, wrapped }
  await alone(async () => {
    await reseal(account, key, [
      { store: "facts", key: lockName(account), value: lock },
      { store: "keys", key: keyName(account) },
    ])
    opened = { key, name: nameOf(lock) }
  })
}

/** @param {string} account */
export async function removePin(account) {
  const key = await freshKey()
  await alone(async () => {
    await reseal(account, key, [
      { store: "facts", key: lockName(account) },
      { store: "keys", key: keyName(account), value: key },
    ])
    opened = undefined
  })
}

/**
 * @param {string} account
 * @param {string} id of the exercise
 * @returns {Promise<Note | undefined>}
 * @throws {Unreadable}
 */
export const note = (account, id) =>
  alone(async () => {
    const sealed = await find("words", `${account} ${id}`)
    if (!sealed) return undefined
    const text = await readable(await keyOf(account), id, sealed)
    if (text === undefined) throw new Unreadable()
    return text
  })

/**
 * What can be opened.
 * @param {string} account
 * @returns {Promise<Record<string, Note>>} by exercise
 */
async function notes(account) {
  const known = await everything(account, await keyOf(account))
  return Object.fromEntries(known.filter(({ id, text }) => id !== vaultName && text !== undefined).map(({ id, text }) => [id, text]))
}

/**
 * On how many exercises there are words that no key opens any more.
 * @param {string} account
 */
export const unreadable = (account) =>
  alone(async () => {
    const known = await everything(account, await keyOf(account))
    return known.filter(({ id, text }) => id !== vaultName && text === undefined).length
  })

/**
 * @param {string} account
 * @param {Record<string, Note>} notes
 */
async function put(account, notes) {
  const key = await keyOf(account)
  await change(await Promise.all(Object.entries(notes).map(([id, note]) => sealed(account, key, id, note))))
}

/**
 * @param {string} account
 * @param {Record<string, Note>} notes
 */
export const keep = (account, notes) => alone(() => put(account, notes))

/**
 * Brings what lies here together with what comes from elsewhere; nothing is typed in between that would be lost.
 * @param {string} account
 * @param {(own: Record<string, Note>) => Record<string, Note>} merged
 * @returns {Promise<Record<string, Note>>} what lies here now
 */
export const merge = (account, merged) =>
  alone(async () => {
    const all = merged(await notes(account))
    await put(account, all)
    return all
  })

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
export const removeAll = (account) =>
  alone(async () => {
    /** @type {import("./store.js").Change[]} */
    const changes = (await all("words", account + " ")).map(({ key }) => ({ store: "words", key }))
    await change([
      ...changes,
      { store: "facts", key: lockName(account) },
      { store: "keys", key: keyName(account) },
    ])
    opened = undefined
  })

/**
 * The key of the vault, sealed like the words.
 * @param {string} account
 * @returns {Promise<string | undefined>} nothing, too, where it cannot be opened any more
 */
export const vaultKey = (account) =>
  alone(async () => {
    const sealed = await find("words", `${account} ${vaultName}`)
    return sealed && readable(await keyOf(account), vaultName, sealed)
  })

/**
 * @param {string} account
 * @param {string} [text] nothing to forget it
 */
export const keepVaultKey = (account, text) =>
  alone(async () => {
    const kept = text ? await sealed(account, await keyOf(account), vaultName, text) : undefined
    await change([kept ?? { store: "words", key: `${account} ${vaultName}` }])
  })
