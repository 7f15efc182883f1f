// The key of a vault as people carry it over: 14 groups of four letters and digits, of which none look alike; the last
// group tells a slip of the pen. 256 bits are 52 letters, with four bits to spare that are zero.

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/**
 * @param {Uint8Array} bytes
 * @param {number} count of letters
 */
function encode(bytes, count) {
  let text = ""
  for (let index = 0; index < count; index++) {
    let value = 0
    for (let bit = index * 5; bit < index * 5 + 5; bit++) {
      const byte = bytes[bit >> 3] ?? 0
      value = (value << 1) | ((byte >> (7 - (bit & 7))) & 1)
    }
    text += letters[value]
  }
  return text
}

/** @param {Uint8Array} key */
async function check(key) {
  const label = new TextEncoder().encode("intersession vault/2 check")
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...label, ...key]))
  return encode(new Uint8Array(digest), 4)
}

/**
 * @param {Uint8Array} key of 32 bytes
 * @returns {Promise<string>} groups, with a hyphen between them
 */
export async function groups(key) {
  const text = encode(key, 52) + (await check(key))
  return text.match(/.{4}/g)?.join("-") ?? ""
}

/**
 * @param {string} text as somebody types it
 * @returns {Promise<Uint8Array | undefined>} nothing for what is none
 */
export async function parse(text) {
  // As the server reads codes with letters: blanks, dashes and signs without a shape are left out.
  const typed = text.replace(/[\p{White_Space}\p{Dash}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
  const plain = typed.toUpperCase().replace(/^VAULT2:/, "").replaceAll("O", "0").replace(/[IL]/g, "1")
  if (plain.length !== 56) return undefined
  const bytes = new Uint8Array(33)
  for (let index = 0; index < 52; index++) {
    const value = letters.indexOf(plain[index])
    if (value < 0) return undefined
    for (let bit = 0; bit < 5; bit++) {
      const place = index * 5 + bit
      if ((value >> (4 - bit)) & 1) bytes[place >> 3] |= 128 >> (place & 7)
    }
  }
  const key = bytes.slice(0, 32)
  return bytes[32] === 0 && plain.slice(52) === (await check(key)) ? key : undefined
}
