import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'
import { childPath } from '@wadi/rendering/tree/repository-path.ts'

/** The files of a repository that have to do with Applications. */
export interface ApplicationFiles {
  /** Applications and ApplicationSets, each with its file. */
  readonly objects: readonly { readonly path: string; readonly manifest: Manifest }[]
  /** Files that name one of these kinds, also such as templates of charts that are no manifests. */
  readonly mentions: ReadonlySet<string>
  /** These files, and the directories that they are in. */
  readonly mentionedPlaces: ReadonlySet<string>
  readonly warnings: readonly string[]
}

const maxFileBytes = 1024 * 1024
const maxFiles = 20_000
const kindLine = /["']?kind["']?\s*:\s*["']?Application(?:Set)?["']?(?:\s*[,}].*|\s+#.*|\s*)$/m
const isManifestFile = /\.(?:ya?ml|json)$/
const isTemplateFile = /\.(?:tpl|jsonnet|libsonnet)$/

/** Reads the Applications and ApplicationSets in the files of a tree. */
export async function readApplicationFiles(tree: FileTree): Promise<ApplicationFiles> {
  const objects: { path: string; manifest: Manifest }[] = []
  const mentions = new Set<string>()
  const warnings: string[] = []
  let files = 0
  for await (const path of candidates(tree, '')) {
    if (++files > maxFiles) {
      warnings.push(`only the first ${maxFiles} YAML, JSON and template files were searched for Applications`)
      break
    }
    const text = (await tree.read(path, maxFileBytes).catch(() => Buffer.alloc(0))).toString()
    if (!kindLine.test(text)) continue
    mentions.add(path)
    if (!isManifestFile.test(path)) continue
    for (const manifest of manifestsIn(text, path)) {
      if (isApplicationKind(manifest)) objects.push({ path, manifest })
    }
  }
  const mentionedPlaces = new Set([...mentions].flatMap((path) => [path, ...directoriesOf(path)]))
  return { objects, mentions, mentionedPlaces, warnings }
}

/** Whether an object is an Application or an ApplicationSet of Argo CD. */
export function isApplicationKind({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'argoproj.io/v1alpha1' && (kind === 'Application' || kind === 'ApplicationSet')
}

/** The directories that a file is in, up to the root. */
function directoriesOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index).join('/'))
}

function manifestsIn(text: string, file: string): Manifest[] {
  try {
    return parseManifests(text, { file })
  } catch {
    return []
  }
}

async function* candidates(tree: FileTree, directory: string): AsyncGenerator<string> {
  for (const { name, kind } of await tree.list(directory)) {
    const path = childPath(directory, name)
    if (kind === 'directory') yield* candidates(tree, path)
    else if (kind === 'symlink' || kind === 'submodule') continue
    else if (isManifestFile.test(name) || isTemplateFile.test(name)) yield path
  }
}
