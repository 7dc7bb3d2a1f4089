import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { isMergeKey } from '@wadi/manifests/yaml-scalar.ts'
import { eventOffset } from '@wadi/manifests/yaml-source.ts'
import type { YamlSource } from '@wadi/manifests/yaml-source.ts'
import { EVENT_ID } from 'js-yaml'
import type { AliasEvent, DocumentDirective, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml'
import { formatLocation, locatedMap, partOf } from '../values/located.ts'
import type { YamlLimits, YamlRules } from './yaml-options.ts'
import { keyText } from './zarf-scalar.ts'
import { readScalar } from './read-scalar.ts'
import { isList } from '../values/value-tree.ts'
import { isValueMap } from '../values/value.ts'
import type { Located, Location, Value } from '../values/value.ts'

/** A text of YAML and how its nodes become values. */
interface Composition {
  source: YamlSource
  rules: YamlRules
  limits: YamlLimits
  /** How many documents are wanted; the others are left unread. */
  maxDocuments: number
  locationOf: (offset: number) => Required<Location>
}

interface Anchor {
  located: Located
  nodes: number
  height: number
}

interface Progress extends Composition {
  /** The next event. */
  index: number
  nodes: number
  /** The greatest depth met since the innermost anchor under way began. */
  deepest: number
  directives: readonly DocumentDirective[]
  /** Undefined stands for an anchor whose node is not complete. */
  anchors: Map<string, Anchor | undefined>
}

/**
 * Builds the values of the documents. A member of a map is written where its key is. What an alias repeats is shared.
 *
 * @throws InvalidInputError with file, line and column: a duplicate or complex key, an infinite number, a bad alias.
 * @throws ResourceExhaustedError when a limit is exceeded.
 */
export function composeLocated(composition: Composition): Located[] {
  const progress: Progress = {
    ...composition,
    index: 0,
    nodes: 0,
    deepest: 0,
    directives: [],
    anchors: new Map(),
  }
  const documents: Located[] = []
  while (progress.index < progress.source.events.length && documents.length < composition.maxDocuments) {
    const event = nextEvent(progress)
    if (event.type !== EVENT_ID.DOCUMENT) continue
    progress.directives = event.directives
    progress.anchors = new Map()
    documents.push(composeNode(progress, nextEvent(progress), 0))
  }
  return documents
}

function nextEvent(progress: Progress): Event {
  const event = progress.source.events[progress.index++]
  if (event === undefined) throw new InvalidInputError(`${progress.source.file}: the text ends in a document`)
  return event
}

function composeNode(progress: Progress, event: Event, depth: number): Located {
  countNodes(progress, event, 1)
  if (event.type === EVENT_ID.ALIAS) return composeAlias(progress, event, depth)
  if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.MAPPING && event.type !== EVENT_ID.SEQUENCE) {
    // A document of comments alone.
    progress.index--
    return { value: null, at: { file: progress.source.file } }
  }
  return event.anchorStart < 0
    ? composeContent(progress, event, depth)
    : composeAnchored(progress, event, depth)
}

function composeContent(
  progress: Progress,
  event: MappingEvent | SequenceEvent | ScalarEvent,
  depth: number,
): Located {
  const at = progress.locationOf(offsetOf(event))
  if (event.type === EVENT_ID.SCALAR) {
    return { value: readScalar(progress.source, event, progress.directives, progress.rules, at), at }
  }
  enterDepth(progress, event, depth + 1)
  return event.type === EVENT_ID.MAPPING
    ? composeMap(progress, at, depth + 1)
    : composeList(progress, at, depth + 1)
}

function composeList(progress: Progress, at: Location, depth: number): Located {
  const items: Value[] = []
  const parts = new Map<string, Located>()
  for (let event = nextEvent(progress); event.type !== EVENT_ID.POP; event = nextEvent(progress)) {
    const item = composeNode(progress, event, depth)
    parts.set(String(items.length), item)
    items.push(item.value)
  }
  return { value: items, at, parts }
}

