import type { Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SourceSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Member } from '../applications/application-index.ts'
import type { BranchRun, Directory, GroupRun, RunContext } from './branch-run.ts'

/** A directory and what decides its bytes at one dry commit. */
export interface InspectedDirectory {
  directory: Directory
  fingerprint: string
}

/** What must be done for one dry commit of a group. */
export interface GroupPlan {
  drySha: string
  /** Directories whose fingerprint is not the one that the branch's head was rendered from. */
  changed: InspectedDirectory[]
  /** Fingerprints of all the group's directories. */
  fingerprints: Map<string, string>
}

/**
 * Asks repo-server what decides each directory's bytes at a dry commit and keeps those that differ from what the branch
 * holds. Undefined, with the group failed, when a member cannot be rendered.
 */
export async function inspect(
  run: BranchRun,
  group: GroupRun,
  drySha: string,
  context: RunContext,
  signal: AbortSignal,
): Promise<GroupPlan | undefined> {
  const { repoURL: repoUrl, project, directories } = group
  const sources = directories.map(({ members }) => sourceOf(members[0]))
  const { inspections } = await context.repoServer.inspectSources(
    { repoUrl, project, sha: drySha, sources },
    { signal },
  )
  const plan: GroupPlan = { drySha, changed: [], fingerprints: new Map() }
  const failures = []
  for (const [index, directory] of directories.entries()) {
    const inspection = inspections[index]
    if (!inspection || inspection.error !== '') {
      const message = inspection?.error ?? 'repo-server told nothing of the source'
      failures.push(...directory.members.map((member) => ({ application: member.name, message })))
      continue
    }
    for (const member of directory.members) {
      if (inspection.notices.length > 0) group.notices.set(member.name, inspection.notices)
    }
    const { fingerprint } = inspection
    plan.fingerprints.set(directory.path, fingerprint)
    if (run.held?.get(directory.path) !== fingerprint) plan.changed.push({ directory, fingerprint })
  }
  if (failures.length === 0) return plan
  group.failure = { message: '', failures }
  return undefined
}

/** What repo-server needs to know of a member's dry source. */
export function sourceOf({ application, spec }: Member): MessageInitShape<typeof SourceSchema> {
  const { path, targetRevision, helm, kustomize, directory, plugin } = spec.drySource
  const options = helm || kustomize || directory || plugin
  return {
    path,
    targetRevision,
    optionsJson: options ? JSON.stringify({ helm, kustomize, directory, plugin }) : '',
    destinationNamespace: application.destination.namespace ?? '',
    applicationName: application.metadata.name,
  } satisfies Partial<Source>
}
