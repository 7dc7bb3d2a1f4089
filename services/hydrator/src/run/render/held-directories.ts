import { workAhead } from '@wadi/concurrency/work-ahead.ts'
import type { GetDirectoriesResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { RunContext } from '../run-context.ts'

/** A branch of a hydrated repository, or a commit of one. */
export interface HeldRevision {
  readonly repoUrl: string
  readonly project: string
  /** The name of a branch or a full commit id; empty for a branch that does not exist. */
  readonly revision: string
}

/** Directories that are read with one call: a call each takes longer than what it returns. */
const directoriesTogether = 16

/** Calls whose answers wait for their questions, or are under way. */
const callsAhead = 2

/**
 * Reads directories of a hydrated branch some at a time, before they are asked for, so that no render waits for them.
 * @returns a function that returns each directory once; undefined for a directory where nothing is hydrated
 */
export function heldDirectories(
  { commitServer }: Pick<RunContext, 'commitServer'>,
  { repoUrl, project, revision }: HeldRevision,
  paths: readonly string[],
  signal: AbortSignal,
): (path: string) => Promise<GetDirectoriesResponse | undefined> {
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
    return found
  }
}
