// The reader of typed numbers in scripts follows the vectors that the server's follows too (TypedNumberTests).
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"

// As a text: no folder here says of its scripts that they are modules.
const source = readFileSync(new URL("../../static/own/number.js", import.meta.url), "utf8")
const { readNumber, spelled } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
const { read, limited, spelled: spellings } = JSON.parse(readFileSync(new URL("numbers.json", import.meta.url), "utf8"))

function told(text, limits) {
  const found = readNumber(text, limits)
  if (found === null) return null
  if (found.readings) return [found.readings.grouped, found.readings.fraction, found.readings.typed]
  return found.number ?? "wrong"
}

for (const [text, wanted] of read) assert.deepEqual(told(text), wanted, JSON.stringify(text))
for (const [text, limits, wanted] of limited) assert.deepEqual(told(text, limits), wanted, JSON.stringify([text, limits]))
for (const [number, wanted] of spellings) {
  assert.equal(spelled(number), wanted)
  assert.equal(told(wanted), number, `${wanted}, read again`)
}
console.log(`${read.length + limited.length + spellings.length} typed numbers`)
