// Numbers as people write them: with a comma or a point, in groups of three, in the digits of any script. The server
// reads the same (TypedNumber); Tests/Scripts/numbers.json holds both to it.

/**
 * @typedef {{ minimum?: number, maximum?: number, step?: number }} Limits the step is counted from the minimum
 * @typedef {{ grouped: string, fraction: string, typed: string }} Readings each spelled so that it reads in one way
 * @typedef {{ number?: number, readings?: Readings }} Reading neither of both where it cannot be read
 */

const longest = 60
const invisible = /[^\0-\x7f]/u
const ignored = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u
const blank = /\p{White_Space}/u
const digit = /\p{Nd}/u

/**
 * The value of a decimal digit of any script; in each of them they stand in a row from 0 to 9.
 * @param {string} sign
 */
function figure(sign) {
  const code = /** @type {number} */ (sign.codePointAt(0))
  let first = code
  while (first > 0 && digit.test(String.fromCodePoint(first - 1))) first -= 1
  return (code - first) % 10
}

/**
 * @param {string} sign
 * @param {boolean} isFirst
 * @returns {string | undefined} an apostrophe for each mark that only groups, D for the one that only begins a fraction
 */
function mark(sign, isFirst) {
  if (digit.test(sign)) return String(figure(sign))
  if (".\uFF0E".includes(sign)) return "."
  if (",\uFF0C\u060C".includes(sign)) return ","
  if ("'\u2019\u066C".includes(sign)) return "'"
  if (sign === "\u066B") return "D"
  if (isFirst && /^[-\u2010-\u2013\u2212\uFE63\uFF0D]$/.test(sign)) return "-"
  if (isFirst && "+\uFF0B".includes(sign)) return "+"
  return undefined
}

/**
 * Digits, a sign and marks in ASCII, without outer blanks.
 * @param {string} text
 * @returns {string | undefined}
 */
function plain(text) {
  let signs = ""
  let gap = false
  for (const sign of text) {
    if (invisible.test(sign) && ignored.test(sign)) continue
    if (blank.test(sign)) {
      gap = /\d$/.test(signs)
      continue
    }
    if (gap) signs += "'"
    gap = false
    const one = mark(sign, signs === "")
    if (one === undefined || signs.length >= longest) return undefined
    signs += one
  }
  return signs
}

const ambiguous = /^-?[1-9]\d{0,2}\.\d{3}$/

/**
 * The digits of groups of three.
 * @param {string} whole
 * @param {string | undefined} group
 * @returns {string | undefined}
 */
function joined(whole, group) {
  const groups = group === undefined ? [whole] : whole.split(group)
  if (!groups.every((one) => /^\d*$/.test(one))) return undefined
  if (groups.length === 1) return whole
  const isGrouped = /^[1-9]\d{0,2}$/.test(groups[0]) && groups.slice(1).every((one) => one.length === 3)
  return isGrouped ? groups.join("") : undefined
}

/**
 * @param {string} signs
 * @returns {Reading}
 */
function readSigns(signs) {
  const sign = signs.startsWith("-") ? "-" : ""
  const body = signs.replace(/^[-+]/, "")
  const marks = body.replace(/\d/g, "")
  const kinds = [...new Set(marks)]
  if (kinds.length > 2 || marks.length === body.length) return {}
  let group = /** @type {string | undefined} */ (kinds[0])
  let decimal = /** @type {string | undefined} */ (kinds[1])
  if (kinds.length === 1 && (group === "D" || (group !== "'" && marks.length === 1))) [group, decimal] = [undefined, group]
  if (decimal === "'" || group === "D") return {}
  const pieces = decimal === undefined ? [body] : body.split(decimal)
  const whole = joined(pieces[0], group)
  const fraction = pieces[1] ?? ""
  if (pieces.length > 2 || whole === undefined || !/^\d*$/.test(fraction) || whole + fraction === "") return {}
  const spelling = `${sign}${whole || "0"}.${fraction || "0"}`
  const number = Number(spelling)
  if (!Number.isFinite(number)) return {}
  if (decimal !== "D" && group === undefined && fraction.length === 3 && ambiguous.test(spelling)) {
    return { readings: { grouped: sign + whole + fraction, fraction: spelled(number), typed: spelling } }
  }
  return { number: number + 0 }
}

/**
 * @param {number} value
 * @param {Limits} limits
 */
export function allows(value, { minimum, maximum, step }) {
  if (minimum !== undefined && value < minimum) return false
  if (maximum !== undefined && value > maximum) return false
  if (step === undefined || step <= 0) return true
  const steps = (value - (minimum ?? 0)) / step
  return Math.abs(steps - Math.round(steps)) < 1e-6
}

/**
 * @param {string} text
 * @param {Limits} [limits] they decide between two readings where they allow only one
 * @returns {Reading | null} null for nothing but blanks
 */
export function readNumber(text, limits = {}) {
  const signs = plain(text)
  if (signs === "") return null
  const read = signs === undefined ? {} : readSigns(signs)
  if (!read.readings) return read
  const allowed = [read.readings.grouped, read.readings.fraction].map(Number).filter((value) => allows(value, limits))
  return allowed.length === 1 ? { number: allowed[0] } : read
}

/**
 * A number as a field shows it: read again, it is the same number and no other.
 * @param {number} number
 */
export function spelled(number) {
  const text = expanded(String(number + 0))
  return ambiguous.test(text) ? `${text}0` : text
}

/**
 * `0.0000001` instead of `1e-7`.
 * @param {string} text
 */
function expanded(text) {
  const [number, exponent] = text.split("e")
  if (exponent === undefined) return number
  const sign = number.startsWith("-") ? "-" : ""
  const [whole, fraction = ""] = number.slice(sign.length).split(".")
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits.padEnd(point, "0")
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/**
 * What the field of a number allows.
 * @param {HTMLElement} input
 * @returns {Limits}
 */
export function limitsOf({ dataset }) {
  const limit = (/** @type {string | undefined} */ text) => (text === undefined ? undefined : Number(text))
  return { minimum: limit(dataset.minimum), maximum: limit(dataset.maximum), step: limit(dataset.step) }
}

/**
 * The number in a field; undefined where there is none, or two.
 * @param {HTMLInputElement} input
 */
export const numberIn = (input) => readNumber(input.value, limitsOf(input))?.number
