import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { mustBe } from '@wadi/fields/field-findings.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { composeYaml } from '@wadi/manifests/compose-yaml.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { defaultManifestLimits } from '@wadi/manifests/parse-manifests.ts'
import { plainNodes } from '@wadi/manifests/plain-nodes.ts'
import { splitDocuments } from '@wadi/manifests/split-documents.ts'
import { type NodePath, offsetOfPath, placeOf, readYamlSource } from '@wadi/manifests/yaml-source.ts'

/** One object of a text. */
export interface ObjectDocument {
  manifest: Manifest
  /** `file:line` where it begins, found when it is asked for. */
  place: () => string
}

interface Collector {
  objects: ObjectDocument[]
  /** Tells where a node of the document under way begins. */
  placeOfPath: (path: NodePath) => string
}

const { maxDepth, maxDocuments, maxNodes } = defaultManifestLimits

/**
 * Reads the objects of a text of YAML documents or of JSON. Empty documents are left out; the items of a list, and those
 * of a `List` of any kind, stand in its place. As in kubectl, items with neither kind nor apiVersion have those of their list.
 * @throws InvalidInputError (`file:line: …`) when the text is not YAML or something in it is not a Kubernetes object.
 * @throws ResourceExhaustedError when there is too much of it.
 */
export function readObjectDocuments(text: string, file: string): ObjectDocument[] {
  const objects: ObjectDocument[] = []
  let linesBefore = 0
  let countedTo = 0
  for (const { text: part, start } of splitDocuments(text)) {
    linesBefore += lineFeeds(text.slice(countedTo, start))
    countedTo = start
    for (const { value, eventIndex } of composePart(part, file, linesBefore, text)) {
      const before = linesBefore
      const placeOfPath = (path: NodePath) => {
        // Read once more rather than kept: places are wanted for errors alone.
        const source = readYamlSource(file, part, maxDepth, { linesBefore: before })
        return placeOf(source, offsetOfPath(source, eventIndex, path))
      }
      if (value !== null) collectObjects({ objects, placeOfPath }, value, [])
    }
    if (objects.length > maxDocuments) {
      throw new ResourceExhaustedError(`more than ${maxDocuments} objects; split it into more files`, {
        at: { file },
      })
    }
  }
  return objects
}

function composePart(part: string, file: string, linesBefore: number, text: string) {
  try {
    const source = readYamlSource(file, part, maxDepth, { linesBefore })
    return composeYaml(source, plainNodes(source), { maxDepth, maxNodes })
  } catch (error) {
    throw pastedCommand(text, file, error) ?? error
  }
}

/** Instructions often show a file and the command that takes it in one block, and people copy all of it. */
function pastedCommand(text: string, file: string, cause: unknown): InvalidInputError | undefined {
  const match = /^(?:\$ ?)?(?:argocd|wadi|kubectl) +[a-z].*$/m.exec(text)
  if (!match) return undefined
  const place = `${file}:${lineFeeds(text.slice(0, match.index)) + 1}`
  const command = JSON.stringify(match[0].trim())
  return new InvalidInputError(
    `${place}: ${command} is a command, not YAML; delete that line, or put # in front of it`,
    { cause },
  )
}

function collectObjects(collector: Collector, value: JsonValue, path: NodePath): void {
  if (Array.isArray(value) && path.length === 0) {
    for (const [index, item] of value.entries()) collectObjects(collector, item, [index])
    return
  }
  const place = () => collector.placeOfPath(path)
  if (!isJsonObject(value)) {
    throw new InvalidInputError(`${place()}: a Kubernetes object ${mustBe('object', value)}`)
  }
  const kind = requiredText(value, 'kind', place)
  const apiVersion = requiredText(value, 'apiVersion', place)
  if (!kind.endsWith('List') || !Object.hasOwn(value, 'items')) {
    collector.objects.push({ manifest: value, place })
    return
  }
  const items = value['items'] ?? []
  if (!Array.isArray(items)) {
    throw new InvalidInputError(
      `${collector.placeOfPath([...path, 'items'])}: items ${mustBe('list', items)}`,
    )
  }
  const listed = { apiVersion, kind: kind.slice(0, -'List'.length) }
  for (const [index, item] of items.entries()) {
    collectObjects(collector, withTypeOfList(item, listed), [...path, 'items', index])
  }
}

/** A list of one kind, as the API server writes it, may leave out what all of its items have in common. */
function withTypeOfList(item: JsonValue, listed: { apiVersion: string; kind: string }): JsonValue {
  if (listed.kind === '' || !isJsonObject(item) || ownText(item, 'kind') || ownText(item, 'apiVersion')) {
    return item
  }
  return { ...item, ...listed }
}

function requiredText(mapping: Manifest, field: string, place: () => string): string {
  const value = ownText(mapping, field)
  if (value !== undefined) return value
  throw new InvalidInputError(`${place()}: a Kubernetes object needs the field ${field}, a string`)
}

/** A field's string; undefined for an empty one and for other values. */
function ownText(mapping: Manifest, field: string): string | undefined {
  const value = Object.hasOwn(mapping, field) ? mapping[field] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

function lineFeeds(text: string): number {
  return text.split('\n').length - 1
}
