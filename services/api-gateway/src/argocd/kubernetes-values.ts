import { create, isFieldSet, isMessage, type JsonValue, type Message } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { isNestedDeeper } from '@wadi/manifests/json-depth.ts'
import { IntOrStringSchema } from '@wadi/protocol/gen/argocd/meta/intstr_pb.ts'
import { JSONSchema } from '@wadi/protocol/gen/argocd/meta/json_pb.ts'
import { FieldsV1Schema, TimeSchema } from '@wadi/protocol/gen/argocd/meta/meta_pb.ts'
import { RawExtensionSchema } from '@wadi/protocol/gen/argocd/meta/runtime_pb.ts'
import {
  OptionalArraySchema,
  OptionalMapSchema,
} from '@wadi/protocol/gen/argocd/v1alpha1/application_source_pb.ts'

/** A message that is not an object in JSON. */
interface ValueForm {
  /**
   * Undefined when there is nothing. `at` is the place for messages.
   * @throws InvalidInputError for bytes that are no JSON, and for a time that no calendar has
   */
  toJson: (message: Message, at: string) => JsonValue | undefined
  /** Undefined for a value that the message cannot hold. */
  fromJson: (value: JsonValue) => Message | undefined
}

const maxDepth = 100
const maxInt32 = 2 ** 31

/** The messages that Kubernetes writes to JSON in their own way, by the full name of their type. */
export const valueForms: ReadonlyMap<string, ValueForm> = new Map<string, ValueForm>([
  [TimeSchema.typeName, { toJson: timeText, fromJson: timeOf }],
  [IntOrStringSchema.typeName, { toJson: numberOrText, fromJson: intOrStringOf }],
  [
    JSONSchema.typeName,
    {
      toJson: (message, at) => (isMessage(message, JSONSchema) ? parsed(message.raw, at) : undefined),
      fromJson: (value) => create(JSONSchema, { raw: written(value) }),
    },
  ],
  [
    RawExtensionSchema.typeName,
    {
      toJson: (message, at) => (isMessage(message, RawExtensionSchema) ? parsed(message.raw, at) : undefined),
      fromJson: (value) => create(RawExtensionSchema, { raw: written(value) }),
    },
  ],
  [
    FieldsV1Schema.typeName,
    {
      toJson: (message, at) => (isMessage(message, FieldsV1Schema) ? parsed(message.Raw, at) : undefined),
      fromJson: (value) => create(FieldsV1Schema, { Raw: written(value) }),
    },
  ],
  [
    OptionalMapSchema.typeName,
    {
      toJson: (message) => (isMessage(message, OptionalMapSchema) ? message.map : undefined),
      fromJson: (value) => {
        if (!isJsonObject(value)) return undefined
        const entries = Object.entries(value).filter(isTextEntry)
        return create(OptionalMapSchema, { map: Object.fromEntries(entries) })
      },
    },
  ],
  [
    OptionalArraySchema.typeName,
    {
      toJson: (message) => (isMessage(message, OptionalArraySchema) ? message.array : undefined),
      fromJson: (value) => {
        if (!Array.isArray(value)) return undefined
        return create(OptionalArraySchema, { array: value.filter((item) => typeof item === 'string') })
      },
    },
  ],
])

function isTextEntry(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}

function timeText(message: Message, at: string): JsonValue | undefined {
  // Go writes a moment that nobody set as an empty message.
  if (!isMessage(message, TimeSchema) || !isFieldSet(message, TimeSchema.field.seconds)) return undefined
  const moment = new Date(Number(message.seconds) * 1_000)
  if (Number.isNaN(moment.valueOf())) throw new InvalidInputError(`${at}: no such time`)
  return moment.toISOString().replace('.000Z', 'Z')
}

function timeOf(value: JsonValue): Message | undefined {
  const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(milliseconds)) return undefined
  return create(TimeSchema, { seconds: BigInt(Math.floor(milliseconds / 1_000)), nanos: 0 })
}

function numberOrText(message: Message): JsonValue | undefined {
  if (!isMessage(message, IntOrStringSchema)) return undefined
  return message.type === 1n ? message.strVal : message.intVal
}

function intOrStringOf(value: JsonValue): Message | undefined {
  if (typeof value === 'string') return create(IntOrStringSchema, { type: 1n, intVal: 0, strVal: value })
  if (!Number.isInteger(value) || Math.abs(Number(value)) >= maxInt32) return undefined
  return create(IntOrStringSchema, { type: 0n, intVal: Number(value), strVal: '' })
}

function parsed(raw: Uint8Array, at: string): JsonValue | undefined {
  if (raw.length === 0) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(raw)
    if (!isNestedDeeper(text, maxDepth)) return JSON.parse(text)
  } catch (cause) {
    throw new InvalidInputError(`${at} is not valid JSON`, { cause })
  }
  throw new InvalidInputError(`${at}: lists and maps are nested deeper than ${maxDepth}`)
}

function written(value: JsonValue): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}
