import { collectionOf, type YamlEntry, yamlRoots } from '@wadi/rendering/parameters/yaml-edit/yaml-tokens.ts'
import { isApplicationKind } from '../diff/local/application-files.ts'

/** The place of an object in a text: which document, and which item of it if that is a `List`. */
export interface ObjectPlace {
  readonly document: number
  readonly item?: number
  /** The line of its name, from 1. */
  readonly line: number
}

type Node = YamlEntry['value']

/** Finds the Applications and ApplicationSets of a YAML or JSON text, in their order. */
export function objectPlaces(text: string): ObjectPlace[] {
  return yamlRoots(text).flatMap((root, document) => {
    const items = collectionOf(inside(root, 'items'))?.entries ?? []
    const nodes: { node: Node; item?: number }[] = [
      { node: root },
      ...items.map(({ value }, item) => ({ node: value, item })),
    ]
    return nodes.flatMap(({ node, ...item }) =>
      isApplicationKind({
        apiVersion: scalarAt(text, node, 'apiVersion'),
        kind: scalarAt(text, node, 'kind'),
      })
        ? [{ document, ...item, line: lineOf(text, node) }]
        : [],
    )
  })
}

/** The node of a path below an object; undefined where the path is not written out. */
export function entryAt(
  roots: readonly Node[],
  { document, item }: ObjectPlace,
  path: readonly string[],
): Node {
  const root = roots[document]
  const object = item === undefined ? root : collectionOf(inside(root, 'items'))?.entries[item]?.value
  return path.reduce(inside, object)
}

/** Returns the line of a field of an object, from 1; that of the nearest field around it where it is not written. */
export function lineAt(text: string, place: ObjectPlace, path: readonly string[]): number {
  for (let length = path.length; length > 0; length--) {
    const around = collectionOf(entryAt(yamlRoots(text), place, path.slice(0, length - 1)))
    const entry = around?.entries.find(({ key }) => key === path[length - 1])
    if (entry) return lineOfOffset(text, entry.start)
  }
  return place.line
}

function inside(node: Node, key: string): Node {
  const map = collectionOf(node)
  return map?.kind === 'map' ? map.entries.find((entry) => entry.key === key)?.value : undefined
}

/** The text of a scalar without its quotes: `kind` and `apiVersion` need none. */
function scalarAt(text: string, node: Node, key: string): string {
  const value = inside(node, key)
  if (value === undefined || collectionOf(value)) return ''
  return ('source' in value ? value.source : '').replace(/^(["'])(.*)\1$/, '$2')
}

function lineOf(text: string, object: Node): number {
  const name = collectionOf(inside(object, 'metadata'))?.entries.find(({ key }) => key === 'name')
  return lineOfOffset(text, name?.start ?? object?.offset ?? 0)
}

function lineOfOffset(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
