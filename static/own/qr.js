// A QR code of the one size that a vault's key needs (version 4, level L, letters and digits; ISO/IEC 18004). It is drawn
// here because the key must not go to the server to be drawn there.

const size = 33
const dataLength = 80
const checkLength = 20
const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"

/** The field of 256 elements that the check bytes are counted in. */
const exponents = new Uint8Array(512)
const logarithms = new Uint8Array(256)
for (let index = 0, value = 1; index < 255; index++) {
  exponents[index] = exponents[index + 255] = value
  logarithms[value] = index
  value = value & 128 ? (value << 1) ^ 0x11d : value << 1
}

/**
 * @param {number} one
 * @param {number} other
 */
const times = (one, other) => (one && other ? exponents[logarithms[one] + logarithms[other]] : 0)

/** @param {string} text */
function data(text) {
  /** @type {number[]} */
  const bits = []
  const add = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1)
  }
  add(0b0010, 4)
  add(text.length, 9)
  for (let index = 0; index < text.length; index += 2) {
    const [one, other] = [letters.indexOf(text[index]), letters.indexOf(text[index + 1] ?? "")]
    if (index + 1 < text.length) add(one * 45 + other, 11)
    else add(one, 6)
  }
  add(0, Math.min(4, dataLength * 8 - bits.length))
  while (bits.length % 8) bits.push(0)
  const bytes = Array.from({ length: bits.length / 8 }, (_, index) => parseInt(bits.slice(index * 8, index * 8 + 8).join(""), 2))
  for (let pad = 0xec; bytes.length < dataLength; pad ^= 0xec ^ 0x11) bytes.push(pad)
  return bytes
}

/** @param {number[]} bytes */
function checks(bytes) {
  let generator = [1]
  for (let root = 0; root < checkLength; root++) {
    const next = [...generator, 0]
    for (let place = 0; place < generator.length; place++) next[place + 1] ^= times(generator[place], exponents[root])
    generator = next
  }
  const rest = [...bytes, ...new Array(checkLength).fill(0)]
  for (let index = 0; index < bytes.length; index++) {
    const factor = rest[index]
    for (let place = 0; place < generator.length; place++) rest[index + place] ^= times(generator[place], factor)
  }
  return rest.slice(bytes.length)
}

/** What stands in every code of this size; null where data goes. */
function frame() {
  /** @type {(boolean | null)[][]} */
  const cells = Array.from({ length: size }, () => new Array(size).fill(null))
  const square = (/** @type {number} */ row, /** @type {number} */ column, /** @type {number} */ reach, /** @type {(ring: number) => boolean} */ isDark) => {
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        if (cells[row + y] && column + x >= 0 && column + x < size) cells[row + y][column + x] = isDark(Math.max(Math.abs(x), Math.abs(y)))
      }
    }
  }
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(row, column, 4, (ring) => ring !== 2 && ring !== 4)
  square(26, 26, 2, (ring) => ring !== 1)
  for (let index = 8; index < size - 8; index++) cells[6][index] = cells[index][6] = index % 2 === 0
  // Level L with mask 0, with its own check bits; twice.
  const format = 0b111011111000100
  for (let bit = 0; bit < 15; bit++) {
    const isDark = Boolean((format >> bit) & 1)
    cells[8][bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit] = isDark
    cells[bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit][8] = isDark
  }
  cells[size - 8][8] = true
  return cells
}

/** @param {string} text of at most 114 letters, digits and a few signs */
export function modules(text) {
  const bytes = data(text)
  const all = [...bytes, ...checks(bytes)]
  const cells = frame()
  let bit = 0
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const isUpward = ((right + 1) & 2) === 0
      const row = isUpward ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (cells[row][column] !== null) continue
        const isSet = Boolean(((all[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
        bit++
        cells[row][column] = isSet !== ((row + column) % 2 === 0)
      }
    }
  }
  return cells
}

/**
 * @param {string} text
 * @returns {SVGElement}
 */
export function picture(text) {
  const namespace = "http://www.w3.org/2000/svg"
  const [svg, path] = [document.createElementNS(namespace, "svg"), document.createElementNS(namespace, "path")]
  const cells = modules(text)
  const marks = cells.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
  svg.setAttribute("viewBox", `-4 -4 ${size + 8} ${size + 8}`)
  svg.setAttribute("role", "img")
  path.setAttribute("d", marks.join(""))
  svg.append(path)
  return svg
}
