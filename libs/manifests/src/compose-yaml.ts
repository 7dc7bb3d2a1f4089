import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { EVENT_ID } from 'js-yaml'
import type { AliasEvent, DocumentDirective, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml'
import type { NodeBuilder } from './node-builder.ts'
import { isMergeKey } from './yaml-scalar.ts'
import { depthExceeded, eventOffset, invalidAt, locationOf } from './yaml-source.ts'
import type { YamlSource } from './yaml-source.ts'

/** A document's value as its builder made it. */
export interface ComposedDocument<Node> {
  value: Node
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
  /** Nodes of the text that stand in front of the source; none by default. */
  nodesBefore?: number
  /** How many documents are wanted; the others are left unread. All by default. */
  wantedDocuments?: number
}

/** Called for a key that its mapping has already, with the place of the later one, whose value then stays. */
export type OnDuplicateKey = (key: string, at: Location) => void

interface Anchor<Node> {
  node: Node
  nodes: number
  height: number
}

interface Composition<Node, Entries> {
  source: YamlSource
  builder: NodeBuilder<Node, Entries>
  limits: CompositionLimits
  onDuplicateKey: OnDuplicateKey | undefined
  /** The next event. */
  index: number
  nodes: number
  /** The greatest depth met since the innermost anchor under way began. */
  deepest: number
  directives: readonly DocumentDirective[]
  /** Undefined stands for an anchor whose node is not complete. */
  anchors: Map<string, Anchor<Node> | undefined>
}

/**
 * Builds the nodes of the documents: anchors, aliases and merge keys as Go's libraries treat them, keys that are unique.
 *
 * @param onDuplicateKey without it, a duplicate key is an error
 * @throws InvalidInputError with the place: a duplicate or complex key, a bad alias, and what the builder rejects.
 * @throws ResourceExhaustedError when a limit is exceeded; aliases cannot multiply nodes or depth beyond it.
 */
export function composeYaml<Node, Entries>(
  source: YamlSource,
  builder: NodeBuilder<Node, Entries>,
  limits: CompositionLimits,
  onDuplicateKey?: OnDuplicateKey,
): ComposedDocument<Node>[] {
  const composition = startComposition(source, builder, limits, onDuplicateKey)
  const wanted = limits.wantedDocuments ?? Infinity
  const documents: ComposedDocument<Node>[] = []
  while (composition.index < source.events.length && documents.length < wanted) {
    const event = nextEvent(composition)
    if (event.type === EVENT_ID.DOCUMENT) documents.push(composeDocument(composition, event.directives))
  }
  return documents
}

/** Builds the nodes of the document whose root is the event at `eventIndex`, of a text that was composed before. */
export function composeAgain<Node, Entries>(
  source: YamlSource,
  eventIndex: number,
  builder: NodeBuilder<Node, Entries>,
): Node {
  const composition = startComposition(source, builder, { maxDepth: Infinity, maxNodes: Infinity })
  composition.index = eventIndex
  const document = source.events[eventIndex - 1]
  return composeDocument(composition, document?.type === EVENT_ID.DOCUMENT ? document.directives : []).value
}

function startComposition<Node, Entries>(
  source: YamlSource,
  builder: NodeBuilder<Node, Entries>,
  limits: CompositionLimits,
  onDuplicateKey?: OnDuplicateKey,
): Composition<Node, Entries> {
  const nodes = limits.nodesBefore ?? 0
  const begin = { index: 0, nodes, deepest: 0, directives: [], anchors: new Map() }
  return { source, builder, limits, onDuplicateKey, ...begin }
}

function composeDocument<Node, Entries>(
  composition: Composition<Node, Entries>,
  directives: readonly DocumentDirective[],
): ComposedDocument<Node> {
  composition.directives = directives
  composition.anchors = new Map()
  const eventIndex = composition.index
  const nodesBefore = composition.nodes
  const value = composeNode(composition, nextEvent(composition), 0)
  return { value, eventIndex, nodes: composition.nodes - nodesBefore }
}

function nextEvent<Node, Entries>(composition: Composition<Node, Entries>): Event {
  const event = composition.source.events[composition.index++]
  if (event === undefined)
    throw new InvalidInputError('the text ends in a document', { at: { file: composition.source.file } })
  return event
}

function composeNode<Node, Entries>(
  composition: Composition<Node, Entries>,
  event: Event,
  depth: number,
): Node {
  if (++composition.nodes > composition.limits.maxNodes) throw nodesExceeded(composition, event)
  switch (event.type) {
    case EVENT_ID.SCALAR:
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.anchorStart < 0
        ? composeContent(composition, event, depth)
        : composeAnchored(composition, event, depth)
    case EVENT_ID.ALIAS:
      return composeAlias(composition, event, depth)
    default:
      // A document of comments alone, whose end this is.
      return composition.builder.nothing()
  }
}

function composeContent<Node, Entries>(
  composition: Composition<Node, Entries>,
  event: MappingEvent | SequenceEvent | ScalarEvent,
  depth: number,
): Node {
  if (event.type === EVENT_ID.SCALAR) return composition.builder.scalar(event, composition.directives)
  enterDepth(composition, event, depth + 1)
  return event.type === EVENT_ID.MAPPING
    ? composeMapping(composition, event, depth + 1)
    : composeSequence(composition, event, depth + 1)
}

function enterDepth<Node, Entries>(
  composition: Composition<Node, Entries>,
  event: Event,
  depth: number,
): void {
  if (depth > composition.deepest) composition.deepest = depth
  if (depth <= composition.limits.maxDepth) return
  const { source, limits } = composition
  throw depthExceeded(locationOf(source, eventOffset(event)), limits.maxDepth)
}

function composeSequence<Node, Entries>(
  composition: Composition<Node, Entries>,
  sequence: SequenceEvent,
  depth: number,
): Node {
  const items: Node[] = []
  for (let event = nextEvent(composition); event.type !== EVENT_ID.POP; event = nextEvent(composition)) {
    items.push(composeNode(composition, event, depth))
  }
  return composition.builder.list(items, sequence)
}

function composeMapping<Node, Entries>(
  composition: Composition<Node, Entries>,
  mapping: MappingEvent,
  depth: number,
): Node {
  const { builder, source } = composition
  const entries = builder.start(mapping)
  let merged: Set<string> | undefined
  for (let event = nextEvent(composition); event.type !== EVENT_ID.POP; event = nextEvent(composition)) {
    if (event.type === EVENT_ID.SCALAR && isMergeKey(source, event)) {
      merged ??= new Set()
      composeMerge(composition, depth, entries, merged)
      continue
    }
    const key = composeKey(composition, event, depth)
    if (builder.has(entries, key) && merged?.delete(key) !== true) {
      const offset = eventOffset(event)
      const message = `duplicate key ${JSON.stringify(key)}${builder.earlier?.(entries, key) ?? ''}`
      if (composition.onDuplicateKey === undefined) throw invalidAt(source, offset, message)
      composition.onDuplicateKey(key, locationOf(source, offset))
    }
    builder.put(entries, key, composeNode(composition, nextEvent(composition), depth), event)
  }
  return builder.finish(entries)
}

function composeKey<Node, Entries>(
  composition: Composition<Node, Entries>,
  event: Event,
  depth: number,
): string {
  const { builder, directives, source } = composition
  if (event.type === EVENT_ID.SCALAR) {
    if (event.anchorStart < 0) composition.nodes++
    // For its anchor.
    else composeNode(composition, event, depth)
    return builder.key(event, directives)
  }
  const node = composeNode(composition, event, depth)
  const key = event.type === EVENT_ID.ALIAS ? builder.keyOf(node) : undefined
  if (key === undefined) throw invalidAt(source, eventOffset(event), 'a key must be a scalar')
  return key
}

/** Go's library lets a merge replace the keys before it; of several sources the first one wins. */
function composeMerge<Node, Entries>(
  composition: Composition<Node, Entries>,
  depth: number,
  entries: Entries,
  merged: Set<string>,
): void {
  const { builder, source } = composition
  const event = nextEvent(composition)
  const node = composeNode(composition, event, depth)
  const items = event.type === EVENT_ID.SEQUENCE ? builder.items(node) : undefined
  for (const origin of items?.toReversed() ?? [node]) {
    const members = builder.members(origin)
    if (members === undefined) {
      throw invalidAt(source, eventOffset(event), 'the merge key << needs an object or a list of them')
    }
    for (const [key, member] of members) {
      if (!builder.has(entries, key)) merged.add(key)
      builder.put(entries, key, member)
    }
  }
}

function composeAnchored<Node, Entries>(
  composition: Composition<Node, Entries>,
  event: MappingEvent | SequenceEvent | ScalarEvent,
  depth: number,
): Node {
  const name = composition.source.text.slice(event.anchorStart, event.anchorEnd)
  composition.anchors.set(name, undefined)
  const nodesBefore = composition.nodes
  const deepestBefore = composition.deepest
  composition.deepest = depth
  const node = composeContent(composition, event, depth)
  const height = composition.deepest - depth
  composition.deepest = Math.max(deepestBefore, composition.deepest)
  composition.anchors.set(name, { node, nodes: composition.nodes - nodesBefore, height })
  return node
}

function composeAlias<Node, Entries>(
  composition: Composition<Node, Entries>,
  event: AliasEvent,
  depth: number,
): Node {
  const name = composition.source.text.slice(event.anchorStart, event.anchorEnd)
  const anchor = composition.anchors.get(name)
  if (anchor === undefined) {
    const reason = composition.anchors.has(name) ? 'contains itself' : 'is not defined before its alias'
    throw invalidAt(composition.source, eventOffset(event), `the anchor ${name} ${reason}`)
  }
  composition.nodes += anchor.nodes
  if (composition.nodes > composition.limits.maxNodes) throw nodesExceeded(composition, event)
  enterDepth(composition, event, depth + anchor.height)
  return composition.builder.repeat(anchor.node)
}

function nodesExceeded<Node, Entries>(
  { source, limits }: Composition<Node, Entries>,
  event: Event,
): ResourceExhaustedError {
  return tooManyNodes(locationOf(source, eventOffset(event)), limits.maxNodes)
}

/** Returns the error for a text that has more nodes than it may have. */
export function tooManyNodes(at: Location, maxNodes: number): ResourceExhaustedError {
  return new ResourceExhaustedError(`more nodes than the limit of ${maxNodes}, aliases expanded (maxNodes)`, {
    at,
  })
}
