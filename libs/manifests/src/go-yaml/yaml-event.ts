/** The style of a scalar. */
export type ScalarStyle = 'plain' | 'single-quoted' | 'double-quoted' | 'literal' | 'folded'

/** The anchor and the tag in front of a node's content. */
export interface NodeProperties {
  /** The offset at which the node begins, its anchor or tag included; behind the quotation mark if it begins with one. */
  readonly start: number
  readonly anchor: string | undefined
  /** In full, such as `tag:yaml.org,2002:int`; `!` alone for the tag `!`. */
  readonly tag: string | undefined
}

/** A node without members. */
export interface ScalarEvent extends NodeProperties {
  readonly type: 'scalar'
  /** Without quotes, escapes and indentation. */
  readonly value: string
  readonly style: ScalarStyle
  /** The offset at which the value begins: behind the quotation mark, in the first line of a literal block; `start` for none. */
  readonly valueStart: number
}

/** The begin of a list; its items and the event `end` follow. */
export interface SequenceEvent extends NodeProperties {
  readonly type: 'sequence'
}

/** The begin of a mapping; its keys and values in turn, and the event `end` follow. */
export interface MappingEvent extends NodeProperties {
  readonly type: 'mapping'
}

/** A node that repeats an earlier one. */
export interface AliasEvent {
  readonly type: 'alias'
  readonly start: number
  readonly anchor: string
}

/** The begin of a document; its root, if it has one, and the event `end` follow. */
interface DocumentEvent {
  readonly type: 'document'
  readonly start: number
}

/** The end of what was begun last. */
interface EndEvent {
  readonly type: 'end'
  readonly start: number
}

/** A step of the syntax of a text of YAML. */
export type YamlEvent = DocumentEvent | SequenceEvent | MappingEvent | ScalarEvent | AliasEvent | EndEvent
