import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { heldDryRecord } from '@wadi/hydration/held-metadata.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import type { DrySide } from '../diff/local/dry-side.ts'
import type { BranchHead } from '../diff/local/git-sources.ts'
import type { SourceFiles, SourcesElsewhere } from '../diff/local/source-files.ts'
import { nothingKept } from '../tools/kept-versions.ts'

/** The dry commit that a hydrated branch is of. */
export interface RecordedDrySide extends DrySide {
  /** False if nothing on the branch names a commit of the dry repository, so that its newest one stands for it. */
  readonly isRecorded: boolean
}

const maxRecordBytes = 1024 * 1024

const versions: DrySide['versions'] = { of: () => Promise.resolve(nothingKept) }

/**
 * Opens the dry commit that a branch names: in its note, in `hydrator.metadata` of its root, by a full commit id in its newest
 * message, in the record of Kargo Render, or in `hydrator.metadata` of the directory, the first that the dry repository has.
 * @param path the hydrated directory
 * @throws FailedPreconditionError for a repository that cannot be read, NotFoundError for a revision that does not exist
 */
export async function drySideOfBranch(
  source: DrySource,
  { note, message, tree }: BranchHead,
  path: string,
  { elsewhere, signal }: { elsewhere: SourcesElsewhere; signal: AbortSignal },
): Promise<RecordedDrySide> {
  const named = [
    readHydratorMetadata(note).drySha,
    (await heldDryRecord(tree, '')).drySha,
    commitIn(message),
    commitIn(await kargoRenderRecord(tree)),
    (await heldDryRecord(tree, path)).drySha,
  ]
  const recorded = await firstThere(named, (sha) => elsewhere.files({ ...source, targetRevision: sha }))
  const files = recorded ?? (await elsewhere.files(source))
  const isCompared = (revision: string): boolean => revision === source.targetRevision
  return {
    ...files,
    repoUrl: source.repoURL,
    isRecorded: recorded !== undefined,
    isCompared,
    versions,
    signal,
    treeAt: (targetRevision) =>
      isCompared(targetRevision) ? Promise.resolve(files) : elsewhere.files({ ...source, targetRevision }),
  }
}

async function firstThere(
  commits: readonly string[],
  filesAt: (sha: string) => Promise<SourceFiles>,
): Promise<SourceFiles | undefined> {
  for (const sha of new Set(commits.filter((text) => text !== ''))) {
    try {
      return await filesAt(sha)
    } catch (error) {
      // A branch that several dry repositories feed may name a commit of another one.
      if (!(error instanceof NotFoundError)) throw error
    }
  }
  return undefined
}

/** Returns the first full commit id in a text; empty without one. */
function commitIn(text: string): string {
  return /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/.exec(text)?.[0] ?? ''
}

async function kargoRenderRecord(tree: BranchHead['tree']): Promise<string> {
  const entry = await tree.entry('.kargo-render/metadata.yaml')
  return entry?.kind === 'file' ? (await tree.read(entry, maxRecordBytes)).toString() : ''
}
