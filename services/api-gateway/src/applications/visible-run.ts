import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { dryNameOf, type DrySourceName, drySourceKey } from '@wadi/hydration/same-dry-source.ts'
import type { Run, RunEvent, RunSource } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Call } from '../authorization/authorization.ts'
import type { GatewayContext } from '../context.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

/** A run as far as the caller may see the Applications of its branch. */
interface VisibleRun {
  run: Run
  /** The number of directories of other Applications. */
  hidden: number
}

/** The Applications on a branch, as one caller sees them. */
interface SeenMembers {
  /** `namespace/name` of those that the caller may see. */
  names: ReadonlySet<string>
  /** The keys of their dry sources. */
  sources: ReadonlySet<string>
  /** The keys of those of the others alone. */
  hiddenSources: ReadonlySet<string>
  hasHidden: boolean
}

const notShown = 'not shown, because it may be about an Application that you may not see'

/** Events that concern the branch as a whole. */
const branchReasons = new Set(['ForeignChange', 'ForeignChangeUndone', 'NoteReplaced'])

/**
 * Returns what reduces runs of a branch to what the caller may see.
 * @param application one on the branch that the caller may see
 */
export function visibleRuns(
  { summaries, authorization }: Pick<GatewayContext, 'summaries' | 'authorization'>,
  call: Call,
  application: Application,
  key: string,
): (run: Run) => VisibleRun {
  const all = summaries.onBranch(key)
  const visible = all.filter(visibleTo(authorization, call))
  const { namespace = controlPlaneNamespace, name } = application.metadata
  // The index may not know a new Application yet.
  const own = application.hydrated ? [dryNameOf(application.hydrated)] : []
  const sources = [...own, ...visible.flatMap(({ source }) => source.member ?? [])]
  const sourceKeys = new Set(sources.map(drySourceKey))
  const others = all
    .flatMap(({ source }) => source.member ?? [])
    .filter((member) => !sourceKeys.has(drySourceKey(member)))
  const seen = {
    names: new Set([
      `${namespace}/${name}`,
      ...visible.map(({ summary }) => `${summary.namespace}/${summary.name}`),
    ]),
    sources: new Set(sources.map(loggedSourceKey)),
    hiddenSources: new Set(others.map(loggedSourceKey)),
    hasHidden: visible.length < all.length,
  }
  return (run) => visibleRun(run, seen)
}

function visibleRun(run: Run, seen: SeenMembers): VisibleRun {
  const isVisible = (name: string) => seen.names.has(name)
  const directories = run.directories.filter(({ applications }) => applications.some(isVisible))
  const hidden = run.directories.length - directories.length
  const isWhole = run.directories.every(({ applications }) => applications.every(isVisible))
  if (isWhole && !seen.hasHidden) return { run, hidden }
  const sources = run.sources
    .filter((source) => seen.sources.has(loggedKey(source)))
    .map((source) => {
      const isShared = seen.hiddenSources.has(loggedKey(source))
      return isShared ? { ...source, message: withoutHidden(source.message, new Set()) } : source
    })
  const messages = new Set(sources.map(({ message }) => message))
  return {
    run: {
      ...run,
      message: withoutHidden(run.message, messages),
      steps: run.steps.map((step) => ({ ...step, error: withoutHidden(step.error, messages) })),
      sources,
      directories: directories.map((directory) => {
        const applications = directory.applications.filter(isVisible)
        const isOwn = applications.length === directory.applications.length
        return isOwn
          ? directory
          : { ...directory, applications, error: withoutHidden(directory.error, messages) }
      }),
      events: run.events.flatMap((event) => visibleEvent(event, messages)),
    },
    hidden,
  }
}

function visibleEvent(event: RunEvent, messages: ReadonlySet<string>): RunEvent[] {
  if (branchReasons.has(event.reason)) return [event]
  // That something was hydrated names its dry repository and commit.
  if (event.type === 'Normal') return []
  return [{ ...event, note: withoutHidden(event.note, messages) }]
}

/** Returns a text if it is one of those that may be seen. */
function withoutHidden(text: string, seen: ReadonlySet<string>): string {
  return text === '' || seen.has(text) ? text : notShown
}

/** Returns text that is equal for dry sources that the log of a run does not tell apart. */
function loggedSourceKey({ repoURL, targetRevision, chart }: DrySourceName): string {
  return drySourceKey({ repoURL: redactUrl(repoURL), targetRevision, chart })
}

function loggedKey({ repoUrl, targetRevision, chart }: RunSource): string {
  return drySourceKey({ repoURL: repoUrl, targetRevision, chart })
}
