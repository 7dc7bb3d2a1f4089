import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { EVENT_ID } from 'js-yaml'
import type { AliasEvent, DocumentDirective, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml'
import { isMapping } from './manifest.ts'
import type { JsonValue } from './manifest.ts'
import { composeKey, composeScalar, isMergeKey } from './yaml-scalar.ts'
import { depthExceeded, eventOffset, invalidAt, placeOf } from './yaml-source.ts'
import type { YamlSource } from './yaml-source.ts'

/** A document's value as Kubernetes reads it, a tree of its own: aliases are copies. */
export interface ComposedDocument {
  value: JsonValue
  /** The event of the root node. */
  eventIndex: number
  /** How many nodes the value has, keys and what aliases repeat included. */
  nodes: number
}

/** What composing may use up. */
export interface CompositionLimits {
  /** Collections inside one another, those that aliases bring included. */
  maxDepth: number
  /** Nodes of all documents, keys and what aliases repeat included. */
  maxNodes: number
}

interface Anchor {
  value: JsonValue
  nodes: number
  height: number
}

interface Composition {
  source: YamlSource
  limits: CompositionLimits
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
 * Builds the values of all documents.
 *
 * @throws InvalidInputError with file and line: a duplicate, null or complex key, an infinite number, a bad alias.
 * @throws ResourceExhaustedError when a limit is exceeded.
 */
export function composeYaml(source: YamlSource, limits: CompositionLimits): ComposedDocument[] {
  const composition: Composition = {
    source,
    limits,
    index: 0,
    nodes: 0,
    deepest: 0,
    directives: [],
    anchors: new Map(),
  }
  const documents: ComposedDocument[] = []
  while (composition.index < source.events.length) {
    const event = nextEvent(composition)
    if (event.type !== EVENT_ID.DOCUMENT) continue
    composition.directives = event.directives
    composition.anchors = new Map()
    const eventIndex = composition.index
    const nodesBefore = composition.nodes
    const value = composeNode(composition, nextEvent(composition), 0)
    documents.push({ value, eventIndex, nodes: composition.nodes - nodesBefore })
  }
  return documents
}

function nextEvent(composition: Composition): Event {
  const event = composition.source.events[composition.index++]
  if (event === undefined)
    throw new InvalidInputError(`${composition.source.file}: the text ends in a document`)
  return event
}

function composeNode(composition: Composition, event: Event, depth: number): JsonValue {
  if (++composition.nodes > composition.limits.maxNodes) throw nodesExceeded(composition, event)
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return event.anchorStart < 0
        ? composeScalar(composition.source, event, composition.directives)
        : composeAnchored(composition, event, depth)
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.anchorStart < 0
        ? composeCollection(composition, event, depth + 1)
        : composeAnchored(composition, event, depth)
    case EVENT_ID.ALIAS:
      return composeAlias(composition, event, depth)
    default:
      return null
  }
}

function composeCollection(
  composition: Composition,
  event: MappingEvent | SequenceEvent,
  depth: number,
): JsonValue {
  enterDepth(composition, event, depth)
  return event.type === EVENT_ID.MAPPING
    ? composeMapping(composition, depth)
    : composeSequence(composition, depth)
}

function enterDepth(composition: Composition, event: Event, depth: number): void {
  if (depth > composition.deepest) composition.deepest = depth
  if (depth <= composition.limits.maxDepth) return
  const { source, limits } = composition
  throw depthExceeded(placeOf(source, eventOffset(event)), limits.maxDepth)
}

function composeSequence(composition: Composition, depth: number): JsonValue[] {
  const items: JsonValue[] = []
  for (let event = nextEvent(composition); event.type !== EVENT_ID.POP; event = nextEvent(composition)) {
    items.push(composeNode(composition, event, depth))
  }
  return items
}

function composeMapping(composition: Composition, depth: number): JsonValue {
  const mapping: { [key: string]: JsonValue } = {}
  let merged: Set<string> | undefined
  for (let event = nextEvent(composition); event.type !== EVENT_ID.POP; event = nextEvent(composition)) {
    if (event.type === EVENT_ID.SCALAR && isMergeKey(composition.source, event)) {
      merged ??= new Set()
      composeMerge(composition, depth, mapping, merged)
      continue
    }
    const key = keyOf(composition, event, depth)
    if (Object.hasOwn(mapping, key) && merged?.delete(key) !== true) {
      throw invalidAt(composition.source, eventOffset(event), `duplicate key ${JSON.stringify(key)}`)
    }
    setOwn(mapping, key, composeNode(composition, nextEvent(composition), depth))
  }
  return mapping
}

function keyOf(composition: Composition, event: Event, depth: number): string {
  if (event.type === EVENT_ID.SCALAR && event.anchorStart < 0) {
    composition.nodes++
    return composeKey(composition.source, event, composition.directives)
  }
  const key = composeNode(composition, event, depth)
  if (key === null || typeof key === 'object') {
    throw invalidAt(composition.source, eventOffset(event), 'a mapping key must be a scalar that is not null')
  }
  return String(key)
}

/** Go's library lets a merge replace the keys before it; of several sources the first one wins. */
function composeMerge(
  composition: Composition,
  depth: number,
  mapping: { [key: string]: JsonValue },
  merged: Set<string>,
): void {
  const event = nextEvent(composition)
  const value = composeNode(composition, event, depth)
  const isList = Array.isArray(value) && event.type === EVENT_ID.SEQUENCE
  for (const origin of isList ? value.toReversed() : [value]) {
    if (!isMapping(origin)) {
      throw invalidAt(
        composition.source,
        eventOffset(event),
        'the merge key << needs a mapping or a list of them',
      )
    }
    for (const [key, mergedValue] of Object.entries(origin)) {
      if (!Object.hasOwn(mapping, key)) merged.add(key)
      setOwn(mapping, key, mergedValue)
    }
  }
}

function setOwn(mapping: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(mapping, key, { value, enumerable: true, configurable: true, writable: true })
  } else mapping[key] = value
}