function composeMap(progress: Progress, at: Location, depth: number): Located {
  const parts = new Map<string, Located>()
  const merged = new Set<string>()
  for (let event = nextEvent(progress); event.type !== EVENT_ID.POP; event = nextEvent(progress)) {
    if (event.type === EVENT_ID.SCALAR && isMergeKey(progress.source, event)) {
      composeMerge(progress, depth, parts, merged)
      continue
    }
    const keyAt = progress.locationOf(offsetOf(event))
    const key = composeKey(progress, event, depth, keyAt)
    const earlier = parts.get(key)
    if (earlier !== undefined && !merged.delete(key)) {
      const { line = 1, column = 1 } = earlier.at
      const message = `duplicate key ${JSON.stringify(key)}, which is already at ${line}:${column}`
      throw new InvalidInputError(`${formatLocation(keyAt)}: ${message}`)
    }
    parts.set(key, { ...composeNode(progress, nextEvent(progress), depth), at: keyAt })
  }
  return locatedMap(parts, at)
}

function composeKey(progress: Progress, event: Event, depth: number, at: Location): string {
  const { value } = composeNode(progress, event, depth)
  const key = keyText(value)
  if (key === undefined) throw new InvalidInputError(`${formatLocation(at)}: a key must be a scalar`)
  return key
}

/** Go's libraries let a merge replace the keys before it; of several sources the first one wins. */
function composeMerge(
  progress: Progress,
  depth: number,
  parts: Map<string, Located>,
  merged: Set<string>,
): void {
  const event = nextEvent(progress)
  const origin = composeNode(progress, event, depth)
  for (const source of mergeSources(origin, event)) {
    if (!isValueMap(source.value)) {
      const message = 'the merge key << needs a map or a list of them'
      throw new InvalidInputError(`${formatLocation(progress.locationOf(offsetOf(event)))}: ${message}`)
    }
    for (const key of source.value.keys()) {
      const part = partOf(source, key)
      if (part === undefined) continue
      if (!parts.has(key)) merged.add(key)
      parts.set(key, part)
    }
  }
}

function mergeSources(origin: Located, event: Event): readonly Located[] {
  if (!isList(origin.value) || event.type !== EVENT_ID.SEQUENCE) return [origin]
  return [...(origin.parts?.values() ?? [])].toReversed()
}

function composeAnchored(
  progress: Progress,
  event: MappingEvent | SequenceEvent | ScalarEvent,
  depth: number,
): Located {
  const name = progress.source.text.slice(event.anchorStart, event.anchorEnd)
  progress.anchors.set(name, undefined)
  const nodesBefore = progress.nodes
  const deepestBefore = progress.deepest
  progress.deepest = depth
  const located = composeContent(progress, event, depth)
  const height = progress.deepest - depth
  progress.deepest = Math.max(deepestBefore, progress.deepest)
  progress.anchors.set(name, { located, nodes: progress.nodes - nodesBefore, height })
  return located
}

function composeAlias(progress: Progress, event: AliasEvent, depth: number): Located {
  const name = progress.source.text.slice(event.anchorStart, event.anchorEnd)
  const anchor = progress.anchors.get(name)
  if (anchor === undefined) {
    const fault = progress.anchors.has(name) ? 'contains itself' : 'is not defined before its alias'
    const place = formatLocation(progress.locationOf(offsetOf(event)))
    throw new InvalidInputError(`${place}: the anchor ${name} ${fault}`)
  }
  countNodes(progress, event, anchor.nodes)
  enterDepth(progress, event, depth + anchor.height)
  return anchor.located
}

/** Where a node begins, the sign of its anchor or alias included. */
function offsetOf(event: Event): number {
  const offset = eventOffset(event)
  return 'anchorStart' in event && event.anchorStart === offset ? offset - 1 : offset
}

function countNodes(progress: Progress, event: Event, nodes: number): void {
  progress.nodes += nodes
  if (progress.nodes <= progress.limits.maxNodes) return
  const place = formatLocation(progress.locationOf(offsetOf(event)))
  const limit = `the limit of ${progress.limits.maxNodes}, aliases expanded (maxNodes)`
  throw new ResourceExhaustedError(`${place}: more nodes than ${limit}`)
}

function enterDepth(progress: Progress, event: Event, depth: number): void {
  progress.deepest = Math.max(progress.deepest, depth)
  if (depth <= progress.limits.maxDepth) return
  throw nestedDeeper(formatLocation(progress.locationOf(offsetOf(event))), progress.limits)
}

/** Returns the error for a node below too many maps and lists. */
export function nestedDeeper(place: string, { maxDepth }: YamlLimits): ResourceExhaustedError {
  return new ResourceExhaustedError(`${place}: nested deeper than the limit of ${maxDepth} (maxDepth)`)
}
