// What is pushed: one neutral sentence, and where it leads. That it was shown is told with the next synchronising.
import { signedIn } from "./plan.js"
import { change } from "./store.js"

/**
 * @param {any} scope
 * @param {any} data
 */
export async function notify(scope, data) {
  const { notification } = data.json()
  const account = await signedIn()
  const about = notification.data?.id
  await scope.registration.showNotification(notification.title, {
    body: notification.body,
    icon: "/assets/icons/app-192.png",
    // A later one of the same takes the place of the earlier.
    tag: about ?? "intersession",
    data: { navigate: notification.navigate },
  })
  if (account && about) {
    await change([{ store: "facts", key: `${account} shown ${about}`, value: Date.now() }])
  }
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
