import type { MappingEvent, ScalarEvent, SequenceEvent, YamlEvent } from './go-yaml/yaml-event.ts'

/**
 * Makes the nodes of a tree while a text of YAML is composed: plain values, values that know where they are written, or
 * nothing at all where only the limits matter. `Entries` is an object under construction.
 */
export interface NodeBuilder<Node, Entries> {
  /** @throws InvalidInputError with the place for a scalar that the tree cannot hold. */
  scalar: (event: ScalarEvent) => Node
  /** The node of a document that is empty. */
  nothing: () => Node
  list: (items: Node[], event: SequenceEvent) => Node
  start: (event: MappingEvent) => Entries
  has: (entries: Entries, key: string) => boolean
  /** Sets a key, which keeps its position when it is there already. `keyEvent` is missing for a key that a merge brings. */
  put: (entries: Entries, key: string, node: Node, keyEvent?: YamlEvent) => void
  finish: (entries: Entries) => Node
  /** The key that a scalar stands for. @throws InvalidInputError with the place for one that cannot be a key. */
  key: (event: ScalarEvent) => string
  /** The items of a list; undefined for another node. */
  items: (node: Node) => readonly Node[] | undefined
  /** The members of an object; undefined for another node. */
  members: (node: Node) => Iterable<[string, Node]> | undefined
  /** The node that stands where an alias repeats this one. */
  repeat: (node: Node) => Node
  /** Returns the words about the earlier one in the error for a duplicate key. */
  earlier?: (entries: Entries, key: string) => string
}
