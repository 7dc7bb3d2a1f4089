import { textAt } from '@wadi/fields/json-fields.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import type { Directory } from '../branch-run.ts'
import { type ClusterDefinition, definitionOf } from '../../gates/cluster/cluster-definitions.ts'

/** A CustomResourceDefinition that a directory of a branch has. */
export interface BranchDefinition extends ClusterDefinition {
  /** The kind that it defines. */
  readonly kind: string
}

/** The CustomResourceDefinitions of other directories that the objects of one are checked by. */
export interface DirectoryDefinitions {
  /** Equal for equal definitions alone. */
  readonly id: string
  readonly definitions: readonly BranchDefinition[]
}

/** The CustomResourceDefinitions of a branch. */
export interface BranchDefinitions {
  readonly of: (directory: Directory) => DirectoryDefinitions | undefined
  /** False if nobody knows any more which objects the head has: only a render of all directories finds out. */
  readonly areKnown: boolean
}

/** The objects of directories at a dry commit that is not on the branch yet, by path. */
export interface MadeInPass {
  /** As `objectsText` writes them. */
  readonly objects: ReadonlyMap<string, string>
  /** The definitions among them; without directories that have none. */
  readonly definitions: ReadonlyMap<string, readonly BranchDefinition[]>
  /** The number of renders that found this. */
  readonly passes: number
}

/** Adds to what was found of a dry commit what another render of it found. */
export function madeIn(
  before: MadeInPass | undefined,
  { objects, definitions }: Omit<MadeInPass, 'passes'>,
): MadeInPass {
  const kept = [...(before?.definitions ?? [])].filter(([path]) => !objects.has(path))
  return {
    objects: new Map([...(before?.objects ?? []), ...objects]),
    definitions: new Map([...kept, ...definitions]),
    passes: (before?.passes ?? 0) + 1,
  }
}

const definitionKind = 'apiextensions.k8s.io/CustomResourceDefinition'

/** Returns the API groups that CustomResourceDefinitions among the objects of a text define, by their names, which end with them. */
export function definedGroups(text: string): ReadonlySet<string> {
  if (!text.includes(definitionKind)) return new Set()
  const lines = text.split('\n').filter((line) => line.startsWith(`${definitionKind}\t`))
  return new Set(lines.map((line) => line.slice(line.lastIndexOf('\t') + 1).replace(/^[^.]*\./, '')))
}

/** Returns the kinds of some API groups that objects of a text have, as `group/kind`. */
export function usedKinds(text: string, groups: ReadonlySet<string>): ReadonlySet<string> {
  if (groups.size === 0 || text === '') return new Set()
  const kinds = text.split('\n').map((line) => line.slice(0, line.indexOf('\t')))
  return new Set(kinds.filter((kind) => groups.has(kind.slice(0, kind.indexOf('/')))))
}

/**
 * Returns the CustomResourceDefinitions among the objects of a directory.
 * @param path that of the directory on the branch
 */
export function definitionsAmong(manifests: readonly Manifest[], path: string): BranchDefinition[] {
  return manifests.flatMap((manifest) => {
    const { group, kind } = manifestIdentity(manifest)
    const { apiVersion, metadata = null, spec } = manifest
    if (`${group}/${kind}` !== definitionKind || typeof apiVersion !== 'string') return []
    const definition = definitionOf({ apiVersion, kind, metadata, spec }, path || '.')
    return [{ ...definition, kind: textAt(spec, 'names', 'kind') }]
  })
}
