import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { heldMetadata } from './held-metadata.ts'
import { hydratedFiles } from './hydrated-files.ts'
import { type ToolVersions, versionsOf } from './tool-versions.ts'

/** At most as many directories are read for the versions that made them. */
const maxDirectories = 100

/** At most as many directories are looked into for them. */
const maxListed = 2_000

/**
 * Returns the versions of tools that a hydrated branch is made with: those of its root's record, else, as older versions wrote none there,
 * those that made most of its first directories.
 */
export async function branchTools(tree: FileTree): Promise<ToolVersions> {
  const root = await heldMetadata(tree, '')
  if (root === undefined) return {}
  if (root.tools.length > 0) return versionsOf(root.tools)
  const counts = new Map<string, Map<string, number>>()
  let read = 0
  for await (const directory of hydratedDirectories(tree)) {
    if (read++ === maxDirectories) break
    const { tools = [] } = (await heldMetadata(tree, directory)) ?? {}
    for (const [name, version] of Object.entries(versionsOf(tools))) {
      const versions = counts.getOrInsertComputed(name, () => new Map())
      versions.set(version, (versions.get(version) ?? 0) + 1)
    }
  }
  return Object.fromEntries(Array.from(counts, ([name, versions]) => [name, mostFrequent(versions)]))
}

/**
 * Returns the names of those versions that made one of a branch's first 100 directories; of a branch with more also of those that were not
 * found.
 */
export async function toolsInUse(tree: FileTree, sought: ToolVersions): Promise<string[]> {
  const names = Object.keys(sought)
  const found = new Set<string>()
  let read = 0
  for await (const directory of hydratedDirectories(tree)) {
    if (found.size === names.length || read++ === maxDirectories) return names
    const { tools = [] } = (await heldMetadata(tree, directory)) ?? {}
    for (const { name, version } of tools) if (sought[name] === version) found.add(name)
  }
  return names.filter((name) => found.has(name))
}

async function* hydratedDirectories(tree: FileTree): AsyncGenerator<string> {
  const waiting = ['']
  for (let listed = 0; listed < maxListed; listed++) {
    const directory = waiting.shift()
    if (directory === undefined) return
    const entries = await tree.list(directory)
    if (directory !== '' && entries.some(({ name }) => name === hydratedFiles.metadata)) yield directory
    for (const { name, kind } of entries) {
      if (kind === 'directory') waiting.push(directory === '' ? name : `${directory}/${name}`)
    }
  }
}

function mostFrequent(versions: ReadonlyMap<string, number>): string {
  const [[version] = ['']] = [...versions].toSorted(([, a], [, b]) => b - a)
  return version
}
