import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { mustBe } from '@wadi/fields/field-findings.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { OnDuplicateKey } from './compose-yaml.ts'
import { type StreamDocument, type StreamLimits, readDocumentStream } from './document-stream.ts'
import type { JsonValue, Manifest } from './manifest.ts'
import type { TextPart } from './split-documents.ts'
import type { NodePath } from './yaml-source.ts'

/** The limits of a text of manifests; exceeding one is a ResourceExhaustedError that names it. */
export interface ManifestLimits extends StreamLimits {
  /** Bytes of the text in UTF-8. */
  maxBytes: number
  /** Documents of the text, and objects after the expansion of Lists. */
  maxDocuments: number
}

/** Limits for text from a git repository or a renderer, well above what real charts make. */
export const defaultManifestLimits: ManifestLimits = {
  maxBytes: 10 * 1024 * 1024,
  maxDocuments: 20_000,
  maxDepth: 200,
  maxNodes: 2_000_000,
}

/** Options of reading a text of manifests. */
interface ParseOptions {
  /** Names the text in messages. */
  file: string
  limits?: Partial<ManifestLimits>
  skipsNullItems?: boolean
  onDuplicateKey?: OnDuplicateKey | undefined
}

/**
 * Reads the objects of a text of YAML documents, or of one JSON object, with the values that Kubernetes would see.
 * Empty documents are left out, with `skipsNullItems` also items of a `List` that are null, and the items of a `List` of any kind
 * stand in its place; a List whose items are null is left out. A duplicate key is an error without `onDuplicateKey`.
 *
 * @throws InvalidInputError (`file:line: …`) when the text is not YAML or a document is not a Kubernetes object.
 * @throws ResourceExhaustedError when a limit is exceeded; those not given are {@link defaultManifestLimits}.
 */
export function parseManifests(text: string, options: ParseOptions): Manifest[] {
  return [...readDocuments(text, options)].flatMap(({ manifests }) => manifests)
}

/** The objects of one document: several for a List, none for an empty one. */
export interface ManifestDocument {
  readonly manifests: readonly Manifest[]
  /** The stretch of the text. */
  readonly part: TextPart
  /** True if no other document was read from the part. */
  readonly isWholePart: boolean
}

/** Reads the documents of a text one after the other, as {@link parseManifests} does, so that work on a large text can be interrupted. */
export function* readDocuments(text: string, options: ParseOptions): Generator<ManifestDocument> {
  const { file, skipsNullItems = false, onDuplicateKey } = options
  const limits = { ...defaultManifestLimits, ...options.limits }
  if (text.length > limits.maxBytes || Buffer.byteLength(text) > limits.maxBytes) {
    throw new ResourceExhaustedError(`larger than the limit of ${limits.maxBytes} bytes (maxBytes)`, {
      at: { file },
    })
  }
  let objects = 0
  let documents = 0
  for (const { value, part, isWholePart, errorAt } of readDocumentStream(
    text,
    file,
    limits,
    onDuplicateKey,
  )) {
    const manifests: Manifest[] = []
    if (value !== null) collectObjects(value, [], { errorAt, skipsNullItems, manifests })
    documents++
    objects += manifests.length
    if (Math.max(documents, objects) > limits.maxDocuments) throw documentsExceeded(file, limits)
    yield { manifests, part, isWholePart }
  }
}

interface Collection {
  readonly errorAt: StreamDocument['errorAt']
  readonly skipsNullItems: boolean
  readonly manifests: Manifest[]
}

function collectObjects(value: JsonValue, path: NodePath, collection: Collection): void {
  const { errorAt, skipsNullItems, manifests } = collection
  if (Array.isArray(value) && value.some(isObjectOfKubernetes)) {
    const reason =
      'a Kubernetes object must be an object, not a list; put --- between the objects, or make them the items of a List'
    throw errorAt(path, reason).with({ code: listOfObjects })
  }
  if (!isJsonObject(value)) throw errorAt(path, `a Kubernetes object ${mustBe('object', value)}`)
  for (const field of ['kind', 'apiVersion']) {
    if (!Object.hasOwn(value, field)) throw errorAt(path, `a Kubernetes object needs the field ${field}`)
    if (value[field] === '') throw errorAt([...path, field], `${field} is required`)
    if (typeof value[field] !== 'string') {
      throw errorAt([...path, field], `${field} ${mustBe('string', value[field])}`)
    }
  }
  const items = listItems(value)
  if (items === undefined) manifests.push(value)
  for (const [index, item] of (items ?? []).entries()) {
    if (item !== null || !skipsNullItems) collectObjects(item, [...path, 'items', index], collection)
  }
}

/** The code of the error for a document that is a list of objects. */
export const listOfObjects = 'list-of-objects'

function isObjectOfKubernetes(value: JsonValue): boolean {
  return isJsonObject(value) && (Object.hasOwn(value, 'apiVersion') || Object.hasOwn(value, 'kind'))
}

function listItems(manifest: Manifest): JsonValue[] | undefined {
  const { kind } = manifest
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Object.hasOwn(manifest, 'items'))
    return undefined
  const { items } = manifest
  // As a template makes it that finds nothing to list. Argo CD and Kustomize drop it.
  const isNull = items === null && !Object.hasOwn(manifest, 'spec') && !Object.hasOwn(manifest, 'status')
  if (isNull) return []
  return Array.isArray(items) ? items : undefined
}

function documentsExceeded(file: string, limits: ManifestLimits): ResourceExhaustedError {
  return new ResourceExhaustedError(`more than ${limits.maxDocuments} documents (maxDocuments)`, {
    at: { file },
  })
}
