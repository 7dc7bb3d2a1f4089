import * as fc from 'fast-check'
import type { Layer } from '../resolve/layer.ts'
import { isList } from './value-tree.ts'
import { Float, isValueMap } from './value.ts'
import type { Value, ValueMap } from './value.ts'

/** Few keys, so that trees meet in many places, and those that objects have already. */
export const randomKey = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString')

const { value: arbitraryValue, map: arbitraryMap } = fc.letrec<{ value: Value; map: ValueMap }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar(), fc.array(tie('value'), { maxLength: 2 }), tie('map')),
  map: fc
    .array(fc.tuple(randomKey, tie('value')), { maxLength: 3 })
    .map((entries): ValueMap => new Map(entries)),
}))

function scalar(): fc.Arbitrary<Value> {
  const integer = fc.oneof(fc.integer(), fc.bigInt(2n ** 60n, 2n ** 63n))
  const float = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => new Float(value))
  return fc.oneof(fc.constant(null), fc.boolean(), fc.string({ maxLength: 3 }), integer, float)
}

/** Any value. */
export const randomValue: fc.Arbitrary<Value> = arbitraryValue

/** Any map. */
export const randomMap: fc.Arbitrary<ValueMap> = arbitraryMap

/** Any path to a place inside of a tree, which a random tree may have. */
export const randomPath = fc.array(randomKey, { minLength: 1, maxLength: 3 })

/** A layer of any rank, whose place names its number. */
export const randomLayers: fc.Arbitrary<Layer[]> = fc
  .array(fc.tuple(fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const), randomMap), {
    minLength: 1,
    maxLength: 5,
  })
  .map((drawn) => drawn.map(([rank, tree], number) => layerOf(rank, tree, `${number}.yaml`)))

/** Returns a layer of a rank with a tree that is written in a file. */
export function layerOf(rank: Layer['rank'], tree: ValueMap, file: string): Layer {
  const owner = rank === 0 ? 'tool' : rank === 2 ? 'developer' : 'operator'
  return { rank, owner, kind: rank < 2 ? 'default' : 'value', tree: { value: tree, at: { file } } }
}

/** Empties every map and list of a value, as no user of one may. */
export function wreck(value: Value): void {
  if (isList(value)) {
    value.forEach(wreck)
    const list = value as Value[]
    list.length = 0
  } else if (isValueMap(value)) {
    for (const member of value.values()) wreck(member)
    const map = value as Map<string, Value>
    map.clear()
  }
}
