import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { MemberGroup } from '../run/branch-run.ts'
import { readVerification } from '../run/observe/group-verification.ts'
import type { RunContext } from '../run/run-context.ts'
import type { MadeApplications } from './made-applications.ts'
import type { Comparison } from './resolve-comparison.ts'

/**
 * Looks for Applications in the files of the dry repository that the revision changes. A repository that cannot be read now has none, nor does a
 * repo-server of an older version.
 * @returns warnings for the summary
 */
export async function noteWrittenApplications(
  context: Pick<RunContext, 'repoServer' | 'store'>,
  { group, made }: { group: MemberGroup; made: MadeApplications },
  { revisionSha: sha, base, targetSha, followedBy }: Comparison,
  signal: AbortSignal,
): Promise<string[]> {
  const position = group.sources.findIndex(followedBy)
  const { repoUrl = group.repoUrl } = group.sources[position] ?? {}
  const { verifications } = await readVerification(context.store, group)
  const verification = verifications[position]
  if (!verification) return []
  try {
    const beforeSha = (await base) ?? targetSha
    const { project } = group
    const signed = { ...verification, revision: '' }
    const request = { repoUrl, project, sha, beforeSha, verification: signed, kind: 'Application' }
    const { files, isCut } = await context.repoServer.readChangedManifests(request, { signal })
    for (const { path, before, after } of files) {
      made.addWritten(objectsOf(before, path), objectsOf(after, path))
    }
    return isCut ? ['only some of the changed files were searched for Applications'] : []
  } catch (error) {
    if (!(error instanceof DomainError) || signal.aborted) throw error
    return []
  }
}

function objectsOf(content: Uint8Array, file: string): Manifest[] {
  try {
    return parseManifests(Buffer.from(content).toString(), { file })
  } catch (error) {
    // Templates are no manifests.
    if (!(error instanceof InvalidInputError)) throw error
    return []
  }
}
