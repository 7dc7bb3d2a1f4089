import { isIP, isIPv4 } from 'node:net'
import { isCalendarDay } from '../../calendar-day.ts'

type FormatCheck = (text: string) => boolean

const shortName = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const shortNamePattern = new RegExp(`^${shortName}$`)
const longNamePattern = new RegExp(`^${shortName}(?:\\.${shortName})*$`)
const goDurationPattern = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/
const wordDurationPattern =
  /(?<!\d)\d+\s*(?:ns|nano[a-zµ]*|us|µs|micro[a-zµ]*|ms|milli[a-zµ]*|s|sec[a-zµ]*|m|min[a-zµ]*|h|hr|hour[a-zµ]*|d|day[a-zµ]*|w|wk|week[a-zµ]*)(?![a-zµ])/i
const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/
const hostnamePattern =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u

function uuid(version: string, variant = '[0-9a-f]'): FormatCheck {
  const pattern = new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`,
    'i',
  )
  return (text) => pattern.test(text)
}

/** Formats without `-`, as the API server compares them. Those of books, credit cards, colours and the like are not checked. */
const formats = new Map<string, FormatCheck>([
  ['ipv4', (text) => text.includes('.') && isIP(withoutZeros(text)) !== 0 && !text.includes('%')],
  ['ipv6', (text) => isIP(text) === 6 && !text.includes('%')],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', uuid('[0-9a-f]')],
  ['uuid3', uuid('3')],
  ['uuid4', uuid('4', '[89ab]')],
  ['uuid5', uuid('5', '[89ab]')],
  ['byte', (text) => base64Pattern.test(text)],
  ['date', isCalendarDay],
  ['datetime', isDateTime],
  ['duration', (text) => goDurationPattern.test(text) || wordDurationPattern.test(text)],
  ['hostname', isHostname],
  ['uri', (text) => /^(?:[a-z][a-z0-9+.-]*:|\/)\P{Cc}*$/iu.test(text)],
  ['email', (text) => /^[^@]+@[^@\s]+$/.test(text)],
])

/** Formats that Kubernetes has from 1.34 on. */
const newFormats = new Map<string, FormatCheck>([
  ['k8sshortname', (text) => text.length <= 63 && shortNamePattern.test(text)],
  ['k8slongname', (text) => text.length <= 253 && longNamePattern.test(text)],
])

/** Returns the check of a format of strings; undefined for one that the API server of that version, or Wadi, does not check. */
export function formatCheck(format: string, minorVersion: number): FormatCheck | undefined {
  if (format === '') return undefined
  const name = format.replaceAll('-', '')
  return formats.get(name) ?? (minorVersion >= 34 ? newFormats.get(name) : undefined)
}

/** Kubernetes accepts zeros before the numbers of an address. */
function withoutZeros(address: string): string {
  return address.replaceAll(/(?<![\da-f:])0+(?=\d)/gi, '')
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const version = isIP(withoutZeros(address))
  if (rest.length > 0 || version === 0 || address.includes('%') || !/^\d{1,3}$/.test(bits)) return false
  return Number(bits) <= (isIPv4(withoutZeros(address)) ? 32 : 128)
}

/** True for an address of 6, 8 or 20 bytes. */
function isMac(text: string): boolean {
  const isOfBytes = /^[\da-f]{2}([:-])[\da-f]{2}(?:\1[\da-f]{2})*$/i.test(text)
  const isOfPairs = /^[\da-f]{4}(?:\.[\da-f]{4})+$/i.test(text)
  return (isOfBytes || isOfPairs) && [12, 16, 40].includes(text.replaceAll(/[:.-]/g, '').length)
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t')
  return isCalendarDay(date) && timePattern.test(time)
}

function isHostname(text: string): boolean {
  const labels = text.split('.')
  return text.length <= 255 && hostnamePattern.test(text) && labels.every(({ length }) => length <= 63)
}
