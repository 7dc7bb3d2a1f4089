import type { ListedOrigin } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { t } from '../../../language/t.ts'

/** A chart, a directory of a kustomization or another owner, or a template with its objects. */
export interface OriginNode {
  /** Unique in the tree. */
  key: string
  label: string
  /** The number of objects below it. */
  objects: number
  children: OriginNode[]
  /** The template, and its position in the answer of the server, from 1; undefined for an owner. */
  template: { listed: ListedOrigin; position: number } | undefined
}

/**
 * Returns the tree of owners and templates.
 * @param sources the names of the dry sources; only several are nodes
 */
export function originTree(origins: readonly ListedOrigin[], sources: readonly string[]): OriginNode[] {
  const root = node('', '')
  for (const [index, listed] of origins.entries()) {
    const { source, objects, origin } = listed
    const ofSource = source > 0 ? [sources[source - 1] ?? t('source {place, number}', { place: source })] : []
    let below = root
    for (const owner of [...ofSource, ...(origin?.owners ?? [])]) {
      below = childOf(below, owner)
      below.objects += objects
    }
    const label = origin?.template || t('unknown template')
    const template = { listed, position: index + 1 }
    below.children.push({ ...node(`${below.key}\n= ${label}`, label), objects, template })
  }
  return root.children
}

function childOf(parent: OriginNode, label: string): OriginNode {
  const key = `${parent.key}\n${label}`
  const known = parent.children.find((child) => child.key === key)
  if (known) return known
  const child = node(key, label)
  parent.children.push(child)
  return child
}

function node(key: string, label: string): OriginNode {
  return { key, label, objects: 0, children: [], template: undefined }
}
