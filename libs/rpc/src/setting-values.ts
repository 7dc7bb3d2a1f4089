import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** The type that the code sees for each type of setting: durations in milliseconds, sizes in bytes. */
export type SettingValues = {
  string: string
  choice: string
  int: number
  duration: number
  bytes: number
  boolean: boolean
  list: readonly string[]
  urlList: readonly string[]
}

/** The form of a value of each type, for error messages, `--help` and the documentation. */
export const acceptedForms: Readonly<Record<keyof SettingValues, string>> = {
  string: 'string',
  choice: 'one of the listed words',
  int: 'a whole number such as 4',
  duration: 'a number with ms, s, m or h such as 30s or 2m',
  bytes: 'a number with B, KiB, MiB or GiB such as 16MiB',
  boolean: 'true or false',
  list: 'words separated by commas',
  urlList:
    'URLs separated by commas, each http://host:port, https://host:port, unix:/path, srv+http://name or srv+https://name for the addresses in the SRV records of the name, or spare+http://host:port or spare+https://host:port for calls that reach none of the others',
}

const millisecondsByUnit = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
])

const bytesByUnit = new Map([
  ['B', 1],
  ['KiB', 1024],
  ['MiB', 1024 ** 2],
  ['GiB', 1024 ** 3],
])

/** Reads one value; throws `InvalidInputError` with the accepted form, and never with the text, which may be secret. */
export function parseSettingValue(
  type: keyof SettingValues,
  text: string,
  choices: readonly string[] = [],
): SettingValues[keyof SettingValues] {
  switch (type) {
    case 'choice':
      return choices.includes(text) ? text : reject(`one of ${choices.join(', ')}`)
    case 'int':
      return /^\d{1,15}$/.test(text) ? Number(text) : reject(acceptedForms.int)
    case 'duration':
      return quantity(text, millisecondsByUnit) ?? reject(acceptedForms.duration)
    case 'bytes':
      return quantity(text, bytesByUnit) ?? reject(acceptedForms.bytes)
    case 'boolean':
      return text === 'true' || (text !== 'false' && reject(acceptedForms.boolean))
    case 'list':
      return words(text)
    case 'urlList':
      return words(text).map((url) => (isEndpoint(url) ? url : reject(acceptedForms.urlList)))
    default:
      return text
  }
}

function quantity(text: string, units: ReadonlyMap<string, number>): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,9})([A-Za-z]+)$/.exec(text) ?? []
  const factor = units.get(unit)
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function isEndpoint(text: string): boolean {
  if (text.startsWith('unix:')) return text.startsWith('unix:/')
  const url = URL.parse(text.replace(/^(?:srv|spare)\+(?=https?:)/, ''))
  return (
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
  )
}

function reject(form: string): never {
  throw new InvalidInputError(`expected ${form}`)
}
