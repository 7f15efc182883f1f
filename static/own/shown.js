// Which reminders were shown on this device, told to the server with the next synchronising.
import { post } from "./calls.js"
import { all, change } from "./store.js"

/**
 * Tells what was shown since.
 * @param {string} account
 * @param {string} token
 */
export async function reportShown(account, token) {
  const shown = await all("facts", `${account} shown `)
  if (shown.length === 0) return
  const fields = shown.map(({ key, value }) => /** @type {[string, string]} */ ([
    "shown", `${key.split(" ")[2]} ${new Date(value).toISOString()}`,
  ]))
  const answer = await post("/my/offline/shown", token, fields)
  // Where it was not heard, with the next one.
  if (answer?.status === 200) await change(shown.map(({ key }) => ({ store: "facts", key })))
}
