// Pages that are kept on this device, each marked with the moment it was kept.

/**
 * The name of the cache that holds one person's pages.
 * @param {string} account
 */
export const cacheName = (account) => `own ${account}`

/**
 * A page as it is kept: it says itself when that was.
 * @param {Response} response
 * @returns {Promise<Response>}
 */
export async function marked(response) {
  const text = await response.text()
  const headers = new Headers()
  for (const name of ["Content-Type", "Content-Security-Policy", "Permissions-Policy", "Referrer-Policy"]) {
    const value = response.headers.get(name)
    if (value) headers.set(name, value)
  }
  const now = new Date().toISOString()
  headers.set("Kept-At", now)
  return new Response(text.replace('data-kept=""', `data-kept="${now}"`), { headers })
}

/**
 * Where the whole form of a questionnaire's version is fetched and kept.
 * @param {string} version
 */
export const formPath = (version) => `/my/offline/forms/${version}`
