// What an answer says of something that was sent: the one table of that (Tests/Scripts/verdicts.json), which the library for apps follows too.

/** @typedef {"taken" | "refused" | "signed out" | "token" | "unknown"} Verdict */

/** Answers of our own that say nothing of what was sent: too late, too early, too much just now. */
const passing = [408, 425, 429]

/**
 * The word of our own server for why it refused; undefined where it did not, and where something else answered in its place.
 * @param {import("./calls.js").Answer | undefined} answer
 * @returns {string | undefined}
 */
export const refusal = (answer) =>
  answer && answer.status >= 400 && typeof answer.body?.code === "string" ? answer.body.code : undefined

/**
 * Only our own words count; where something else answers, nothing is known. What they refuse is refused for good.
 * @param {import("./calls.js").Answer | undefined} answer
 * @returns {Verdict}
 */
export function verdict(answer) {
  if (answer && answer.status < 300) return answer.body?.state === "taken" ? "taken" : "unknown"
  const code = refusal(answer)
  if (!answer || !code || answer.status >= 500 || passing.includes(answer.status)) return "unknown"
  if (answer.status === 401) return "signed out"
  // Of what was sent it says nothing: it was not looked at.
  if (code === "foreign_form") return "token"
  return "refused"
}
