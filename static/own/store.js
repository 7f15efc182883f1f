// What this device keeps: a small database of the browser. Nothing readable of a person lies here but what the portal has
// sent anyway; what somebody types is sealed before it comes here (sealing.js).

/**
 * @typedef {"keys" | "plans" | "outbox" | "drafts" | "words" | "facts"} StoreName
 * @typedef {{ store: StoreName, key: string, value?: unknown }} Change a value to keep, or, without one, to let go
 */

/** @type {StoreName[]} */
const names = ["keys", "plans", "outbox", "drafts", "words", "facts"]

/** @type {Promise<IDBDatabase | undefined> | undefined} */
let opened

/** Whether somebody has signed out on this page: what is still under way then keeps nothing any more. */
let isClosed = false

export const close = () => (isClosed = true)

/**
 * @param {boolean} makes whether one is made where there is none
 * @returns {Promise<IDBDatabase | undefined>} nothing where there is none
 */
const opening = (makes) =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open("intersession", 1)
    request.onupgradeneeded = () => {
      if (!makes) return request.transaction?.abort()
      for (const name of names) request.result.createObjectStore(name)
    }
    request.onsuccess = () => {
      // Another tab clears everything: it must not wait for this one.
      request.result.onversionchange = () => {
        request.result.close()
        opened = undefined
      }
      request.result.onclose = () => (opened = undefined)
      resolve(request.result)
    }
    request.onerror = () => {
      opened = undefined
      if (!makes && request.error?.name === "AbortError") resolve(undefined)
      else reject(request.error)
    }
  })

/**
 * What reads or lets go makes no database: where a person has just left it would be there again.
 * @param {boolean} makes
 * @returns {Promise<IDBDatabase | undefined>}
 */
async function database(makes) {
  for (;;) {
    if (isClosed) throw new DOMException("", "InvalidStateError")
    const found = await (opened ??= opening(makes))
    if (found || !makes) return found
  }
}

/**
 * @param {StoreName[]} stores
 * @param {IDBTransactionMode} mode
 * @param {boolean} makes
 */
async function begun(stores, mode, makes) {
  const options = /** @type {const} */ ({ durability: "strict" })
  try {
    return (await database(makes))?.transaction(stores, mode, options)
  } catch (error) {
    if (isClosed || !(error instanceof DOMException && error.name === "InvalidStateError")) throw error
    // The browser has closed it, which it tells a little later.
    opened = undefined
    return (await database(makes))?.transaction(stores, mode, options)
  }
}

/**
 * One transaction.
 * @template T
 * @param {StoreName[]} stores
 * @param {IDBTransactionMode} mode
 * @param {(transaction: IDBTransaction) => IDBRequest<T> | undefined} body
 * @param {boolean} [makes] whether it keeps something, so that the database is made where there is none
 * @returns {Promise<T | undefined>} once it is durable
 */
async function run(stores, mode, body, makes = false) {
  const transaction = await begun(stores, mode, makes)
  if (!transaction) return undefined
  return new Promise((resolve, reject) => {
    const request = body(transaction)
    transaction.oncomplete = () => resolve(request?.result)
    // Of a request that found no room the transaction knows only once it is undone.
    transaction.onerror = (event) => reject(transaction.error ?? /** @type {IDBRequest} */ (event.target).error)
    transaction.onabort = () => reject(transaction.error ?? new DOMException("", "AbortError"))
  })
}

/**
 * @param {StoreName} store
 * @param {string} key
 * @returns {Promise<any>} undefined where there is none
 */
export function find(store, key) {
  return run([store], "readonly", (transaction) => transaction.objectStore(store).get(key))
}

/**
 * Everything below a prefix, in the order of the keys.
 * @param {StoreName} store
 * @param {string} [prefix]
 * @returns {Promise<{ key: string, value: any }[]>}
 */
export async function all(store, prefix = "") {
  /** @type {{ key: string, value: any }[]} */
  const found = []
  await run([store], "readonly", (transaction) => {
    const range = IDBKeyRange.bound(prefix, prefix + "\uffff")
    const request = transaction.objectStore(store).openCursor(range)
    request.onsuccess = () => {
      const cursor = request.result
      if (!cursor) return
      found.push({ key: String(cursor.key), value: cursor.value })
      cursor.continue()
    }
    return undefined
  })
  return found
}

/**
 * Makes all changes or none.
 * @param {Change[]} changes
 */
export async function change(changes) {
  const stores = [...new Set(changes.map((one) => one.store))]
  if (stores.length === 0) return
  await run(stores, "readwrite", (transaction) => {
    for (const { store, key, value } of changes) {
      if (value === undefined) transaction.objectStore(store).delete(key)
      else transaction.objectStore(store).put(value, key)
    }
    return undefined
  }, changes.some(({ value }) => value !== undefined))
}

/**
 * Keeps a value unless there is one already; of two tabs the first wins.
 * @template T
 * @param {StoreName} store
 * @param {string} key
 * @param {T} value
 * @returns {Promise<T>} the one that is kept
 */
export async function settle(store, key, value) {
  const kept = await run([store], "readwrite", (transaction) => {
    const objects = transaction.objectStore(store)
    const request = objects.get(key)
    request.onsuccess = () => {
      if (request.result === undefined) objects.put(value, key)
    }
    return request
  }, true)
  return /** @type {T} */ (kept ?? value)
}

/**
 * Lets everything of one person go that lies on this device.
 * @param {string} account
 */
export async function forget(account) {
  /** @type {Change[]} */
  const changes = []
  for (const store of /** @type {StoreName[]} */ (["outbox", "drafts", "words"])) {
    for (const { key } of await all(store, account + " ")) changes.push({ store, key })
  }
  for (const { key } of await all("facts", account + " ")) changes.push({ store: "facts", key })
  for (const { key } of await all("keys", account)) changes.push({ store: "keys", key })
  changes.push({ store: "plans", key: account })
  if ((await find("facts", "current")) === account) changes.push({ store: "facts", key: "current" })
  await change(changes)
}

/**
 * Whether something of others lies here that is nowhere else: unsent, half filled in, or their own words.
 * @param {string} account
 */
export async function holdsOthers(account) {
  for (const store of /** @type {StoreName[]} */ (["outbox", "drafts", "words"])) {
    if ((await all(store)).some(({ key }) => !key.startsWith(account + " "))) return true
  }
  return false
}

/** Lets the whole database go. */
export async function destroy() {
  const kept = await opened?.catch(() => undefined)
  kept?.close()
  opened = undefined
  await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase("intersession")
    request.onsuccess = request.onerror = request.onblocked = resolve
  })
}
