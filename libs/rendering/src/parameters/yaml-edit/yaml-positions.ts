import { composeAgain } from '@wadi/manifests/compose-yaml.ts'
import { indexLines } from '@wadi/manifests/line-index.ts'
import type { YamlEvent } from '@wadi/manifests/go-yaml/yaml-event.ts'
import type { NodeBuilder } from '@wadi/manifests/node-builder.ts'
import { composeKey } from '@wadi/manifests/yaml-scalar.ts'
import type { YamlSource } from '@wadi/manifests/yaml-source.ts'

/** The position of a node in a YAML text. */
export interface YamlPosition {
  /** Counted from 1; that of its key for the value of a map. */
  readonly line: number
  /** A scalar as it is written, quotes and escapes taken away; undefined for a collection. */
  readonly text: string | undefined
  /** By key, or by position in a list. */
  readonly children: ReadonlyMap<string | number, YamlPosition>
}

/** A map whose members are not all there yet. */
interface PartialMap {
  readonly line: number
  readonly children: Map<string, YamlPosition>
}

const noChildren: ReadonlyMap<string | number, YamlPosition> = new Map()

/** Finds the places of all nodes below the one at `eventIndex` at once; what aliases and merge keys bring has the place of its anchor. */
export function yamlPositions(source: YamlSource, eventIndex: number): YamlPosition {
  return composeAgain(source, eventIndex, positionNodes(source))
}

function positionNodes(source: YamlSource): NodeBuilder<YamlPosition, PartialMap> {
  const positionOf = indexLines(source.text)
  const lineOf = (event: YamlEvent): number => (source.linesBefore ?? 0) + positionOf(event.start).line
  return {
    scalar: (event) => ({
      line: lineOf(event),
      text: event.value,
      children: noChildren,
    }),
    nothing: () => ({ line: 1, text: undefined, children: noChildren }),
    list: (items, event) => ({ line: lineOf(event), text: undefined, children: new Map(items.entries()) }),
    start: (event) => ({ line: lineOf(event), children: new Map() }),
    has: ({ children }, key) => children.has(key),
    put: ({ children }, key, node, keyEvent) => {
      children.set(key, keyEvent === undefined ? node : { ...node, line: lineOf(keyEvent) })
    },
    finish: ({ line, children }) => ({ line, text: undefined, children }),
    key: (event) => composeKey(source, event),
    items: ({ children }) => (children.has(0) ? [...children.values()] : undefined),
    members: ({ children }) =>
      Array.from(children, ([key, child]): [string, YamlPosition] => [String(key), child]),
    repeat: (node) => node,
  }
}
