import type { ComparedSide } from '@wadi/changes/applications/application-changes.ts'
import { workAhead } from '@wadi/concurrency/work-ahead.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { GetDirectoriesResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { ObservedRun } from '../run/branch-run.ts'
import type { RunContext } from '../run/run-context.ts'

/** A branch at a commit. */
type HeldBranch = Pick<ObservedRun, 'repoUrl' | 'branch' | 'project'> & {
  readonly position: { readonly headSha: string }
}

/** Bytes of a manifest.yaml; one that Wadi wrote has fewer, but people may have changed it. */
const maxManifestBytes = 64 * 1024 * 1024

/** Directories that are read with one call: a call each takes longer than what it returns. */
const directoriesTogether = 16

/** Calls whose answers wait for their questions, or are under way. */
const callsAhead = 2

/**
 * Reads directories of a hydrated branch some at a time, before they are asked for, so that no render waits for its other side.
 * @returns a function that returns each directory once; undefined for a directory where nothing is hydrated
 */
export function heldSides(
  { commitServer }: Pick<RunContext, 'commitServer'>,
  { repoUrl, branch, project, position: { headSha: revision } }: HeldBranch,
  paths: readonly string[],
  signal: AbortSignal,
): (path: string) => Promise<ComparedSide | undefined> {
  if (revision === '') return async () => undefined
  const batches: (readonly string[])[] = paths.flatMap((_, index) =>
    index % directoriesTogether === 0 ? [paths.slice(index, index + directoriesTogether)] : [],
  )
  const batchOf = new Map(batches.flatMap((batch) => batch.map((path) => [path, batch])))
  const answerTo = workAhead(batches, callsAhead, async (batch) => {
    const directories = new Map<string, GetDirectoriesResponse>()
    const request = { repoUrl, revision, paths: [...batch], project }
    for await (const directory of commitServer.getDirectories(request, { signal }))
      directories.set(directory.path, directory)
    return directories
  })
  const answers = new Map<readonly string[], Promise<Map<string, GetDirectoriesResponse>>>()
  return async (path) => {
    const batch = batchOf.get(path)
    const directories = batch && (await answers.getOrInsertComputed(batch, answerTo))
    const found = directories?.get(path)
    directories?.delete(path)
    if (!found) return undefined
    const file = `manifest.yaml in ${path || '.'} of branch ${branch}`
    const manifests = parseManifests(found.manifest, { file, limits: { maxBytes: maxManifestBytes } })
    return { manifests, files: found.files }
  }
}
