/**
 * Compares two mapping keys in the order of Go's YAML encoder: letters by code point, runs of digits by their value,
 * other characters before letters unless a digit precedes them. Negative, zero or positive, as `Array.sort` wants it.
 */
export function compareNaturally(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  let index = 0
  while (index < shorter && left.charCodeAt(index) === right.charCodeAt(index)) index++
  if (index === shorter) return left.length - right.length
  if (isLowSurrogate(left.charCodeAt(index)) || isLowSurrogate(right.charCodeAt(index))) {
    if (index > 0 && isHighSurrogate(left.charCodeAt(index - 1))) index--
  }
  const leftCharacter = left.codePointAt(index) ?? 0
  const rightCharacter = right.codePointAt(index) ?? 0
  const leftIsLetter = isLetter(leftCharacter)
  const rightIsLetter = isLetter(rightCharacter)
  if (leftIsLetter !== rightIsLetter) {
    const afterDigit = index > 0 && isDigit(characterBefore(left, index))
    return leftIsLetter === afterDigit ? -1 : 1
  }
  const byNumber = leftIsLetter ? 0 : compareDigitRuns(left, right, index)
  return byNumber === 0 ? leftCharacter - rightCharacter : byNumber
}

function compareDigitRuns(left: string, right: string, start: number): number {
  const leftRun = digitRun(left, start)
  const rightRun = digitRun(right, start)
  // A zero inside a number that has begun, as in `10` against `11`, is a digit like any other and not a leading zero.
  const meetsZero = left.charCodeAt(start) === 0x30 || right.charCodeAt(start) === 0x30
  const initial = meetsZero && followsNonZeroDigit(left, start) ? 1n : 0n
  const leftValue = runValue(initial, leftRun)
  const rightValue = runValue(initial, rightRun)
  if (leftValue !== rightValue) return leftValue < rightValue ? -1 : 1
  return leftRun.length - rightRun.length
}

function followsNonZeroDigit(text: string, start: number): boolean {
  let index = start
  while (index > 0) {
    const character = characterBefore(text, index)
    if (!isDigit(character)) return false
    if (character !== 0x30) return true
    index--
  }
  return false
}

function digitRun(text: string, start: number): number[] {
  const run: number[] = []
  let index = start
  let character = text.codePointAt(index)
  while (character !== undefined && isDigit(character)) {
    run.push(character)
    index += character > 0xffff ? 2 : 1
    character = text.codePointAt(index)
  }
  return run
}

/** Go counts in an int64, which wraps, and takes any decimal digit of Unicode by its distance from `0`. */
function runValue(initial: bigint, run: number[]): bigint {
  let value = initial
  for (const digit of run) value = BigInt.asIntN(64, value * 10n + BigInt(digit - 0x30))
  return value
}

function characterBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1)
  return isLowSurrogate(unit) && index > 1 ? (text.codePointAt(index - 2) ?? unit) : unit
}

function isLetter(character: number): boolean {
  if (character < 0x80) {
    return (character >= 0x61 && character <= 0x7a) || (character >= 0x41 && character <= 0x5a)
  }
  return /\p{L}/u.test(String.fromCodePoint(character))
}

function isDigit(character: number): boolean {
  if (character < 0x80) return character >= 0x30 && character <= 0x39
  return /\p{Nd}/u.test(String.fromCodePoint(character))
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
