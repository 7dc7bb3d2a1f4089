import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { fieldPath } from '@wadi/fields/field-path.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type ComposedDocument, type OnDuplicateKey, composeYaml, tooManyNodes } from './compose-yaml.ts'
import { isNestedDeeper } from './json-depth.ts'
import { parseJson } from './manifest-json.ts'
import type { JsonValue } from './manifest.ts'
import { plainNodes } from './plain-nodes.ts'
import { lineAt } from './source-line.ts'
import { type TextPart, splitDocuments } from './split-documents.ts'
import { type NodePath, type YamlSource, invalidAt, offsetOfPath, readYamlSource } from './yaml-source.ts'
import { depthExceeded, locationOf } from './yaml-source.ts'

/** The limits of a stream of documents. */
export interface StreamLimits {
  /** Mappings and lists inside one another, after the expansion of aliases. */
  maxDepth: number
  /** Nodes of the text, mapping keys included, after the expansion of aliases. */
  maxNodes: number
}

/** A document of a stream. */
export interface StreamDocument {
  readonly value: JsonValue
  /** The stretch of the text that it was read from. */
  readonly part: TextPart
  /** True if no other document was read from the part. */
  readonly isWholePart: boolean
  /** Makes an error about a place of the document, which is its `path` too. */
  readonly errorAt: (path: NodePath, message: string) => InvalidInputError
}

/**
 * Reads the documents of a text one after the other, as kubectl and Argo CD read a file: YAML documents between lines of `---`, or objects of
 * JSON. A duplicate key is an error without `onDuplicateKey`.
 *
 * @throws InvalidInputError (`file:line: …`) when the text is not YAML, ResourceExhaustedError when a limit is exceeded
 */
export function* readDocumentStream(
  text: string,
  file: string,
  limits: StreamLimits,
  onDuplicateKey?: OnDuplicateKey,
): Generator<StreamDocument> {
  let nodes = 0
  let linesBefore = 0
  let countedTo = 0
  for (const part of splitDocuments(text)) {
    const placeOfPart = (): YamlSource => {
      linesBefore += lineAt(text.slice(countedTo, part.start), part.start) - 1
      countedTo = part.start
      return { file, text: part.text, linesBefore, events: [] }
    }
    const openSource = () => readYamlSource(file, part.text, limits.maxDepth, placeOfPart())
    const documents = readPart()
    const isWholePart = documents.length === 1
    for (const document of documents) {
      nodes += document.nodes
      if (nodes > limits.maxNodes) throw tooManyNodes(locationOf(placeOfPart(), 0), limits.maxNodes)
      const errorAt = (path: NodePath, message: string) => {
        const source = document.eventIndex < 0 ? placeOfPart() : openSource()
        const error = invalidAt(source, offsetOfPath(source, document.eventIndex, path), message)
        return error.with({ path: fieldPath(path) })
      }
      yield { value: document.value, part, isWholePart, errorAt }
    }

    function readPart(): ComposedDocument<JsonValue>[] {
      if (part.mayBeJson !== true) return composePart()
      if (isOddJson.test(part.text)) return readJson(part, placeOfPart(), limits) ?? composePart()
      try {
        return composePart()
      } catch (error) {
        const isSyntax = error instanceof InvalidInputError && error.code === 'yaml-syntax'
        const json = isSyntax ? readJson(part, placeOfPart(), limits) : undefined
        if (json === undefined) throw error
        return json
      }
    }

    function composePart(): ComposedDocument<JsonValue>[] {
      const source = openSource()
      return composeYaml(source, plainNodes(source), { ...limits, nodesBefore: nodes }, onDuplicateKey)
    }
  }
}

/** Characters that end a line of YAML 1.1 and may be part of a string in JSON. */
const isOddJson = /[\u0085\u2028\u2029]/

/** Returns undefined for a text that is not JSON. */
function readJson(
  { text }: TextPart,
  place: YamlSource,
  { maxDepth }: StreamLimits,
): ComposedDocument<JsonValue>[] | undefined {
  if (isNestedDeeper(text, maxDepth)) throw depthExceeded(locationOf(place, 0), maxDepth)
  try {
    const value = parseJson(text.trim())
    return [{ value, eventIndex: noEvent, nodes: nodesOf(value) }]
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}

const noEvent = -1

function nodesOf(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + nodesOf(item), 1)
  if (!isJsonObject(value)) return 1
  return Object.values(value).reduce((sum: number, item) => sum + 1 + nodesOf(item ?? null), 1)
}
