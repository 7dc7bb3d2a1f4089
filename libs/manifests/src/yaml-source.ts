import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import { YamlDepthError, parseYamlEvents } from './go-yaml/parse-events.ts'
import type { YamlEvent } from './go-yaml/yaml-event.ts'
import { YamlSyntaxError } from './go-yaml/yaml-scan.ts'
import { indexLines } from './line-index.ts'
import { lineAt } from './source-line.ts'

/** A text of YAML with the events that its syntax consists of, whose offsets point into the text. */
export interface YamlSource {
  file: string
  text: string
  /** The number of the file's lines before the text; 0 by default. */
  linesBefore?: number
  /** True if errors name the column too; only the line by default. */
  hasColumns?: boolean
  events: YamlEvent[]
}

/** The keys and list positions that lead from the root of a document to one of its nodes. */
export type NodePath = readonly (string | number)[]

/** The options of reading a text. */
interface SourceOptions extends Pick<YamlSource, 'linesBefore' | 'hasColumns'> {
  /** True when the first document is all that is read, and what follows it may be anything. */
  isFirstOnly?: boolean
}

/**
 * Splits a text into documents and nodes by the rules of the YAML library that Kubernetes, Helm and Argo CD read with.
 *
 * @throws InvalidInputError with file and line for a text that is not YAML.
 * @throws ResourceExhaustedError when collections are nested deeper than `maxDepth`.
 */
export function readYamlSource(
  file: string,
  text: string,
  maxDepth: number,
  { linesBefore = 0, hasColumns = false, isFirstOnly = false }: SourceOptions = {},
): YamlSource {
  const place = { file, text, linesBefore, hasColumns, events: [] }
  try {
    return { ...place, events: parseYamlEvents(text, { maxDepth, isFirstOnly }) }
  } catch (error) {
    if (error instanceof YamlDepthError) throw depthExceeded(locationOf(place, error.offset), maxDepth)
    if (!(error instanceof YamlSyntaxError)) throw error
    const at = locationOf(place, error.offset)
    throw new InvalidInputError(error.message, { at, code: 'yaml-syntax', cause: error })
  }
}

/** Returns the error for a node below too many collections. */
export function depthExceeded(at: Location, maxDepth: number): ResourceExhaustedError {
  return new ResourceExhaustedError(`nested deeper than the limit of ${maxDepth} (maxDepth)`, { at })
}

/** Returns an error that names the place of an offset. */
export function invalidAt(source: YamlSource, offset: number, message: string): InvalidInputError {
  return new InvalidInputError(message, { at: locationOf(source, offset) })
}

/** Returns `file:line` of an offset of the text, or `file:line:column` where the source has columns. */
export function placeOf(source: YamlSource, offset: number): string {
  return formatLocation(locationOf(source, offset))
}

/** Returns file and line of an offset of the text, with the column where the source has columns. */
export function locationOf(source: YamlSource, offset: number): Location {
  const line = (source.linesBefore ?? 0) + lineAt(source.text, offset)
  const { column } = source.hasColumns === true ? indexLines(source.text)(offset) : {}
  return { file: source.file, line, ...(column !== undefined && { column }) }
}

/** Returns the offset of a node by its path below the node at `eventIndex`, or of its nearest parent in the text. */
export function offsetOfPath(source: YamlSource, eventIndex: number, path: NodePath): number {
  const [step, ...rest] = path
  const child = step === undefined ? undefined : childEventIndex(source, eventIndex, step)
  return child === undefined ? (source.events[eventIndex]?.start ?? 0) : offsetOfPath(source, child, rest)
}

/** Returns the offset of the first line of a literal block (`|`) by its path; undefined where another node is. */
export function offsetOfLiteral(source: YamlSource, eventIndex: number, path: NodePath): number | undefined {
  const [step, ...rest] = path
  if (step === undefined) {
    const event = source.events[eventIndex]
    return event?.type === 'scalar' && event.style === 'literal' ? event.valueStart : undefined
  }
  const child = childEventIndex(source, eventIndex, step)
  return child === undefined ? undefined : offsetOfLiteral(source, child, rest)
}

function childEventIndex(source: YamlSource, parent: number, step: string | number): number | undefined {
  const { events } = source
  const isMapping = events[parent]?.type === 'mapping'
  if (!isMapping && events[parent]?.type !== 'sequence') return undefined
  let index = parent + 1
  for (let position = 0; events[index] !== undefined && events[index]?.type !== 'end'; position++) {
    const event = events[index]
    if (isMapping) {
      const isWanted = event?.type === 'scalar' && event.value === step
      index = afterNode(events, index)
      if (isWanted) return index
    } else if (position === step) return index
    index = afterNode(events, index)
  }
  return undefined
}

function afterNode(events: YamlEvent[], start: number): number {
  let open = 0
  let index = start
  do {
    const type = events[index++]?.type
    if (type === 'mapping' || type === 'sequence') open++
    else if (type === 'end') open--
  } while (open > 0)
  return index
}
