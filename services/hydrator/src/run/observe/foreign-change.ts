import {
  type ForeignChange,
  foreignChangeText,
  type HydratedBranchStatus,
} from '@wadi/hydration/hydrated-branch.ts'
import type { ForeignChange as ForeignChangeMessage } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { ForeignChangesPolicy } from '../../operator-settings.ts'
import type { ObservedRun } from '../branch-run.ts'
import { memberName } from './member-name.ts'
import { isLeftToOther, leftToOtherMessage } from './other-installation.ts'
import type { RunOutcome } from '../run-outcome.ts'

/** Returns the findings of commit-server in the form of the record; the time of the first sight stays. */
export function recordedChange(
  found: ForeignChangeMessage,
  place: { knownHead: string; headSha: string; policy: ForeignChangesPolicy; signer: string },
  before: HydratedBranchStatus | undefined,
): ForeignChange | undefined {
  const kind = kindOf(found.kind)
  if (!kind) return undefined
  const { knownHead, headSha, policy, signer } = place
  const { paths, commit, author } = found
  const known = before?.foreignChange
  const detectedAt = known?.headSha === headSha ? known.detectedAt : new Date().toISOString()
  const signed = signer === '' ? {} : { signer }
  return { kind, knownHead, headSha, paths, commit, author, ...signed, detectedAt, policy }
}

function kindOf(text: string): ForeignChange['kind'] | undefined {
  return (['deleted', 'rewound', 'rewritten', 'edited'] as const).find((kind) => kind === text)
}

/** Returns true if nothing is hydrated onto the branch until a hard hydration confirms it: the operator or another installation wants that. */
export function isBlocked(run: ObservedRun, { foreign }: Pick<RunOutcome, 'foreign'>): boolean {
  const { settings, hard } = run
  if (isLeftToOther(run)) return true
  return foreign !== undefined && settings.foreignChanges === 'block' && !hard
}

/** Returns true if Wadi's files are to be put back before anything else. */
export function wantsRestore(run: ObservedRun, { foreign }: Pick<RunOutcome, 'foreign'>): boolean {
  const { settings, hard } = run
  if (foreign === undefined || settings.isLeftToArgoCd || isLeftToOther(run)) return false
  return settings.foreignChanges === 'restore' || (settings.foreignChanges === 'block' && hard)
}

/** Returns the reason why a blocked branch is not hydrated and what to do. */
export function blockedMessage(run: ObservedRun, { foreign }: Pick<RunOutcome, 'foreign'>): string {
  if (isLeftToOther(run)) return leftToOtherMessage(run)
  const { branch, groups } = run
  const name = memberName(groups)
  const change = foreign ? foreignChangeText(foreign) : 'was changed'
  return (
    `branch ${branch} ${change}; nothing is hydrated onto it because sourceHydrator.foreignChanges is block. ` +
    `Undo the change, or confirm with "wadi app hydrate ${name} --hard", which writes Wadi's files again`
  )
}
