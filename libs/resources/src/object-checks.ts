import { mustBe } from '@wadi/fields/field-findings.ts'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from './resource.ts'

/** The most bytes an object may have as JSON, which is what etcd takes. */
const maxObjectBytes = 1.5 * 1024 * 1024

/**
 * How many maps and lists may be inside each other. On the wire each is two messages, and clients refuse an answer with
 * more than 100 inside each other: one deeper object would keep a whole list from them.
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

/**
 * Returns whether the text is a name that Kubernetes takes for a namespace (DNS-1123 label).
 * @internal
 */
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
 * Takes any value, for example a parsed YAML document, as an object with an acceptable name.
 * @throws InvalidInputError that lists every error with its field path.
 */
export function checkedResource(value: unknown): Resource {
  const errors: string[] = []
  if (!isJsonObject(value)) throw new InvalidInputError(`a Kubernetes object ${mustBe('object', value)}`)
  for (const field of ['apiVersion', 'kind']) {
    if (typeof value[field] !== 'string' || value[field] === '') errors.push(`${field}: a string is required`)
  }
  for (const field of ['spec', 'status']) {
    if (value[field] !== undefined && !isJsonObject(value[field]))
      errors.push(`${field} ${mustBe('object', value[field])}`)
  }
  for (const field of ['data', 'stringData']) {
    if (value[field] !== undefined) errors.push(...stringMapFindings(field, value[field]))
  }
  if (isDeeper(value, maxDepth)) errors.push(`it has more than ${maxDepth} levels of maps and lists`)
  if (isJsonObject(value['metadata'])) checkMetadata(value['metadata'], errors)
  else errors.push('metadata: an object is required')
  if (errors.length > 0 || !isResource(value)) {
    throw new InvalidInputError(`${nameOf(value)}: ${errors.join('; ')}`)
  }
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

function checkMetadata(metadata: Record<string, unknown>, errors: string[]): void {
  const { name, namespace, labels, annotations } = metadata
  if (typeof name !== 'string' || !isObjectName(name)) {
    errors.push(
      `metadata.name: ${shown(name)} must be lower-case letters, digits, "-" and ".", begin and end with a letter ` +
        'or digit and have at most 253 characters',
    )
  }
  if (namespace !== undefined && (typeof namespace !== 'string' || !isNamespaceName(namespace))) {
    errors.push(
      `metadata.namespace: ${shown(namespace)} must be lower-case letters, digits and "-", begin and end with a ` +
        'letter or digit and have at most 63 characters',
    )
  }
  for (const [field, map] of Object.entries({ labels, annotations })) {
    if (map === undefined) continue
    if (!isTextMap(map)) {
      errors.push(...stringMapFindings(`metadata.${field}`, map))
      continue
    }
    for (const [key, value] of Object.entries(map)) {
      if (!isQualifiedName(key)) errors.push(`metadata.${field}: ${shown(key)} is not a valid key`)
      if (field === 'labels' && !isLabelValue(value)) {
        errors.push(`metadata.labels[${shown(key)}]: ${shown(value)} is not a valid label value`)
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

function stringMapFindings(path: string, value: unknown): string[] {
  if (!isJsonObject(value)) return [`${path} ${mustBe('object', value)}`]
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' ? [] : [shortened(`${path}.${key} ${mustBe('string', item)}`, 300)],
  )
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
