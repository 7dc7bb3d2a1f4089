import type { Layer } from '@wadi/params/resolve/layer.ts'
import { mapPaths } from '@wadi/params/resolve/map-paths.ts'
import type { PathMap } from '@wadi/params/resolve/map-paths.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Value } from '@wadi/params/values/value.ts'
import type { Effort } from '../effort.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'

const standardRounds = 9
const leaves = 5_000
const layers = 6
const bar = 20

/** Resolves six layers over a tree of 5,000 leaves, maps parts of it, and compares with cloning the same trees. */
export function measureParams(effort: Effort): Measurement[] {
  const rounds = effort.rounds(standardRounds)
  const stack = Array.from({ length: layers }, (_, index) => layerOf(index))
  const trees = stack.map((layer) => layer.tree.value)
  const plain = trees.map(plainData)
  const maps = mappings()
  if (countLeaves(resolve(stack, 'deep').tree) !== leaves) throw new Error('the layers lost leaves')
  const ours: Cost[] = []
  const clones: Cost[] = []
  for (let round = 0; round <= rounds; round++) {
    const own = timed(() => mapPaths(resolve(stack, 'deep').tree, maps))
    const clone = timed(() => structuredClone(plain))
    // The first time warms up.
    if (round === 0) continue
    ours.push(own)
    clones.push(clone)
  }
  const [own, clone] = [median(ours), median(clones)]
  const basis = `median of ${rounds}: ${costText(own)}; structuredClone: ${costText(clone)}`
  const name = `resolve and mapPaths, ${leaves} leaves, ${layers} layers`
  return [atMost(name, own.wall / clone.wall, '× structuredClone', bar, basis)]
}

/** The first layer has every leaf, the others a part of them. */
function layerOf(index: number): Layer {
  const tree = new Map<string, Value>()
  for (let leaf = 0; leaf < leaves; leaf++) {
    if (index > 0 && leaf % (index + 1) !== 0) continue
    const component = childOf(tree, `component-${leaf % 50}`)
    const section = childOf(component, `section-${Math.floor(leaf / 50) % 10}`)
    section.set(`key-${Math.floor(leaf / 500)}`, index % 2 === 0 ? leaf : `text ${leaf} of ${index}`)
  }
  const rank = ([0, 0, 1, 2, 2, 3] as const)[index] ?? 0
  const owner = rank === 0 ? 'tool' : rank === 2 ? 'developer' : 'operator'
  return {
    rank,
    owner,
    kind: rank < 2 ? 'default' : 'value',
    tree: { value: tree, at: { file: `${index}.yaml` } },
  }
}

function childOf(map: Map<string, Value>, key: string): Map<string, Value> {
  const present = map.get(key)
  if (present instanceof Map) return present
  const child = new Map<string, Value>()
  map.set(key, child)
  return child
}

/** All components go to a place of their own without one section, and half of them once more to a common one. */
function mappings(): PathMap[] {
  return Array.from({ length: 50 }, (_, component) => {
    const sourcePath = [`component-${component}`]
    const targetPath = component % 2 === 0 ? ['common'] : ['apps', `app-${component}`]
    return { sourcePath, targetPath, excludePaths: [[...sourcePath, 'section-3']] }
  })
}

/** The tree as objects, which structuredClone takes less long for than for maps. */
function plainData(value: Value): unknown {
  if (!isValueMap(value)) return value
  return Object.fromEntries(Array.from(value, ([key, member]) => [key, plainData(member)]))
}

function countLeaves(value: Value): number {
  if (!isValueMap(value)) return 1
  return Array.from(value.values(), countLeaves).reduce((sum, count) => sum + count, 0)
}

function timed(work: () => unknown): Cost {
  const before = process.cpuUsage()
  const started = performance.now()
  work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - started) / 1000, cpu: (user + system) / 1_000_000 }
}
