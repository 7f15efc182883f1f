// The page about own words: how many lie here, the PIN, and the way to another device.
import { account } from "./state.js"
import { picture } from "./qr.js"
import * as vault from "./vault.js"
import * as words from "./words.js"

const page = /** @type {HTMLElement | null} */ (document.querySelector('[data-behaviour~="moving"]'))

/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (page?.querySelector(`[data-part="${name}"]`))

/**
 * A field without a name: nothing of it is ever part of what is sent.
 * @param {string} name
 */
const field = (name) => /** @type {HTMLInputElement} */ (page?.querySelector(`[data-field="${name}"]`))

/** @param {string} name */
function say(name) {
  const line = part("said")
  line.textContent = line.dataset[name] ?? ""
  line.hidden = !line.textContent
  if (!line.hidden) line.scrollIntoView({ block: "center" })
}

/** @param {string} own */
async function draw(own) {
  const count = await words.count(own)
  const line = part("count")
  line.textContent = (line.dataset[count === 0 ? "none" : count === 1 ? "one" : "many"] ?? "").replace("{n}", String(count))
  const [hasPin, isLocked] = [await words.hasPin(own), await words.isLocked(own)]
  part("locked").hidden = !isLocked
  part("unlocked").hidden = isLocked
  part("set").hidden = hasPin
  part("remove").hidden = !hasPin
  const lost = isLocked ? 0 : await words.unreadable(own)
  const closed = part("unreadable")
  closed.hidden = lost === 0
  closed.textContent = (closed.dataset[lost === 1 ? "one" : "many"] ?? "").replace("{n}", String(lost))
  part("removal").hidden = count === 0 && !hasPin
  const key = isLocked ? undefined : await words.vaultKey(own)
  const other = page?.querySelector('[data-part="moving"]')
  if (!other) return
  part("begin").hidden = key !== undefined
  part("going").hidden = key === undefined
  if (key) {
    part("groups").textContent = key
    part("code").replaceChildren(picture(`VAULT2:${key.replaceAll("-", "")}`))
  }
}

/**
 * @param {string} own
 * @param {Uint8Array} key
 * @param {boolean} [replaces]
 */
async function exchange(own, key, replaces) {
  part("replacing").hidden = true
  try {
    await vault.exchange(own, key, replaces)
    await words.keepVaultKey(own, await vault.groups(key))
    say("moved")
  } catch (error) {
    const isClosed = error instanceof vault.Closed
    say(isClosed ? "closed" : "unreachable")
    // Its key may be lost: then what was taken along is worth nothing, and gives way if somebody says so.
    part("replacing").hidden = !isClosed
  }
}

/** @type {Record<string, (own: string) => Promise<void>>} */
const actions = {
  async unlock(own) {
    const isOpen = await words.unlock(own, field("pin").value)
    field("pin").value = ""
    say(isOpen ? "" : "wrong")
  },
  async set(own) {
    const [pin, again] = [field("new_pin").value, field("new_pin_again").value]
    if ([...pin].length < words.shortestPin) return say("short")
    if (pin !== again) return say("different")
    await words.setPin(own, pin)
    field("new_pin").value = field("new_pin_again").value = ""
    say("set")
  },
  async remove(own) {
    await words.removePin(own)
    say("unset")
  },
  async begin(own) {
    await exchange(own, vault.freshKey())
  },
  async replace(own) {
    await exchange(own, vault.freshKey(), true)
  },
  async enter(own) {
    const key = await vault.parse(field("key").value)
    if (!key) return say("misspelt")
    await exchange(own, key)
    field("key").value = ""
  },
  async again(own) {
    const key = await vault.parse((await words.vaultKey(own)) ?? "")
    if (key) await exchange(own, key)
  },
  async forget(own) {
    await words.keepVaultKey(own)
    say("")
  },
  async removal(own) {
    const box = field("sure")
    if (!box.checked) return say("unsure")
    box.checked = false
    await words.removeAll(own)
    say("removed")
  },
}

/** Begins on the page about own words. */
export async function moving() {
  if (!page || !account) return
  const own = account
  page.hidden = false
  page.addEventListener("submit", async (event) => {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.target)
    const button = /** @type {HTMLButtonElement | null} */ (form.querySelector("button"))
    if (button) button.disabled = true
    say("")
    try {
      await actions[form.dataset.action ?? ""]?.(own)
    } catch {
      say("failed")
    }
    if (button) button.disabled = false
    await draw(own)
  })
  await draw(own)
}