function composeAnchored(
  composition: Composition,
  event: MappingEvent | SequenceEvent | ScalarEvent,
  depth: number,
): JsonValue {
  const name = composition.source.text.slice(event.anchorStart, event.anchorEnd)
  composition.anchors.set(name, undefined)
  const nodesBefore = composition.nodes
  const deepestBefore = composition.deepest
  composition.deepest = depth
  const value =
    event.type === EVENT_ID.SCALAR
      ? composeScalar(composition.source, event, composition.directives)
      : composeCollection(composition, event, depth + 1)
  const height = composition.deepest - depth
  composition.deepest = Math.max(deepestBefore, composition.deepest)
  composition.anchors.set(name, { value, nodes: composition.nodes - nodesBefore, height })
  return value
}

function composeAlias(composition: Composition, event: AliasEvent, depth: number): JsonValue {
  const name = composition.source.text.slice(event.anchorStart, event.anchorEnd)
  const anchor = composition.anchors.get(name)
  if (anchor === undefined) {
    const fault = composition.anchors.has(name) ? 'contains itself' : 'is not defined before its alias'
    throw invalidAt(composition.source, event.anchorStart, `the anchor ${name} ${fault}`)
  }
  composition.nodes += anchor.nodes
  if (composition.nodes > composition.limits.maxNodes) throw nodesExceeded(composition, event)
  enterDepth(composition, event, depth + anchor.height)
  return copyOf(anchor.value)
}

function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isMapping(value)) return value
  const copy: { [key: string]: JsonValue } = {}
  for (const key of Object.keys(value)) setOwn(copy, key, copyOf(value[key] ?? null))
  return copy
}

function nodesExceeded(composition: Composition, event: Event): ResourceExhaustedError {
  return tooManyNodes(placeOf(composition.source, eventOffset(event)))
}

/** Returns the error for a text that has more nodes than it may have, at a place of the form `file:line`. */
export function tooManyNodes(place: string): ResourceExhaustedError {
  return new ResourceExhaustedError(
    `${place}: more nodes than the limit, aliases expanded (maxAliasExpansion)`,
  )
}
