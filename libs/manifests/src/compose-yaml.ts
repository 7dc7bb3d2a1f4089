import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import type { AliasEvent, MappingEvent, ScalarEvent, SequenceEvent, YamlEvent } from './go-yaml/yaml-event.ts'
import type { NodeBuilder } from './node-builder.ts'
import { isMergeKey } from './yaml-scalar.ts'
import { depthExceeded, invalidAt, locationOf } from './yaml-source.ts'
import type { YamlSource } from './yaml-source.ts'

/** A document's value as its builder made it. */
export interface ComposedDocument<Node> {
  value: Node
  /** The event of the root node. */
  eventIndex: number
  /** The number of nodes in the value, including keys and nodes that aliases repeat. */
  nodes: number
}

/** The limits of composing. */
export interface CompositionLimits {
  /** Collections inside one another, those that aliases bring included. */
  maxDepth: number
  /** Nodes of all documents, keys and what aliases repeat included. */
  maxNodes: number
  /** Nodes of the text that stand in front of the source; none by default. */
  nodesBefore?: number
  /** The number of documents to read; the others are left unread. All by default. */
  wantedDocuments?: number
}

/** Called for a key that its mapping has already, with the place of the later one, whose value then stays. */
export type OnDuplicateKey = (key: string, at: Location) => void

interface Anchor<Node> {
  event: MappingEvent | SequenceEvent | ScalarEvent
  /** That of a collection; undefined until it is complete. */
  content: { node: Node; nodes: number; height: number } | undefined
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
  anchors: Map<string, Anchor<Node>>
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
    if (event.type === 'document') documents.push(composeDocument(composition))
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
  return composeDocument(composition).value
}

function startComposition<Node, Entries>(
  source: YamlSource,
  builder: NodeBuilder<Node, Entries>,
  limits: CompositionLimits,
  onDuplicateKey?: OnDuplicateKey,
): Composition<Node, Entries> {
  const nodes = limits.nodesBefore ?? 0
  const begin = { index: 0, nodes, deepest: 0, anchors: new Map() }
  return { source, builder, limits, onDuplicateKey, ...begin }
}

function composeDocument<Node, Entries>(composition: Composition<Node, Entries>): ComposedDocument<Node> {
  composition.anchors = new Map()
  const eventIndex = composition.index
  const nodesBefore = composition.nodes
  const value = composeNode(composition, nextEvent(composition), 0)
  return { value, eventIndex, nodes: composition.nodes - nodesBefore }
}

function nextEvent<Node, Entries>(composition: Composition<Node, Entries>): YamlEvent {
  const event = composition.source.events[composition.index++]
  if (event === undefined)
    throw new InvalidInputError('the text ends in a document', { at: { file: composition.source.file } })
  return event
}

function composeNode<Node, Entries>(
  composition: Composition<Node, Entries>,
  event: YamlEvent,
  depth: number,
): Node {
  if (++composition.nodes > composition.limits.maxNodes) throw nodesExceeded(composition, event)
  switch (event.type) {
    case 'scalar':
    case 'mapping':
    case 'sequence':
      return event.anchor === undefined
        ? composeContent(composition, event, depth)
        : composeAnchored(composition, event, depth)
    case 'alias':
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
  if (event.type === 'scalar') return composition.builder.scalar(event)
  enterDepth(composition, event, depth + 1)
  return event.type === 'mapping'
    ? composeMapping(composition, event, depth + 1)
    : composeSequence(composition, event, depth + 1)
}

function enterDepth<Node, Entries>(
  composition: Composition<Node, Entries>,
  event: YamlEvent,
  depth: number,
): void {
  if (depth > composition.deepest) composition.deepest = depth
  if (depth <= composition.limits.maxDepth) return
  const { source, limits } = composition
  throw depthExceeded(locationOf(source, event.start), limits.maxDepth)
}

function composeSequence<Node, Entries>(
  composition: Composition<Node, Entries>,
  sequence: SequenceEvent,
  depth: number,
): Node {
  const items: Node[] = []
  for (let event = nextEvent(composition); event.type !== 'end'; event = nextEvent(composition)) {
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
  for (let event = nextEvent(composition); event.type !== 'end'; event = nextEvent(composition)) {
    if (event.type === 'scalar' && isMergeKey(event)) {
      merged ??= new Set()
      composeMerge(composition, depth, entries, merged)
      continue
    }
    const key = composeKey(composition, event, depth)
    if (builder.has(entries, key) && merged?.delete(key) !== true) {
      const offset = event.start
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
  event: YamlEvent,
  depth: number,
): string {
  const { builder, source } = composition
  if (event.type === 'scalar') {
    composition.nodes++
    if (event.anchor !== undefined) composition.anchors.set(event.anchor, { event, content: undefined })
    return builder.key(event)
  }
  composeNode(composition, event, depth)
  const origin = event.type === 'alias' ? composition.anchors.get(event.anchor)?.event : undefined
  if (origin?.type !== 'scalar') throw invalidAt(source, event.start, 'a key must be a scalar')
  return builder.key(origin)
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
  const items = event.type === 'sequence' ? builder.items(node) : undefined
  for (const origin of items?.toReversed() ?? [node]) {
    const members = builder.members(origin)
    if (members === undefined) {
      throw invalidAt(source, event.start, 'the merge key << needs an object or a list of them')
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
  const anchor: Anchor<Node> = { event, content: undefined }
  composition.anchors.set(event.anchor ?? '', anchor)
  const nodesBefore = composition.nodes
  const deepestBefore = composition.deepest
  composition.deepest = depth
  const node = composeContent(composition, event, depth)
  const height = composition.deepest - depth
  composition.deepest = Math.max(deepestBefore, composition.deepest)
  anchor.content = { node, nodes: composition.nodes - nodesBefore, height }
  return node
}

function composeAlias<Node, Entries>(
  composition: Composition<Node, Entries>,
  event: AliasEvent,
  depth: number,
): Node {
  const anchor = composition.anchors.get(event.anchor)
  if (anchor?.event.type === 'scalar') return composition.builder.scalar(anchor.event)
  const content = anchor?.content
  if (content === undefined) {
    const reason = anchor !== undefined ? 'contains itself' : 'is not defined before its alias'
    throw invalidAt(composition.source, event.start, `the anchor ${event.anchor} ${reason}`)
  }
  composition.nodes += content.nodes
  if (composition.nodes > composition.limits.maxNodes) throw nodesExceeded(composition, event)
  enterDepth(composition, event, depth + content.height)
  return composition.builder.repeat(content.node)
}

function nodesExceeded<Node, Entries>(
  { source, limits }: Composition<Node, Entries>,
  event: YamlEvent,
): ResourceExhaustedError {
  return tooManyNodes(locationOf(source, event.start), limits.maxNodes)
}

/** Returns the error for a text that has more nodes than it may have. */
export function tooManyNodes(at: Location, maxNodes: number): ResourceExhaustedError {
  return new ResourceExhaustedError(`more nodes than the limit of ${maxNodes}, aliases expanded (maxNodes)`, {
    at,
  })
}
