import type { DescField, DescMessage } from '@bufbuild/protobuf'
import type { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { JSONSchema } from '@wadi/protocol/gen/argocd/meta/json_pb.ts'
import { ObjectMetaSchema } from '@wadi/protocol/gen/argocd/meta/meta_pb.ts'
import {
  ApplicationSetGeneratorSchema,
  ApplicationSetNestedGeneratorSchema,
} from '@wadi/protocol/gen/argocd/v1alpha1/application_set_generators_pb.ts'
import {
  ApplicationSetRolloutStrategySchema,
  ApplicationSetSchema,
  ApplicationSetStatusSchema,
} from '@wadi/protocol/gen/argocd/v1alpha1/application_set_pb.ts'
import { ApplicationSpecSchema } from '@wadi/protocol/gen/argocd/v1alpha1/application_spec_pb.ts'
import { forgeFieldsOf, unsupportedForge } from './forges/forge-names.ts'

/** Messages whose fields are read elsewhere, or are free. */
const freeMessages: ReadonlySet<DescMessage> = new Set<DescMessage>([
  ObjectMetaSchema,
  ApplicationSetStatusSchema,
  ApplicationSetRolloutStrategySchema,
  ApplicationSpecSchema,
  JSONSchema,
])

/**
 * Reports every field of an ApplicationSet that Argo CD's message does not have, and every generator and provider that is
 * not supported, by name. Free fields are left out: `elements`, `values` and the `spec` of the template.
 */
export function checkKnownFields(reader: FieldReader, resource: Record<string, unknown>): void {
  checkMessage(reader, resource, ApplicationSetSchema, '')
}

function checkMessage(reader: FieldReader, value: unknown, message: DescMessage, path: string): void {
  if (!isJsonObject(value) || freeMessages.has(message)) return
  const at = path === '' ? '' : `${path}.`
  const fields = fieldsOf(message)
  const forges = forgeFieldsOf(message)
  const isForge = (name: string) => forges?.unsupported.includes(name) ?? false
  const supported = Object.entries(value).filter(
    ([name, part]) => !isForge(name) && !isNothing(message, part),
  )
  const names = fields.map(({ jsonName }) => jsonName).filter((name) => !isForge(name))
  const known = message === ApplicationSetSchema ? ['apiVersion', 'kind', ...names] : names
  reader.known(Object.fromEntries(supported), known, at)
  for (const field of fields) {
    if (isForge(field.jsonName)) continue
    checkField(reader, value[field.jsonName], field, `${at}${field.jsonName}`)
  }
  for (const name of forges?.unsupported ?? []) {
    if (forges && (value[name] ?? null) !== null) reader.report(`${path}: ${unsupportedForge(name, forges)}`)
  }
}

function checkField(reader: FieldReader, value: unknown, field: DescField, path: string): void {
  const { fieldKind, message } = field
  if (message === undefined || fieldKind === 'map') return
  if (fieldKind !== 'list') checkMessage(reader, value, message, path)
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkMessage(reader, item, message, `${path}[${index}]`)
  }
}

/** Argo CD's message ends matrix and merge generators at the second level; here they go on. */
function fieldsOf(message: DescMessage): readonly DescField[] {
  return message === ApplicationSetNestedGeneratorSchema
    ? ApplicationSetGeneratorSchema.fields
    : message.fields
}

/** A kind of generator that is null is none, whatever its name. */
function isNothing(message: DescMessage, value: unknown): boolean {
  return isGeneratorMessage(message) && value === null
}

function isGeneratorMessage(message: DescMessage): boolean {
  return message === ApplicationSetGeneratorSchema || message === ApplicationSetNestedGeneratorSchema
}
