const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n
const maxUint64 = 2n ** 64n - 1n

/** Returns whether a signed 64-bit integer, the widest that Kubernetes keeps exactly, can hold the value. */
export function fitsInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64
}

/** An integer as number where a double holds it exactly, else as bigint; undefined outside int64 and uint64. */
function exactInteger(value: bigint): number | bigint | undefined {
  if (value < minInt64 || value > maxUint64) return undefined
  const double = Number(value)
  return Number.isSafeInteger(double) ? double : value
}

/** `-9223372036854775808` and `18446744073709551615` have so many characters. */
const maxDecimalLength = 20

/** Returns the value of decimal digits with an optional minus, or undefined outside int64 and uint64. */
export function parseDecimalInteger(digits: string): number | bigint | undefined {
  if (digits.length > maxDecimalLength) return undefined
  if (digits.length <= 15) return Number(digits) + 0
  return exactInteger(BigInt(digits))
}

/**
 * Returns a float as Kubernetes holds it after its hops over JSON: an integral value whose shortest decimal digits fit
 * int64 is an integer, anything else stays a double.
 */
export function integralAsInteger(value: number): number | bigint {
  if (!Number.isInteger(value)) return value
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value
  if (Math.abs(value) >= 1e19) return value
  const integer = BigInt(String(value))
  return fitsInt64(integer) ? integer : value
}

const integerPattern = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)$/
// Go cuts `0b` off and parses the rest again, which may bring a sign of its own.
const signAfterPrefix = /^0b([-+])([01]+)$/
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const underscoreNotBetweenDigits = /(?:^|[^0-9])_|_(?:[^0-9]|$)/
const maxDigits = 64

/**
 * Returns the number that Go's YAML libraries see in a plain scalar, or undefined when they see text: decimal, `0x`,
 * `0o`, `0b` and `0777` integers of at most 64 bits, floats within range. Underscores may stand anywhere, after a leading dot between digits alone.
 */
export function parseGoNumber(text: string): number | bigint | undefined {
  if (text.startsWith('.')) {
    if (underscoreNotBetweenDigits.test(text)) return undefined
    const digits = text.replaceAll('_', '')
    return float.test(digits) ? finiteFloat(digits) : undefined
  }
  const plain = text.includes('_') ? text.replaceAll('_', '') : text
  return parsePlainInteger(plain) ?? (float.test(plain) ? finiteFloat(plain) : undefined)
}

/** Returns the integer of at most 64 bits that Go's YAML libraries see in a plain scalar. */
export function parseGoInteger(text: string): number | bigint | undefined {
  const first = text.charCodeAt(0)
  const plain = text.includes('_') ? text.replaceAll('_', '') : text
  const isNumeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d
  return isNumeric ? parsePlainInteger(plain) : undefined
}

function parsePlainInteger(plain: string): number | bigint | undefined {
  const match = integerPattern.exec(plain)
  if (match === null) return parseSignAfterPrefix(plain)
  const sign = match[1] ?? ''
  const digits = match[2] ?? ''
  if (digits.length <= 15 && (digits === '0' || !digits.startsWith('0'))) {
    return sign === '-' ? 0 - Number(digits) : Number(digits)
  }
  const leading = /^0[xXoObB]?0*/.exec(digits)?.[0].length ?? 0
  if (digits.length - leading > maxDigits) return undefined
  const magnitude = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase())
  // Only int64 takes a sign: Go reads uint64 without one.
  if (sign !== '' && magnitude > maxInt64 + (sign === '-' ? 1n : 0n)) return undefined
  return exactInteger(sign === '-' ? -magnitude : magnitude)
}

function parseSignAfterPrefix(plain: string): number | bigint | undefined {
  const match = signAfterPrefix.exec(plain)
  if (match === null) return undefined
  const [, sign = '', digits = ''] = match
  if (digits.length > maxDigits) return undefined
  const magnitude = BigInt(`0b${digits}`)
  const value = sign === '-' ? -magnitude : magnitude
  return fitsInt64(value) ? exactInteger(value) : undefined
}

function finiteFloat(text: string): number | bigint | undefined {
  const value = Number(text)
  return Number.isFinite(value) ? integralAsInteger(value) : undefined
}

/** Returns the shortest digits of a double as Go's `%g` prints them: an exponent below 1e-4 and from 1e6 on. */
export function formatGoFloat(value: number): string {
  if (Object.is(value, -0)) return '-0'
  const [mantissa = '', exponentText = ''] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  const magnitude = Math.abs(exponent)
  if (exponent >= -4 && exponent < 6) return String(value)
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${magnitude < 10 ? '0' : ''}${magnitude}`
}

/** Returns whether Go's YAML libraries see a finite float in a plain scalar, written as one. */
export function isGoFloat(text: string): boolean {
  return parseGoInteger(text) === undefined && parseGoNumber(text) !== undefined && /^[-+.0-9]/.test(text)
}

/** Returns how Kubernetes spells a mapping key that {@link parseGoNumber} reads as a number: floats in 32 bits. */
export function numericKeyText(text: string): string {
  const integer = parseGoInteger(text)
  if (integer !== undefined) return String(integer)
  const value = Math.fround(Number(text.replaceAll('_', '')))
  if (value === 0) return formatGoFloat(value)
  if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf'
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return formatGoFloat(shorter)
  }
  return formatGoFloat(Number(value.toPrecision(9)))
}
