import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import { errorMessage, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { by } from '@wadi/order/by-name.ts'
import { changedPaths } from '@wadi/incremental/changed-paths.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { UnreadableFile } from './broken-files.ts'

/** The files of a repository that have to do with Applications. */
export interface ApplicationFiles {
  readonly tree: FileTree
  /** Applications and ApplicationSets, each with its file. */
  readonly objects: readonly { readonly path: string; readonly manifest: Manifest }[]
  /** Files that name one of these kinds, also such as templates of charts that are no manifests. */
  readonly mentions: ReadonlySet<string>
  /** These files, and the directories that they are in. */
  readonly mentionedPlaces: ReadonlySet<string>
  /** The errors of files that name one of these kinds, are not templates and cannot be read, by their paths. */
  readonly unreadable: ReadonlyMap<string, UnreadableFile>
  readonly warnings: readonly string[]
}

/** A file that names one of the kinds, with the objects of these kinds, or why they cannot be read. */
interface FoundFile {
  readonly path: string
  readonly manifests: readonly Manifest[]
  readonly unreadable?: UnreadableFile | undefined
}

/** Bytes of a file with Applications; larger ones are not searched. */
export const maxFileBytes = 1024 * 1024
const maxFiles = 20_000
const readsAtOnce = 32
/** Matches where a text names the kind Application or ApplicationSet, also in a list, in JSON and with quotes. */
export const namedKind = /["']?kind["']?\s*:\s*["']?Application(?:Set)?["']?(?:\s*[,}].*|\s+#.*|\s*)$/m
const isManifestFile = /\.(?:ya?ml|json)$/
/** Matches the names of files that make objects in another way than YAML and JSON. */
export const isTemplateFile = /\.(?:tpl|jsonnet|libsonnet)$/

/**
 * Reads the Applications and ApplicationSets in the files of a tree.
 * @param before the findings in another tree: only files that differ from it are read again
 */
export async function readApplicationFiles(
  tree: FileTree,
  before?: ApplicationFiles,
): Promise<ApplicationFiles> {
  const changed = before?.warnings.length === 0 ? await changedPaths(before.tree, tree) : undefined
  if (before && changed && changed.size < maxFiles) {
    const manifests = Map.groupBy(before.objects, ({ path }) => path)
    const found: FoundFile[] = [...before.mentions]
      .filter((path) => !changed.has(path))
      .map((path) => ({
        path,
        manifests: (manifests.get(path) ?? []).map(({ manifest }) => manifest),
        unreadable: before.unreadable.get(path),
      }))
    const entries = await mapWithLimit([...changed], readsAtOnce, async (path) => ({
      path,
      entry: await tree.entry(path),
    }))
    const paths = entries.flatMap(({ path, entry }) => (entry && isCandidate(entry) ? [path] : []))
    return filesOf(tree, [...found, ...(await readCandidates(tree, paths))], [])
  }
  const paths = await candidates(tree, '')
  const warnings =
    paths.length > maxFiles
      ? [`only the first ${maxFiles} YAML, JSON and template files were searched for Applications`]
      : []
  return filesOf(tree, await readCandidates(tree, paths.slice(0, maxFiles)), warnings)
}

/** Returns true if an object is an Application or an ApplicationSet of Argo CD. */
export function isApplicationKind({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'argoproj.io/v1alpha1' && (kind === 'Application' || kind === 'ApplicationSet')
}

function filesOf(
  tree: FileTree,
  unsorted: readonly FoundFile[],
  warnings: readonly string[],
): ApplicationFiles {
  const found = unsorted.toSorted(by(({ path }) => path))
  const mentions = new Set(found.map(({ path }) => path))
  return {
    tree,
    objects: found.flatMap(({ path, manifests }) => manifests.map((manifest) => ({ path, manifest }))),
    mentions,
    unreadable: new Map(found.flatMap(({ path, unreadable }) => (unreadable ? [[path, unreadable]] : []))),
    mentionedPlaces: new Set([...mentions].flatMap((path) => [path, ...directoriesOf(path)])),
    warnings,
  }
}

/** Those of some files that name the kinds. */
async function readCandidates(tree: FileTree, paths: readonly string[]): Promise<FoundFile[]> {
  const found = await mapWithLimit(paths, readsAtOnce, async (path): Promise<FoundFile[]> => {
    const text = (await tree.read(path, maxFileBytes).catch(emptyIfLarge)).toString()
    if (!namedKind.test(text)) return []
    return [isManifestFile.test(path) ? fileOf(text, path) : { path, manifests: [] }]
  })
  return found.flat()
}

/** The directories that a file is in, up to the root. */
function directoriesOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index).join('/'))
}

function emptyIfLarge(error: unknown): Buffer {
  if (error instanceof ResourceExhaustedError) return Buffer.alloc(0)
  throw error
}

function fileOf(text: string, path: string): FoundFile {
  try {
    return { path, manifests: parseManifests(text, { file: path }).filter(isApplicationKind) }
  } catch (error) {
    const isExpected = text.includes('{{') || isYaml(text, path)
    return { path, manifests: [], unreadable: { error: errorMessage(error), isExpected } }
  }
}

function isYaml(text: string, path: string): boolean {
  try {
    return readYaml(text, path).documents.length > 0
  } catch {
    return false
  }
}

function isCandidate({ name, kind }: { name: string; kind: string }): boolean {
  return (
    (kind === 'file' || kind === 'executable') && (isManifestFile.test(name) || isTemplateFile.test(name))
  )
}

async function candidates(tree: FileTree, directory: string): Promise<string[]> {
  const entries = await tree.list(directory)
  const paths = await mapWithLimit(entries, readsAtOnce, async (entry): Promise<string[]> => {
    const path = childPath(directory, entry.name)
    if (entry.kind === 'directory') return candidates(tree, path)
    return isCandidate(entry) ? [path] : []
  })
  return paths.flat()
}
