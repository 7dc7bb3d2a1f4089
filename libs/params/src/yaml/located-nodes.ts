import type { Location } from '@wadi/errors/location.ts'
import type { NodeBuilder } from '@wadi/manifests/node-builder.ts'
import { indexLines } from '@wadi/manifests/line-index.ts'
import type { YamlSource } from '@wadi/manifests/yaml-source.ts'
import type { YamlEvent } from '@wadi/manifests/go-yaml/yaml-event.ts'
import { locatedMap, partOf } from '../values/located.ts'
import { isList } from '../values/value-tree.ts'
import { isValueMap } from '../values/value.ts'
import type { Located } from '../values/value.ts'
import { readKey, readScalar } from './read-scalar.ts'
import type { YamlRules } from './yaml-options.ts'

/** A map whose members are not all there yet. */
interface PartialMap {
  at: Location
  parts: Map<string, Located>
}

/** Builds values that know where they are written, a member of a map where its key is. Nodes that an alias repeats are shared. */
export function locatedNodes(source: YamlSource, rules: YamlRules): NodeBuilder<Located, PartialMap> {
  const positionOf = indexLines(source.text)
  const locationOf = (event: YamlEvent): Location => ({ file: source.file, ...positionOf(event.start) })
  return {
    scalar: (event) => ({
      value: readScalar(source, event, rules),
      at: locationOf(event),
    }),
    nothing: () => ({ value: null, at: { file: source.file } }),
    list: (items, event) => ({
      value: items.map(({ value }) => value),
      at: locationOf(event),
      parts: new Map(items.map((item, index) => [String(index), item])),
    }),
    start: (event) => ({ at: locationOf(event), parts: new Map() }),
    has: ({ parts }, key) => parts.has(key),
    put: ({ parts }, key, node, keyEvent) => {
      parts.set(key, keyEvent === undefined ? node : { ...node, at: locationOf(keyEvent) })
    },
    finish: ({ parts, at }) => locatedMap(parts, at),
    key: (event) => readKey(source, event, rules),
    items: ({ value, parts }) => (isList(value) ? [...(parts?.values() ?? [])] : undefined),
    members: membersOf,
    repeat: (node) => node,
    earlier: ({ parts }, key) => {
      const { line = 1, column = 1 } = parts.get(key)?.at ?? {}
      return `, which is already at ${line}:${column}`
    },
  }
}

function membersOf(node: Located): [string, Located][] | undefined {
  if (!isValueMap(node.value)) return undefined
  return [...node.value.keys()].flatMap((key) => {
    const part = partOf(node, key)
    return part === undefined ? [] : [[key, part]]
  })
}
