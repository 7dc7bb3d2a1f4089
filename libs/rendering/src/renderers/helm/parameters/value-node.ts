import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type ConfigFile } from '../../../source/config-file.ts'
import type { ParameterOrigin } from '../../../parameters/describe/parameter-message.ts'
import { scalarText } from '../../../source/scalar-text.ts'
import { type YamlPosition, yamlPositions } from '../../../parameters/yaml-edit/yaml-positions.ts'

/** A tree of Helm values that knows where each of them comes from. */
export type ValueNode = ScalarNode | CollectionNode

/** A value without values below it. */
export interface ScalarNode {
  readonly kind: 'scalar'
  /** As it is written where it comes from; `null` for a null. */
  readonly text: string
  readonly type: 'string' | 'number' | 'boolean' | 'null'
  readonly origin: ParameterOrigin
}

/** A map, whose keys are strings, or a list, whose keys are numbers; a list may have gaps. */
export interface CollectionNode {
  readonly kind: 'map' | 'list'
  readonly children: ReadonlyMap<string | number, ValueNode>
  readonly origin: ParameterOrigin
}

/** Tells where the value at a path comes from. */
type OriginAt = (path: readonly (string | number)[], line: number) => ParameterOrigin

/** A map without entries. */
export function emptyMap(origin: ParameterOrigin): CollectionNode {
  return { kind: 'map', children: new Map(), origin }
}

/** Returns whether a node is an explicit null. */
export function isNull(node: ValueNode): boolean {
  return node.kind === 'scalar' && node.type === 'null'
}

/** The values of a YAML file. */
export function fileValues(config: ConfigFile, originAt: (line: number) => ParameterOrigin): ValueNode {
  const position = yamlPositions(config.source, config.eventIndex)
  return valueNode(config.value, position, (_, line) => originAt(line), [])
}

/** Values that stand in no file of their own. */
export function plainValues(
  value: unknown,
  originAt: (path: readonly (string | number)[]) => ParameterOrigin,
): ValueNode {
  return valueNode(value, { line: 0, text: undefined, children: new Map() }, originAt, [])
}

function valueNode(
  value: unknown,
  position: YamlPosition,
  originAt: OriginAt,
  path: readonly (string | number)[],
): ValueNode {
  const origin = originAt(path, position.line)
  const children = (entries: Iterable<[string | number, unknown]>): Map<string | number, ValueNode> =>
    new Map(
      Array.from(entries, ([key, item]) => {
        const place = position.children.get(key) ?? { ...position, text: undefined, children: new Map() }
        return [key, valueNode(item, place, originAt, [...path, key])]
      }),
    )
  if (Array.isArray(value)) return { kind: 'list', children: children(value.entries()), origin }
  if (isJsonObject(value)) return { kind: 'map', children: children(Object.entries(value)), origin }
  if (value === null || value === undefined) return { kind: 'scalar', text: 'null', type: 'null', origin }
  if (typeof value === 'string') return { kind: 'scalar', text: value, type: 'string', origin }
  if (typeof value === 'boolean') return { kind: 'scalar', text: String(value), type: 'boolean', origin }
  return { kind: 'scalar', text: position.text ?? scalarText(value), type: 'number', origin }
}

/**
 * Merges values as Helm merges one value file over another: maps entry by entry, everything else as a whole.
 * @param outlastsNull whether what is below a null stays in spite of it; by default nothing does
 */
export function mergeValues(
  base: ValueNode,
  over: ValueNode,
  outlastsNull: (path: readonly (string | number)[]) => boolean = () => false,
): ValueNode {
  if (over.kind === 'scalar' && over.type === 'null' && outlastsNull([])) return base
  if (base.kind !== 'map' || over.kind !== 'map') return over
  const children = new Map(base.children)
  for (const [key, value] of over.children) {
    const below = children.get(key)
    const merged = below && mergeValues(below, value, (path) => outlastsNull([key, ...path]))
    children.set(key, merged ?? value)
  }
  return { kind: 'map', children, origin: over.origin }
}
