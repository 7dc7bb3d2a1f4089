import { composeYaml } from '@wadi/manifests/compose-yaml.ts'
import { indexLines } from '@wadi/manifests/line-index.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { plainNodes } from '@wadi/manifests/plain-nodes.ts'
import { readYamlSource } from '@wadi/manifests/yaml-source.ts'

/** A value with the line on which it is written, from 1; that of a member is the line of its key. */
export interface PlacedNode {
  line: number
  /** A scalar; null for a list or an object. */
  scalar: JsonValue
  items?: readonly PlacedNode[]
  members?: ReadonlyMap<string, PlacedNode>
}

const limits = { maxDepth: 100, maxNodes: 200_000 }

/**
 * Reads the first document of a text as Kubernetes does; undefined for an empty one.
 * @throws InvalidInputError for a text that is not YAML; ResourceExhaustedError above 100 levels or 200,000 nodes
 */
export function readPlacedYaml(text: string): PlacedNode | undefined {
  const source = readYamlSource('text', text, limits.maxDepth)
  const plain = plainNodes(source)
  const positionOf = indexLines(text)
  const lineOf = ({ start }: { start: number }) => positionOf(start).line
  const [document] = composeYaml<PlacedNode, { line: number; members: Map<string, PlacedNode> }>(
    source,
    {
      scalar: (event) => ({ line: lineOf(event), scalar: plain.scalar(event) }),
      nothing: () => ({ line: 1, scalar: null }),
      list: (items, event) => ({ line: lineOf(event), scalar: null, items }),
      start: (event) => ({ line: lineOf(event), members: new Map() }),
      has: ({ members }, key) => members.has(key),
      put: ({ members }, key, node, keyEvent) => {
        members.set(key, keyEvent ? { ...node, line: lineOf(keyEvent) } : node)
      },
      finish: ({ line, members }) => ({ line, scalar: null, members }),
      key: plain.key,
      items: ({ items }) => items,
      members: ({ members }) => members,
      repeat: (node) => node,
    },
    { ...limits, wantedDocuments: 1 },
  )
  return document?.value
}
