import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { expandGlob } from '@wadi/file-trees/path-glob.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'

/** Most templates of a chart that are searched, and the largest, in bytes. */
const maxTemplates = 2_000
const maxTemplateBytes = 8 * 1024 * 1024

/**
 * Returns sentences on what Argo CD takes from its cluster or its Application when it renders a source, and no render of the
 * files alone can show.
 */
export async function clusterNotes(
  tree: FileTree,
  { path, options, unsetVariables }: SourceInspection,
): Promise<string[]> {
  const notes = unsetVariables.map(
    (name) => `variable ${name} is empty in hydration, where Argo CD may have a value`,
  )
  const saysCluster =
    textAt(options.helm, 'kubeVersion') !== '' && listAt(options.helm, 'apiVersions').length > 0
  if (saysCluster) return notes
  const file = await capabilitiesFile(tree, path)
  if (file === undefined) return notes
  return [
    ...notes,
    `${file} reads .Capabilities, which Argo CD takes from the cluster and hydration from helm.kubeVersion and helm.apiVersions`,
  ]
}

/** Returns a template of a chart, or of one that comes with it unpacked, that mentions what the cluster can do. */
async function capabilitiesFile(tree: FileTree, chart: string): Promise<string | undefined> {
  const found = [
    ...(await expandGlob(tree, childPath(chart, 'templates/**'))),
    ...(await expandGlob(tree, childPath(chart, 'charts/**/templates/**'))),
  ]
  for (const path of found.slice(0, maxTemplates)) {
    const file = await followPath(tree, path)
    if (file && (await tree.read(file.target, maxTemplateBytes)).includes('.Capabilities')) return path
  }
  return undefined
}
