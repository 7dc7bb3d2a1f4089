import type { Location } from '@wadi/errors/location.ts'
import { isNotFinite } from '@wadi/manifests/go-scalar.ts'
import type { ScalarEvent, YamlEvent } from '@wadi/manifests/go-yaml/yaml-event.ts'
import { indexLines } from '@wadi/manifests/line-index.ts'
import type { NodeBuilder } from '@wadi/manifests/node-builder.ts'
import {
  composeKey,
  composeScalar,
  composeTagged,
  notFinite,
  type TagConversions,
} from '@wadi/manifests/yaml-scalar.ts'
import type { YamlSource } from '@wadi/manifests/yaml-source.ts'
import { locatedMap, partOf } from '../values/located.ts'
import { isList } from '../values/value-tree.ts'
import { Float, isValueMap, type Located, type Value } from '../values/value.ts'
import type { YamlRules } from './yaml-options.ts'
import { keyText, readZarfScalar } from './zarf-scalar.ts'

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

/** Returns the value of a scalar. @throws InvalidInputError with the place for one that values cannot hold */
function readScalar(source: YamlSource, event: ScalarEvent, rules: YamlRules): Value {
  if (rules === 'kubernetes') {
    const value = composeScalar(source, event)
    return typeof value === 'number' && !Number.isInteger(value) ? new Float(value) : value
  }
  if (event.tag !== undefined) return composeTagged(source, event, conversions)
  return event.style === 'plain' ? readPlain(source, event) : event.value
}

/** Returns the key that a scalar stands for. @throws InvalidInputError with the place for one that cannot be a key */
function readKey(source: YamlSource, event: ScalarEvent, rules: YamlRules): string {
  if (rules === 'kubernetes') return composeKey(source, event)
  return keyText(readScalar(source, event, rules)) ?? ''
}

function readPlain(source: YamlSource, event: ScalarEvent): Value {
  const text = event.value
  if (/^[+-]?\.inf$/i.test(text)) {
    return new Float(text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
  }
  if (isNotFinite(text)) throw notFinite(source, event, text)
  return readZarfScalar(text)
}

function where(convert: (value: Value) => Value | undefined) {
  return (source: YamlSource, event: ScalarEvent) => convert(readPlain(source, event))
}

const conversions: TagConversions<Value> = new Map([
  ['null', where((value) => (value === null ? null : undefined))],
  ['bool', where((value) => (typeof value === 'boolean' ? value : undefined))],
  ['int', where((value) => (Number.isInteger(value) || typeof value === 'bigint' ? value : undefined))],
  ['float', where(toFloat)],
])

function toFloat(value: Value): Float | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return new Float(Number(value))
  return value instanceof Float ? value : undefined
}
