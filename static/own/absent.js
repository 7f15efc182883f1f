// What cannot be had without a network says so by its name.
import { soundsCache } from "./kept.js"
import { cacheName } from "./pages.js"
import { known } from "./plan.js"
import { recall, remember } from "./remembered.js"
import { keptAt, say, sentence } from "./state.js"

/** Where the name of the link that was followed last is kept, for the page that comes in place of what it leads to. */
const place = "followed"

/** @param {Element} link */
function words(link) {
  const mark = link.querySelector("[data-absent]")?.textContent ?? ""
  return (link.textContent ?? "").replace(mark, "").trim().replace(/\s+/g, " ")
}

/**
 * Whether a link stays on its page: the one that skips to the content has the page's address, but not its name.
 * @param {HTMLAnchorElement} link
 */
function stays(link) {
  return link.hash !== "" && link.pathname === location.pathname && link.search === location.search
}

/** Remembers the name of what somebody goes to: where it cannot be had, only its address is known. */
export function follow() {
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    if (link?.origin === location.origin && !stays(link)) remember(place, JSON.stringify([link.pathname, words(link)]), "sessionStorage")
  })
}

/** The name of what this page stands in for; nothing where nobody has said one. */
function wanted() {
  const [path, name] = JSON.parse(recall(place, "sessionStorage") ?? "[]")
  if (path === location.pathname && name) return name
  const link = [...document.querySelectorAll("a")].find((one) => one.pathname === location.pathname && !stays(one))
  return link && words(link)
}

/**
 * Says what this page is not, and marks what its links lead to in vain.
 * @param {string} account
 */
export async function nameAbsent(account) {
  if (!keptAt) return
  if (document.querySelector('[data-list="asked"]') && location.pathname !== "/my/offline") {
    const name = wanted()
    say("absent", name ? sentence("absent", { name }) : sentence("absentPage"))
  }
  // What only the server can do.
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("main [data-online] button"))) {
    button.disabled = true
    const mark = Object.assign(document.createElement("span"), { textContent: ` (${sentence("online")})` })
    button.append(mark)
  }
  const plan = await known(account)
  const stores = await Promise.all([cacheName(account), soundsCache(account)].map((name) => caches.open(name)))
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('main a[href^="/"]'))) {
    const path = link.pathname
    if (path === location.pathname || plan?.entries.some((entry) => entry.path === path + link.search)) continue
    const found = await Promise.all(stores.map((store) => store.match(path)))
    if (found.some(Boolean) || link.querySelector("[data-absent]")) continue
    const mark = Object.assign(document.createElement("span"), { className: "mute", textContent: ` (${sentence("online")})` })
    mark.dataset.absent = ""
    link.append(mark)
  }
}
