import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import { EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from 'js-yaml'
import type { Event } from 'js-yaml'
import { indexLines } from './line-index.ts'
import { lineAt } from './source-line.ts'

/** A text of YAML with the events that its syntax consists of, whose offsets point into the text. */
export interface YamlSource {
  file: string
  text: string
  /** How many lines of the file stand in front of the text; none when absent. */
  linesBefore?: number
  /** Whether errors name the column too; the line alone by default. */
  hasColumns?: boolean
  events: Event[]
}

/** The keys and list positions that lead from the root of a document to one of its nodes. */
export type NodePath = readonly (string | number)[]

// The parser counts a level for a collection and another one for a block collection's entry.
const parserLevelsPerCollection = 2

/**
 * Splits a text into documents and nodes by the rules of YAML 1.2.
 *
 * @throws InvalidInputError with file and line for a text that is not YAML.
 * @throws ResourceExhaustedError when collections are nested deeper than `maxDepth`.
 */
export function readYamlSource(
  file: string,
  text: string,
  maxDepth: number,
  { linesBefore = 0, hasColumns = false }: Pick<YamlSource, 'linesBefore' | 'hasColumns'> = {},
): YamlSource {
  try {
    const events = parseEvents(text, { maxDepth: maxDepth * parserLevelsPerCollection })
    return { file, text, linesBefore, hasColumns, events }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { line = 0, column = 0 } = error.mark ?? {}
    const at = { file, line: linesBefore + line + 1, ...(hasColumns && { column: column + 1 }) }
    if (error.reason.includes('maxDepth')) throw depthExceeded(at, maxDepth)
    throw new InvalidInputError(error.reason, { at, code: 'yaml-syntax', cause: error })
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

/** Returns where a node begins in the text, its anchor or tag included; 0 for a node without any text. */
export function eventOffset(event: Event | undefined): number {
  if (event === undefined) return 0
  const starts: number[] = []
  if ('tagStart' in event) starts.push(event.tagStart)
  // Without the sign in front of it.
  if ('anchorStart' in event) starts.push(event.anchorStart - 1)
  if ('valueStart' in event) starts.push(event.valueStart)
  if ('start' in event) starts.push(event.start)
  const present = starts.filter((start) => start >= 0)
  return present.length === 0 ? 0 : Math.min(...present)
}

/** Returns the offset of a node by its path below the node at `eventIndex`, or of its nearest parent in the text. */
export function offsetOfPath(source: YamlSource, eventIndex: number, path: NodePath): number {
  const [step, ...rest] = path
  const child = step === undefined ? undefined : childEventIndex(source, eventIndex, step)
  return child === undefined ? eventOffset(source.events[eventIndex]) : offsetOfPath(source, child, rest)
}

/** Returns the offset of the first line of a literal block (`|`) by its path; undefined where another node is. */
export function offsetOfLiteral(source: YamlSource, eventIndex: number, path: NodePath): number | undefined {
  const [step, ...rest] = path
  if (step === undefined) {
    const event = source.events[eventIndex]
    const isLiteral = event?.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.LITERAL_BLOCK
    return isLiteral ? event.valueStart : undefined
  }
  const child = childEventIndex(source, eventIndex, step)
  return child === undefined ? undefined : offsetOfLiteral(source, child, rest)
}

function childEventIndex(source: YamlSource, parent: number, step: string | number): number | undefined {
  const { events, text } = source
  const isMapping = events[parent]?.type === EVENT_ID.MAPPING
  if (!isMapping && events[parent]?.type !== EVENT_ID.SEQUENCE) return undefined
  let index = parent + 1
  for (let position = 0; events[index] !== undefined && events[index]?.type !== EVENT_ID.POP; position++) {
    const event = events[index]
    if (isMapping) {
      const isWanted = event?.type === EVENT_ID.SCALAR && getScalarValue(text, event) === step
      index = afterNode(events, index)
      if (isWanted) return index
    } else if (position === step) return index
    index = afterNode(events, index)
  }
  return undefined
}

function afterNode(events: Event[], start: number): number {
  let open = 0
  let index = start
  do {
    const type = events[index++]?.type
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) open++
    else if (type === EVENT_ID.POP) open--
  } while (open > 0)
  return index
}
