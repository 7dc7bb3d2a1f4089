import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { isCalendarDay } from '../../calendar-day.ts'

/** A type of Go that reads a scalar in its own way. */
export interface Form {
  readonly accepts: (value: JsonValue) => boolean
  /** The words after `must be`. */
  readonly expected: string
}

const quantityPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/
const timePattern =
  /^(?<date>\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?<fraction>[.,]\d+)?(?:Z|[+-](?:[01]\d|2[0-4]):[0-5]\d)$/
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const integer: Form = {
  accepts: (value) => isInteger(value, -(2n ** 63n), 2n ** 63n - 1n),
  expected: 'an integer of 64 bits',
}

const forms = new Map<string, Form>([
  ['string', { accepts: (value) => typeof value === 'string', expected: 'a string' }],
  ['boolean', { accepts: (value) => typeof value === 'boolean', expected: 'true or false' }],
  ['integer', integer],
  ['int64', integer],
  ['int32', { accepts: isInt32, expected: 'an integer of 32 bits' }],
  ['number', { accepts: (value) => isNumber(value), expected: 'a number' }],
  [
    'byte',
    {
      accepts: (value) => typeof value === 'string' && base64Pattern.test(value.replaceAll(/[\r\n]/g, '')),
      expected: 'a string in base64',
    },
  ],
  [
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    {
      accepts: (value) => typeof value === 'string' || isInt32(value),
      expected: 'an integer of 32 bits or a string',
    },
  ],
  [
    'io.k8s.apimachinery.pkg.api.resource.Quantity',
    { accepts: isQuantity, expected: 'a quantity such as 500m or 1Gi' },
  ],
  [
    'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
    { accepts: (value) => isTime(value), expected: 'a time such as 2026-01-31T12:00:00Z' },
  ],
  [
    'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
    { accepts: (value) => isTime(value, 6), expected: 'a time such as 2026-01-31T12:00:00.000000Z' },
  ],
])

/** Returns the form of a type, a format or a definition that has one. */
export function formOf(name: string): Form | undefined {
  return forms.get(name)
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isInteger(value: JsonValue, least: bigint, greatest: bigint): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false
  return isNumber(value) && BigInt(value) >= least && BigInt(value) <= greatest
}

function isInt32(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31
}

function isQuantity(value: JsonValue): boolean {
  return isNumber(value) || (typeof value === 'string' && quantityPattern.test(value.trim()))
}

/** @param digits the digits that the fraction of a second must have; without it any number of them */
function isTime(value: JsonValue, digits?: number): boolean {
  const { date, fraction } = (typeof value === 'string' && timePattern.exec(value)?.groups) || {}
  if (date === undefined || (digits !== undefined && fraction?.length !== digits + 1)) return false
  return isCalendarDay(date)
}
