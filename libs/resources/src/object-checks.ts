import { mustBe } from '@wadi/fields/field-findings.ts'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from './resource.ts'

/** The most bytes an object may have as JSON, which is what etcd takes. */
const maxObjectBytes = 1.5 * 1024 * 1024

/**
 * The maximum nesting of maps and lists. On the wire each is two messages, and clients reject an answer with more than
 * 100 inside each other: one deeper object would keep a whole list from them.
 */
const maxDepth = 40

const dnsLabel = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const subdomainPattern = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`)
const labelPattern = new RegExp(`^${dnsLabel}$`)
const qualifiedNamePattern = new RegExp(
  `^(?:(?=.{1,253}/)${dnsLabel}(?:\\.${dnsLabel})*/)?(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$`,
)
const labelValuePattern = /^(?:(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/

/**
 * Returns whether the text is a name that Kubernetes takes for an object (DNS-1123 subdomain).
 * @internal
 */
export function isObjectName(text: string): boolean {
  return text.length <= 253 && subdomainPattern.test(text)
}

/** Returns whether the text is a name that Kubernetes takes for a namespace (DNS-1123 label). */
export function isNamespaceName(text: string): boolean {
  return text.length <= 63 && labelPattern.test(text)
}

/** Returns whether the text can be the key of a label or an annotation, for example `example.com/team`. */
export function isQualifiedName(text: string): boolean {
  return text.length <= 317 && qualifiedNamePattern.test(text)
}

/** Returns whether the text can be the value of a label; the empty text can. */
export function isLabelValue(text: string): boolean {
  return labelValuePattern.test(text)
}

/**
 * Takes any value, for example a parsed YAML document, as an object with an acceptable name. Its fields and those of its metadata that
 * are null are left out, as the API server does.
 * @throws InvalidInputError that lists every error with its field path.
 */
export function checkedResource(written: unknown): Resource {
  if (!isJsonObject(written)) throw new InvalidInputError(`a Kubernetes object ${mustBe('object', written)}`)
  const value = withoutNulls(written)
  if (isJsonObject(value['metadata'])) value['metadata'] = withoutNulls(value['metadata'])
  const reader = new FieldReader(nameOf(value))
  for (const field of ['apiVersion', 'kind']) reader.requiredString(value, field, '')
  for (const field of ['spec', 'status', 'data', 'stringData']) {
    if (value[field] !== undefined) reader.isObject(value[field], field)
  }
  for (const field of ['data', 'stringData']) checkStrings(reader, value, field, '')
  if (isDeeper(value, maxDepth)) reader.report(`it has more than ${maxDepth} levels of maps and lists`)
  const { metadata } = value
  if (metadata === undefined) reader.report('metadata is required')
  else if (reader.isObject(metadata, 'metadata')) checkMetadata(metadata, reader)
  reader.throwFindings()
  if (!isResource(value)) throw new InvalidInputError(`${nameOf(value)} is not a Kubernetes object`)
  return value
}

/**
 * Returns the object as JSON.
 * @throws ResourceExhaustedError when that is larger than 1.5 MiB.
 */
export function boundedJson(resource: Resource): string {
  const json = JSON.stringify(resource)
  const bytes = Buffer.byteLength(json)
  if (bytes > maxObjectBytes) {
    throw new ResourceExhaustedError(
      `${nameOf(resource)}: ${bytes} bytes are more than the ${maxObjectBytes} that an object may have`,
    )
  }
  return json
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function checkMetadata(metadata: Record<string, unknown>, reader: FieldReader): void {
  const { name, namespace, labels, annotations } = metadata
  if (typeof name !== 'string' || !isObjectName(name)) {
    reader.report(
      `metadata.name: ${shown(name)} must be lower-case letters, digits, "-" and ".", begin and end with a letter ` +
        'or digit and have at most 253 characters',
    )
  }
  if (namespace !== undefined && (typeof namespace !== 'string' || !isNamespaceName(namespace))) {
    reader.report(
      `metadata.namespace: ${shown(namespace)} must be lower-case letters, digits and "-", begin and end with a ` +
        'letter or digit and have at most 63 characters',
    )
  }
  for (const [field, map] of Object.entries({ labels, annotations })) {
    if (map === undefined) continue
    if (!isTextMap(map)) {
      if (reader.isObject(map, `metadata.${field}`)) checkStrings(reader, metadata, field, 'metadata.')
      continue
    }
    for (const [key, value] of Object.entries(map)) {
      if (!isQualifiedName(key)) reader.report(`metadata.${field}: ${shown(key)} is not a valid key`)
      if (field === 'labels' && !isLabelValue(value)) {
        reader.report(`metadata.labels[${shown(key)}]: ${shown(value)} is not a valid label value`)
      }
    }
  }
}

function isResource(value: Record<string, unknown>): value is Resource {
  return (
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    isJsonObject(value['metadata'])
  )
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}

function checkStrings(reader: FieldReader, object: Record<string, unknown>, field: string, at: string): void {
  if (isJsonObject(object[field])) reader.stringMap(object, field, at)
}

function isTextMap(value: unknown): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string')
}

function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing', 100)
}

function nameOf(value: Record<string, unknown>): string {
  const kind = typeof value['kind'] === 'string' ? value['kind'] : 'object'
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {}
  const { namespace, name } = metadata
  return `${kind} ${[namespace, name].filter((part) => typeof part === 'string').join('/')}`.trim()
}
