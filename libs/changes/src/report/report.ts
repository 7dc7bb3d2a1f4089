import { by } from '@wadi/order/by-name.ts'
import type {
  ApplicationChanges,
  ChangesSummary,
  ObjectChange,
  ObjectIdentity,
  ObjectPlace,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { filesDirectory } from '@wadi/hydration/files-directory.ts'
import { unifiedDiff } from './unified-diff.ts'

/** A comparison that is over, and what its sides are called: `main (1234567)`, `the hydrated branches`. */
export interface Report {
  readonly summary: ChangesSummary
  readonly applications: readonly ApplicationChanges[]
  readonly before: string
  readonly after: string
}

/** Applications on one hydrated branch. */
export interface BranchReport {
  readonly repoUrl: string
  readonly branch: string
  readonly applications: readonly ApplicationChanges[]
}

/** The Applications by branch, both in order of their names. */
export function branchesOf({ applications }: Report): BranchReport[] {
  const branches = Map.groupBy(applications, ({ repoUrl, branch }) => `${repoUrl}\n${branch}`)
  return [...branches.values()]
    .flatMap((members) => {
      const [first] = members
      const sorted = members.toSorted(by(qualifiedName))
      return first ? [{ repoUrl: first.repoUrl, branch: first.branch, applications: sorted }] : []
    })
    .toSorted(by(({ repoUrl, branch }) => `${branch}\n${repoUrl}`))
}

/** `namespace/name`. */
export function qualifiedName({ namespace, name }: Pick<ObjectPlace, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}

/** `1 application`, `2 applications`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Returns the changes of objects, in words: `2 created, 1 changed`; `none` without changes. */
export function objectCounts(summary: ChangesSummary): string {
  const counts: [number, string][] = [
    [summary.objectsCreated, 'created'],
    [summary.objectsChanged, 'changed'],
    [summary.objectsRemoved, 'removed'],
    [summary.objectsMoved, 'moved'],
    [summary.objectsRenamed, 'renamed'],
  ]
  const words = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return words.length === 0 ? 'none' : words.join(', ')
}

/** Returns the changes of Applications, in words. */
export function applicationCounts({ changed, added, removed, failed, unchanged }: ChangesSummary): string {
  const counts: [number, string][] = [
    [changed, 'changed'],
    [added, 'added'],
    [removed, 'removed'],
    [failed, 'failed'],
    [unchanged, 'unchanged'],
  ]
  const words = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return words.length === 0 ? 'none' : words.join(', ')
}

/** The counts of what was not compared, one sentence each. */
export function notCompared({ hidden, elsewhere, target }: ChangesSummary): string[] {
  return [
    ...(hidden > 0 ? [`${counted(hidden, 'more application')} that you may not see`] : []),
    ...(elsewhere > 0
      ? [
          `${counted(elsewhere, 'application')} that ${elsewhere === 1 ? 'follows' : 'follow'} another revision than ${target}`,
        ]
      : []),
  ]
}

/** Names an object change: `apps/Deployment shop/web`, with where it was. */
export function objectTitle(object: ObjectChange): string {
  const { identity, file, previous, movedFrom, movedTo } = object
  const title = identity ? identityText(identity) : `${filesDirectory}/${file}`
  if (previous) return `${title} (was ${identityText(previous)})`
  if (movedFrom) return `${title} (from ${placeText(movedFrom)})`
  return movedTo ? `${title} (to ${placeText(movedTo)})` : title
}

/** Returns the outcome of an Application in words: `changed`, with its former name, where it belonged and where its directory was, if that changes. */
export function outcomeText(application: ApplicationChanges): string {
  const { outcome, movedFrom, renamedFrom } = application
  const { project, previousProject, destination, destinationNamespace, previousDestination } = application
  const parts = [outcome]
  if (renamedFrom) parts.push(`renamed from ${qualifiedName(renamedFrom)}`)
  if (movedFrom) parts.push(`moved from ${movedFrom.path || 'the root'} on branch ${movedFrom.branch}`)
  if (previousProject !== '') parts.push(`project ${project} (was ${previousProject})`)
  if (previousDestination) {
    const { cluster, namespace } = previousDestination
    const now = destinationText(destination, destinationNamespace)
    parts.push(`destination ${now} (was ${destinationText(cluster, namespace)})`)
  }
  return parts.join(', ')
}

function destinationText(cluster: string, namespace: string): string {
  return namespace === '' ? `${cluster} without a namespace` : `${cluster} namespace ${namespace}`
}

/** The counts of one Application's objects: `+1 ~2 -1`, moved and renamed ones among the changed. */
export function objectSigns(application: ApplicationChanges): string {
  const count = (...changes: string[]): number =>
    application.objects.filter(({ change }) => changes.includes(change)).length
  const signs: [string, number][] = [
    ['+', count('created')],
    ['~', count('changed', 'moved', 'renamed')],
    ['-', count('removed')],
  ]
  return signs.flatMap(([sign, number]) => (number > 0 ? [`${sign}${number}`] : [])).join(' ')
}

/** The diff of one object; a sentence in its place where its text is too long or equal. */
export function objectDiff({ before, after, truncated }: ObjectChange, report: Report): string {
  if (truncated) return 'The text is too long to be shown.\n'
  if (before === after) return 'The content is the same.\n'
  return unifiedDiff({ before, after, labels: { before: report.before, after: report.after } })
}

function identityText({ group, kind, namespace, name }: ObjectIdentity): string {
  return `${group === '' ? '' : `${group}/`}${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`
}

function placeText(place: ObjectPlace): string {
  return `application ${qualifiedName(place)} on branch ${place.branch}`
}
