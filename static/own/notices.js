// What is pushed: one neutral sentence, and where it leads. That it was shown is told with the next synchronising.
import { flush } from "./outbox.js"
import { known, signedIn } from "./plan.js"
import { change } from "./store.js"

/** @typedef {{ title: string, body: string }} Words */

/**
 * What a push says; where it says nothing that can be read, the neutral sentence, because something has to be shown.
 * @param {any} data
 * @param {Words} words
 */
function said(data, words) {
  try {
    return data.json().notification ?? words
  } catch {
    return words
  }
}

/**
 * @param {any} scope
 * @param {any} data
 * @param {Words} words
 */
export async function notify(scope, data, words) {
  // Something has to be shown, whatever has become of what lies here.
  const account = await signedIn().catch(() => undefined)
  const own = account ? (await known(account).catch(() => undefined))?.notice : undefined
  const notification = said(data, own ?? words)
  const about = notification.data?.id
  await scope.registration.showNotification(notification.title ?? words.title, {
    body: notification.body ?? words.body,
    icon: "/assets/icons/app-192.png",
    // A later one of the same takes the place of the earlier.
    tag: about ?? "intersession",
    // Called again, it is heard again.
    renotify: Boolean(notification.data?.call),
    data: { navigate: notification.navigate },
  })
  if (account && about) {
    await change([{ store: "facts", key: `${account} shown ${about}`, value: Date.now() }])
  }
  // Being called is a moment with a network: what waits goes, whether a page is open or not.
  if (account) await flush(account)
  for (const client of await scope.clients.matchAll({ type: "window" })) client.postMessage("pushed")
}

/**
 * @param {any} scope
 * @param {any} notification
 */
export async function open(scope, notification) {
  notification.close()
  const target = new URL(notification.data?.navigate ?? "/my", scope.location.origin)
  // Only our own pages are led to.
  const path = target.origin === scope.location.origin ? target.pathname + target.search : "/my"
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true })
  const own = windows.find((/** @type {any} */ client) => new URL(client.url).pathname.startsWith("/my"))
  // A form that is open stays: what stands in it is not to be walked over.
  if (own) return own.focus()
  await scope.clients.openWindow(path)
}
