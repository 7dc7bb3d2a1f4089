import { hash } from 'node:crypto'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { areUnchanged } from '@wadi/incremental/changed-paths.ts'
import { ReadIds } from '@wadi/incremental/read-ids.ts'
import type { ToolVersions } from '@wadi/hydration/tool-versions.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { rootOf } from '@wadi/file-trees/repository-path.ts'
import type { TreeRead } from '@wadi/file-trees/tracing-tree.ts'
import {
  readInspections,
  type SourceFacts,
  type StoredInspections,
  UnusableFileError,
  writeInspections,
} from './inspections-file.ts'

/** The files of a commit that the checkout has. */
interface CommitFiles extends FileTree {
  readonly sha: string
}

/** Most inspections of one commit, and of other files. */
const maxSources = 50_000
const maxOthers = 5_000
/** Inspections of one source that are kept beside that of the commit: its branches and working trees. */
const maxOfOne = 3

/** The file with the inspections of a repository. */
export interface InspectionsPlace {
  readonly file: string
  /** The inputs that decide inspections besides the files: the versions of Wadi and of the renderers, and settings. */
  readonly identity: string
  /** The commit that most of what is compared is equal to. */
  readonly base: CommitFiles
  /** The files of a commit; rejects when the checkout does not have it. */
  readonly treeOf: (commit: string) => Promise<FileTree>
  readonly warn: (message: string) => void
}

/** The name of the file for a repository, which shows neither its URL nor credentials in it. */
export function inspectionsName(repoUrl: string): string {
  return `${hash('sha256', normalizeRepositoryUrl(redactUrl(repoUrl)))}.json`
}

/**
 * Inspections of sources, kept between runs. One is used for other files if nothing changed where it looked, so that a run costs what
 * changed, not how many sources there are.
 */
export class KeptInspections {
  readonly #place: InspectionsPlace
  readonly #sources: Map<string, SourceFacts & { readonly paths: readonly string[] }>
  readonly #others: Map<string, readonly (SourceFacts & { readonly reads: readonly TreeRead[] })[]>
  readonly #keys = new WeakMap<RenderSource, string>()
  readonly #ids = new ReadIds()
  #isChanged: boolean

  private constructor(place: InspectionsPlace, stored: StoredInspections | undefined) {
    this.#place = place
    this.#sources = new Map(stored?.sources)
    this.#others = new Map(stored?.others)
    this.#isChanged = stored?.commit !== place.base.sha
  }

  /** Reads what earlier runs kept; a file that cannot be used is a warning. */
  static async open(place: InspectionsPlace): Promise<KeptInspections> {
    try {
      const stored = await readInspections(place.file, place.identity)
      return new KeptInspections(place, stored && (await moved(stored, place)))
    } catch (error) {
      if (!(error instanceof UnusableFileError)) throw error
      place.warn(`what was kept of earlier comparisons in ${place.file} is not used: ${error.message}`)
      return new KeptInspections(place, undefined)
    }
  }

  /** Returns the known facts about a source in these files, rendered with these versions where it names none. */
  async find(
    tree: FileTree,
    source: RenderSource,
    versions: ToolVersions = {},
  ): Promise<SourceFacts | undefined> {
    const key = this.#keyOf(source, versions)
    const atBase = this.#sources.get(key)
    if (atBase && (await areUnchanged(atBase.paths, this.#place.base, tree))) return atBase
    for (const other of this.#others.get(key) ?? []) {
      if (!(await this.#ids.areSame(other.reads, tree))) continue
      if (tree === this.#place.base) await this.#keepAtBase(key, other)
      return other
    }
    return undefined
  }

  /** Later runs then need not ask for what was read. */
  async #keepAtBase(
    key: string,
    { reads, fingerprint, inputs, warnings }: SourceFacts & { readonly reads: readonly TreeRead[] },
  ): Promise<void> {
    const { dependenciesOf } = await import('@wadi/rendering/inspection/source-inspection.ts')
    const { paths } = dependenciesOf({ reads, variables: [] })
    if (paths.some((path) => rootOf(path) !== '')) return
    this.#isChanged = true
    this.#sources.set(key, { fingerprint, inputs, warnings, paths })
  }

  /** Keeps an inspection of these files, unless it is another one for each revision. */
  async keep(
    tree: FileTree,
    source: RenderSource,
    inspection: SourceInspection,
    versions: ToolVersions = {},
  ): Promise<void> {
    const { dependenciesOf } = await import('@wadi/rendering/inspection/source-inspection.ts')
    const { paths, onRevision } = dependenciesOf(inspection)
    if (onRevision) return
    const { fingerprint, inputs, warnings, reads } = inspection
    const key = this.#keyOf(source, versions)
    this.#isChanged = true
    if (tree === this.#place.base && paths.every((path) => rootOf(path) === '')) {
      this.#sources.set(key, { fingerprint, inputs, warnings, paths })
      return
    }
    const others = this.#others.get(key) ?? []
    this.#others.delete(key)
    this.#others.set(key, [{ fingerprint, inputs, warnings, reads }, ...others].slice(0, maxOfOne))
  }

  /** Writes what is new for the next run; when that is not possible, the next run inspects again. */
  async save(): Promise<void> {
    if (!this.#isChanged) return
    const { file, identity, base, warn } = this.#place
    const stored = {
      commit: base.sha,
      sources: new Map([...this.#sources].slice(-maxSources)),
      others: new Map([...this.#others].slice(-maxOthers)),
    }
    try {
      await writeInspections(file, identity, stored)
    } catch (error) {
      warn(`cannot keep what was found for the next comparison in ${file}: ${String(error)}`)
    }
  }

  /** The versions that the branch of a source keeps decide its inspection too. */
  #keyOf(source: RenderSource, versions: ToolVersions): string {
    return this.#keys.getOrInsertComputed(source, () =>
      hash('sha256', JSON.stringify([source, versions]), 'base64url'),
    )
  }
}

/** Leaves out what is not valid for the commit that is compared with now. */
async function moved(
  stored: StoredInspections,
  { base, treeOf }: InspectionsPlace,
): Promise<StoredInspections> {
  if (stored.commit === base.sha) return stored
  const tree = await treeOf(stored.commit).catch(() => undefined)
  const sources = new Map<string, SourceFacts & { readonly paths: readonly string[] }>()
  for (const [key, facts] of tree ? stored.sources : []) {
    if (tree && (await areUnchanged(facts.paths, tree, base))) sources.set(key, facts)
  }
  return { ...stored, sources }
}
