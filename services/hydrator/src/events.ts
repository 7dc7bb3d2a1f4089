import {
  type ApplicationFailure,
  type ForeignChange,
  foreignChangeText,
} from '@wadi/hydration/hydrated-branch.ts'
import { isDeepStrictEqual } from 'node:util'
import { DeadlineExceededError, errorMessage, UnavailableError } from '@wadi/errors/domain-error.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import type { Member } from './applications/application-index.ts'
import type { GroupFailure, ObservedGroup, ObservedRun } from './run/branch-run.ts'
import { createPullRequestEvents, type PullRequestEvents } from './pull-requests/pull-request-events.ts'
import { createReviewEvents, type ReviewEvents } from './review/review-events.ts'
import type { RunInProgress } from './run/run-outcome.ts'

/** Events of a hydrator, counted and logged in one place. */
export interface HydratorEvents extends ReviewEvents, PullRequestEvents {
  /** A step of a run begins. */
  step(name: string, run: ObservedRun): void
  /** A group's commit landed, or its note moved. */
  committed(
    run: ObservedRun,
    group: ObservedGroup,
    answer: { hydratedSha: string; changedPaths: string[] },
  ): void
  /** The note of a head that promoters could not read is one again that they can. */
  noteReplaced(run: ObservedRun, headSha: string, problem: string): void
  /** Gates found something in a directory that was rendered, which is that of some members. */
  found(run: ObservedRun, members: readonly Member[], findings: readonly Finding[]): void
  /** A branch of a project got what it waited for: a hydrator of the queue, or a place to render. */
  waited(project: string, step: 'queue' | 'rendering', milliseconds: number): void
  /** A dry commit that is not the newest cannot be rendered and gets no hydrated commit. */
  passedOver(run: ObservedRun, drySha: string, failures: readonly ApplicationFailure[]): void
  /** A run ended and its outcome is recorded. */
  finished(ended: RunInProgress, milliseconds: number): void
  /** Somebody else deleted, rewound or edited the branch; seen for the first time. */
  foreignChange(run: ObservedRun, change: ForeignChange): void
  /** Somebody else's change is undone, with a commit that is the branch's head now. */
  restored(run: ObservedRun, change: ForeignChange, hydratedSha: string): void
  /** Wadi's last commit is gone from the repository, so the branch is hydrated again instead. */
  notRestored(run: ObservedRun, reason: string): void
  /** A poll of the repositories failed; the next one comes after the interval. */
  pollFailed(error: unknown): void
  /** An Application cannot be read and takes no part. */
  invalidApplication(name: string, message: string): void
}

/** Events that update `metrics` and the log. */
export function createHydratorEvents(logger: Logger, metrics: MetricsRegistry): HydratorEvents {
  const { runs, seconds, rendered, changed, foreign } = createRunMetrics(metrics)
  return {
    ...otherEvents(logger, metrics),
    step(name, run) {
      logger.debug({ branch: run.branch, step: name }, 'hydration step')
    },
    committed(run, group, { hydratedSha, changedPaths }) {
      changed.inc(changedPaths.length)
      const { branch } = run
      const { drySha } = group
      logger.info({ branch, drySha, hydratedSha, changed: changedPaths.length }, 'hydrated')
    },
    noteReplaced({ branch, repoUrl }, headSha, problem) {
      logger.warn(
        { repository: redactUrl(repoUrl), branch, headSha, reason: `the head ${problem}` },
        'note replaced',
      )
    },
    passedOver({ branch }, drySha, failures) {
      logger.warn({ branch, drySha, failures: failures.slice(0, 5) }, 'dry commit passed over')
    },
    finished({ run, outcome: { rendered: sources, failures } }, milliseconds) {
      rendered.inc(sources)
      for (const group of run.groups) runs.inc({ outcome: failures.has(group) ? 'failed' : 'hydrated' })
      seconds.observe({ outcome: failures.size > 0 ? 'failed' : 'hydrated' }, milliseconds / 1000)
      for (const [group, failure] of failures) {
        const { drySha } = group
        const { branch } = run
        // Whoever reads the repository has said that it is unreachable, once for all branches.
        const level = isOutage(run, group, failure) || isKnown(group, failure) ? 'debug' : 'warn'
        logger[level](
          { branch, drySha, reason: failure.message, failures: failure.failures.slice(0, 5) },
          'not hydrated',
        )
      }
    },
    foreignChange({ branch, repoUrl }, change) {
      const { kind, policy, headSha, paths, author } = change
      foreign.inc({ kind, policy })
      const reason = `branch ${branch} ${foreignChangeText(change)}`
      logger.warn(
        { repository: redactUrl(repoUrl), branch, kind, policy, headSha, paths, author, reason },
        'foreign change',
      )
    },
    restored({ branch, repoUrl }, { kind }, hydratedSha) {
      logger.warn({ repository: redactUrl(repoUrl), branch, kind, hydratedSha }, 'foreign change undone')
    },
    notRestored({ branch }, reason) {
      logger.warn({ branch, reason }, 'hydrating the branch again')
    },
  }
}

