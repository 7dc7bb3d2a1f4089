import {
  create,
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  ScalarType,
} from '@bufbuild/protobuf'
import { isReflectMessage, reflect, type ReflectMessage, type ScalarValue } from '@bufbuild/protobuf/reflect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { fieldForm } from './kubernetes-field-forms.ts'
import { valueForms } from './kubernetes-values.ts'

/**
 * Returns a message of a Kubernetes type as the object that users write, without `apiVersion` and `kind`, which the wire
 * does not have. What Go writes for fields that nobody set is left out.
 * @throws InvalidInputError that names the field, for bytes that are no JSON and for numbers that JSON cannot hold
 */
export function toKubernetesJson<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): JsonObject {
  return objectOf(reflect(schema, message), '')
}

/**
 * Returns an object as a message of its Kubernetes type. Fields that the message has not, and values that it cannot
 * hold, are left out: this is for answers, and older servers of Argo CD leave them out too.
 */
export function fromKubernetesJson<Desc extends DescMessage>(
  schema: Desc,
  object: JsonObject,
): MessageShape<Desc> {
  const message = create(schema)
  fill(reflect(schema, message), object)
  return message
}

function objectOf(message: ReflectMessage, at: string): JsonObject {
  const entries: [string, JsonValue][] = []
  for (const field of message.fields) {
    if (!message.isSet(field)) continue
    const path = at === '' ? field.jsonName : `${at}.${field.jsonName}`
    if (fieldForm(field).isInlined && field.fieldKind === 'message') {
      entries.push(...Object.entries(objectOf(message.get(field), at)))
      continue
    }
    const value = fieldValue(message, field, path)
    if (value === undefined || (fieldForm(field).isNothingWhenEmpty && isEmpty(value))) continue
    entries.push([field.jsonName, value])
  }
  return Object.fromEntries(entries)
}

function fieldValue(message: ReflectMessage, field: DescField, at: string): JsonValue | undefined {
  switch (field.fieldKind) {
    case 'scalar':
      return scalarJson(message.get(field), at)
    case 'message':
      return messageJson(message.get(field), at)
    case 'list':
      return [...message.get(field)].map((item, index) => itemJson(item, `${at}[${index}]`))
    case 'map':
      return Object.fromEntries(
        [...message.get(field)].map(([key, item]) => [key, itemJson(item, `${at}.${String(key)}`)]),
      )
    default:
      return undefined
  }
}

function itemJson(item: unknown, at: string): JsonValue {
  return isReflectMessage(item) ? (messageJson(item, at) ?? null) : scalarJson(item, at)
}

function messageJson(message: ReflectMessage, at: string): JsonValue | undefined {
  const form = valueForms.get(message.desc.typeName)
  return form ? form.toJson(message.message, at) : objectOf(message, at)
}

function scalarJson(value: unknown, at: string): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new InvalidInputError(`${at}: ${String(value)} is too large`)
  return number
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value === 'object') return Object.keys(value ?? {}).length === 0
  return value === '' || value === 0 || value === false
}

function fill(message: ReflectMessage, object: JsonObject): void {
  for (const field of message.fields) {
    const value = fieldForm(field).isInlined ? object : object[field.jsonName]
    if (value !== undefined && value !== null) fillField(message, field, value)
  }
}

function fillField(message: ReflectMessage, field: DescField, value: JsonValue): void {
  if (field.fieldKind === 'list') {
    for (const item of Array.isArray(value) ? value : []) {
      const held = heldItem(field, item)
      if (held !== undefined) message.get(field).add(held)
    }
  } else if (field.fieldKind === 'map') {
    for (const [key, item] of isJsonObject(value) ? Object.entries(value) : []) {
      const held = heldItem(field, item)
      if (held !== undefined) message.get(field).set(key, held)
    }
  } else {
    const held = heldItem(field, value)
    if (held !== undefined && !(fieldForm(field).isInlined && isUnset(held))) message.set(field, held)
  }
}

/** The value as the messages of this field hold it; undefined when they cannot. */
function heldItem(
  { message, scalar }: Pick<DescField, 'message' | 'scalar'>,
  value: JsonValue,
): ReflectMessage | ScalarValue | undefined {
  if (message === undefined) return scalar === undefined ? undefined : heldScalar(scalar, value)
  const form = valueForms.get(message.typeName)
  if (form) {
    const held = form.fromJson(value)
    return held && reflect(message, held)
  }
  if (!isJsonObject(value)) return undefined
  const made = reflect(message)
  fill(made, value)
  return made
}

function heldScalar(type: ScalarType, value: JsonValue): ScalarValue | undefined {
  switch (type) {
    case ScalarType.STRING:
      return typeof value === 'string' ? value : undefined
    case ScalarType.BOOL:
      return typeof value === 'boolean' ? value : undefined
    case ScalarType.INT64:
      return Number.isSafeInteger(value) ? BigInt(Number(value)) : undefined
    default:
      return undefined
  }
}

function isUnset(held: ReflectMessage | ScalarValue): boolean {
  return isReflectMessage(held) && !held.fields.some((field) => held.isSet(field))
}
