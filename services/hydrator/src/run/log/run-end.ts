import { create } from '@bufbuild/protobuf'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { type RunSource, RunSourceSchema } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { settingsDigest } from '../../operator-settings.ts'
import type { ObservedGroup, ObservedRun } from '../branch-run.ts'
import { isRequested } from '../observe/groups.ts'
import type { RunInProgress } from '../run-outcome.ts'

const maxSources = 20

/**
 * Returns what the log says of a run as a whole when it ends.
 * @param hasCommitted true if it changed manifests on the branch
 */
export function endOf({ run, outcome }: RunInProgress, hasCommitted: boolean) {
  const failures = [...outcome.failures.values()]
  const { headSha } = outcome.position
  const message = failures.find((failure) => failure.message !== '')?.message ?? ''
  return {
    outcome: failures.length > 0 ? 'Failed' : hasCommitted ? 'Hydrated' : 'Unchanged',
    message,
    isHard: run.hard,
    hydratedSha: headSha,
    sources: run.groups
      .filter((group) => !outcome.resting.has(group) || outcome.failures.has(group))
      .slice(0, maxSources)
      .map((group) => sourceOf({ run, outcome }, group)),
  }
}

function sourceOf({ run, outcome }: RunInProgress, group: ObservedGroup): RunSource {
  const { repoUrl, targetRevision, chart, drySha } = group
  return create(RunSourceSchema, {
    repoUrl: redactUrl(repoUrl),
    targetRevision,
    chart,
    drySha,
    reasons: reasonsOf(run, group),
    message: outcome.failures.get(group)?.message ?? '',
  })
}

/** Returns why a group had a run, in words. */
function reasonsOf(run: ObservedRun, group: ObservedGroup): string[] {
  const { before, drySha, digest } = group
  const success = before?.success
  const reasons: [boolean, string][] = [
    [run.hard, 'a hard hydration was requested'],
    [!run.hard && isRequested(group), 'a hydration was requested'],
    [success === undefined, 'first hydration'],
    [success !== undefined && success.drySha !== drySha, 'new dry commit'],
    [success !== undefined && success.members !== digest, 'Applications changed'],
    [
      success !== undefined && success.settings !== settingsDigest(run.settings, run.renderers),
      'settings or tools changed',
    ],
    [before?.phase === 'Failed', 'the last run failed'],
    [run.foreign !== undefined, 'somebody else changed the branch'],
  ]
  const found = reasons.flatMap(([applies, reason]) => (applies ? [reason] : []))
  return found.length > 0 ? found : ['the branch is compared again']
}
