// Browsers judge the server's answers by the table that the library for apps follows too (VerdictTests).
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"

const source = readFileSync(new URL("../../static/own/verdict.js", import.meta.url), "utf8")
const { verdict } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
const table = JSON.parse(readFileSync(new URL("verdicts.json", import.meta.url), "utf8"))

for (const [status, body, wanted] of table) {
  assert.equal(verdict({ status, body }), wanted, `${status} ${JSON.stringify(body)}`)
}
assert.equal(verdict(undefined), "unknown")
assert.equal(verdict({ status: 200, body: { state: "taken" } }), "taken")
for (const body of [{ state: "kept" }, {}, null, "taken"]) assert.equal(verdict({ status: 200, body }), "unknown")
console.log(`${table.length} answers`)
