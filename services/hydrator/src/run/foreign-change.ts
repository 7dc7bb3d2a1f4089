import {
  type ForeignChange,
  foreignChangeText,
  type HydratedBranchStatus,
} from '@wadi/hydration/hydrated-branch.ts'
import type { ForeignChange as ForeignChangeMessage } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ForeignChangesPolicy } from '../operator-settings.ts'
import type { ObservedRun } from './branch-run.ts'
import type { RunOutcome } from './run-outcome.ts'

/** What commit-server found, as the record keeps it; the time of the first sight stays. */
export function recordedChange(
  found: ForeignChangeMessage,
  { knownHead, headSha, policy }: { knownHead: string; headSha: string; policy: ForeignChangesPolicy },
  before: HydratedBranchStatus | undefined,
): ForeignChange | undefined {
  const kind = kindOf(found.kind)
  if (!kind) return undefined
  const { paths, commit, author } = found
  const known = before?.foreignChange
  const detectedAt = known?.headSha === headSha ? known.detectedAt : new Date().toISOString()
  return { kind, knownHead, headSha, paths, commit, author, detectedAt, policy }
}

function kindOf(text: string): ForeignChange['kind'] | undefined {
  return (['deleted', 'rewound', 'rewritten', 'edited'] as const).find((kind) => kind === text)
}

/** Whether the operator wants nothing hydrated onto the branch until somebody confirms with a hard hydration. */
export function isBlocked(
  { settings, hard }: ObservedRun,
  { foreign }: Pick<RunOutcome, 'foreign'>,
): boolean {
  return foreign !== undefined && settings.foreignChanges === 'block' && !hard
}

/** Whether Wadi's files are to be put back before anything else. */
export function wantsRestore(
  { settings, hard }: ObservedRun,
  { foreign }: Pick<RunOutcome, 'foreign'>,
): boolean {
  if (foreign === undefined || settings.isLeftToArgoCd) return false
  return settings.foreignChanges === 'restore' || (settings.foreignChanges === 'block' && hard)
}

/** Why a blocked branch is not hydrated and what to do. */
export function blockedMessage(
  { branch, groups }: ObservedRun,
  { foreign }: Pick<RunOutcome, 'foreign'>,
): string {
  const member = groups[0]?.members[0]?.application.metadata
  const name =
    member?.namespace === controlPlaneNamespace ? member.name : `${member?.namespace}/${member?.name}`
  const change = foreign ? foreignChangeText(foreign) : 'was changed'
  return (
    `branch ${branch} ${change}; nothing is hydrated onto it because sourceHydrator.foreignChanges is block. ` +
    `Undo the change, or confirm with "wadi app hydrate ${name} --hard", which writes Wadi's files again`
  )
}
