import { parseGoNumber } from './go-number.ts'

/** The values of words in plain scalars in Go's YAML libraries, without YAML 1.1's further booleans. */
const words = new Map<string, null | boolean>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word): [string, null] => [word, null]),
  ...['true', 'True', 'TRUE'].map((word): [string, boolean] => [word, true]),
  ...['false', 'False', 'FALSE'].map((word): [string, boolean] => [word, false]),
])

const yaml11Booleans = new Map<string, boolean>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word): [string, boolean] => [word, true]),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word): [string, boolean] => [word, false]),
])

const notFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const maxWordLength = 5

/** Returns whether a plain scalar means an infinity or not-a-number, which JSON and so Kubernetes cannot hold. */
export function isNotFinite(text: string): boolean {
  return text.length <= maxWordLength && notFinite.test(text)
}

/**
 * Returns what Kubernetes reads in a plain scalar, as its YAML library (go-yaml 2) resolves it: YAML 1.1 booleans and
 * octals are numbers, dates and sexagesimals are strings. {@link isNotFinite} scalars come back as text and are the caller's.
 */
export function resolvePlainScalar(text: string): null | boolean | number | bigint | string {
  if (mayBeNumber(text)) return parseGoNumber(text) ?? text
  if (!mayBeWord(text)) return text
  const word = words.get(text)
  return word === undefined ? (yaml11Booleans.get(text) ?? text) : word
}

/**
 * Returns whether Argo CD's YAML library (go-yaml 3) quotes the text although its characters would allow it plain,
 * because some YAML reader may take it for something else than a string.
 */
export function readsAsAnotherType(text: string): boolean {
  if (!mayBeNumber(text)) {
    return mayBeWord(text) && (words.has(text) || yaml11Booleans.has(text))
  }
  return (
    isNotFinite(text) ||
    parseGoNumber(text) !== undefined ||
    (text.length <= maxOddNumberLength && (signedOctal.test(text) || sexagesimal.test(text))) ||
    isTimestamp(text)
  )
}

/** Bounds the work of the two expressions, which hostile text could make long. */
const maxOddNumberLength = 256

// go-yaml 3 cuts `0o` off and reads the rest as a number, its sign too; go-yaml 2 does not.
const signedOctal = /^0_*o_*[-+][0-7_]*[0-7]_*$/

const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/

/** True if the text is short and empty or begins with one of `yntfo~`. */
function mayBeWord(text: string): boolean {
  if (text.length > maxWordLength) return false
  const first = text.charCodeAt(0) | 0x20
  return (
    text === '' ||
    first === 0x79 ||
    first === 0x6e ||
    first === 0x74 ||
    first === 0x66 ||
    first === 0x6f ||
    first === 0x7e
  )
}

function mayBeNumber(text: string): boolean {
  const first = text.charCodeAt(0)
  return (first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e
}

const datePattern = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})/
const timeOfDay = /^([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]{1,9})?/
const zonePattern = /^(?:Z|[-+]([0-9]{2}):([0-9]{2}))$/

/** Returns whether Go's YAML libraries see a date in the text. The forms are `Y-M-D`, `Y-M-DTh:m:sZ` and `Y-M-D h:m:s`; Go's parser also checks the calendar. */
export function isTimestamp(text: string): boolean {
  const date = datePattern.exec(text)
  if (date === null || !isCalendarDay(Number(date[1]), Number(date[2]), Number(date[3]))) return false
  const afterDate = text.slice(date[0].length)
  if (afterDate === '') return true
  const separator = /^(?:[Tt]| +)/.exec(afterDate)?.[0]
  if (separator === undefined) return false
  const clock = afterDate.slice(separator.length)
  const time = timeOfDay.exec(clock)
  if (time === null || Number(time[1]) > 23 || Number(time[2]) > 59 || Number(time[3]) > 59) return false
  const afterTime = clock.slice(time[0].length)
  if (separator.startsWith(' ')) return afterTime === ''
  const zone = zonePattern.exec(afterTime)
  return zone !== null && Number(zone[1] ?? 0) <= 24 && Number(zone[2] ?? 0) <= 60
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const date = new Date(Date.UTC(2000, month, 0))
  date.setUTCFullYear(year, month, 0)
  return day <= date.getUTCDate()
}