function createRunMetrics(metrics: MetricsRegistry) {
  return {
    runs: metrics.counter('hydrations_total', 'Finished hydration runs of a group: hydrated or failed.', [
      'outcome',
    ]),
    seconds: metrics.histogram(
      'hydration_duration_seconds',
      "Duration of a branch's run, hydrated or failed.",
      ['outcome'],
    ),
    rendered: metrics.counter('rendered_sources_total', 'Sources that had to be rendered.'),
    changed: metrics.counter('changed_directories_total', 'Hydrated directories that a commit changed.'),
    foreign: metrics.counter(
      'foreign_changes_total',
      'Changes of hydrated branches by somebody else: deleted, rewound, rewritten or edited; the policy is that of foreignChanges.',
      ['kind', 'policy'],
    ),
  }
}

/** Returns the events beside runs. */
function otherEvents(
  logger: Logger,
  metrics: MetricsRegistry,
): ReviewEvents &
  PullRequestEvents &
  Pick<HydratorEvents, 'found' | 'waited' | 'pollFailed' | 'invalidApplication'> {
  const findings = metrics.counter(
    'gate_findings_total',
    'Findings of gates in rendered directories, denied ones too.',
    ['gate', 'severity'],
  )
  const waits = metrics.gauge(
    'wait_seconds',
    'Time in seconds for which the newest branch of a project waited: in the queue, or for a place to render (rendering).',
    ['project', 'step'],
  )
  return {
    ...createReviewEvents(logger, metrics),
    ...createPullRequestEvents(logger),
    found({ branch }, _members, found) {
      for (const { rule, severity } of found) findings.inc({ gate: rule.split('/', 1).join(), severity })
      const shown = found.slice(0, 5).map(({ rule, severity, field, object }) => {
        return { rule, severity, kind: object?.kind, namespace: object?.namespace, name: object?.name, field }
      })
      logger.info({ branch, count: found.length, findings: shown }, 'gates found something')
    },
    waited: (project, step, milliseconds) => waits.set({ project, step }, milliseconds / 1000),
    pollFailed(error) {
      logger.warn({ reason: errorMessage(error) }, 'repositories could not be polled')
    },
    invalidApplication(name, message) {
      logger.warn({ application: name, reason: message }, 'application cannot be read')
    },
  }
}

function isOutage(
  { destination }: ObservedRun,
  { unresolved }: ObservedGroup,
  { cause }: GroupFailure,
): boolean {
  const isAway = cause instanceof UnavailableError || cause instanceof DeadlineExceededError
  return isAway && (unresolved !== undefined || destination.error !== '')
}

/** Returns true if the previous run failed with the same message. */
function isKnown({ before }: ObservedGroup, failure: GroupFailure): boolean {
  return (
    before?.phase !== 'Hydrated' &&
    before?.failed !== undefined &&
    before.message === failure.message &&
    isDeepStrictEqual(before.failures, failure.failures)
  )
}
