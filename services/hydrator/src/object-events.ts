import { objectName } from '@wadi/gates/finding.ts'
import { foreignChangeText } from '@wadi/hydration/hydrated-branch.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { EventRecorder, ObjectEvent } from '@wadi/kubernetes/events/event-recorder.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Member } from './applications/application-index.ts'
import type { HydratorEvents } from './events.ts'
import type { GroupFailure, ObservedGroup, ObservedRun } from './run/branch-run.ts'
import { isBlocked } from './run/observe/foreign-change.ts'
import { isLeftToOther } from './run/observe/other-installation.ts'
import type { RunInProgress } from './run/run-outcome.ts'

type Recorder = Pick<EventRecorder, 'record'>
type Said = Omit<ObjectEvent, 'regarding' | 'action'>

/** Of one commit or failure; the branch has an Event in any case. */
const maxApplications = 10

/** Adds Kubernetes Events of what people should see of hydrated branches and Applications. */
export function withObjectEvents(events: HydratorEvents, recorder: Recorder): HydratorEvents {
  return {
    ...events,
    committed(run, group, answer) {
      events.committed(run, group, answer)
      const { hydratedSha, changedPaths } = answer
      if (changedPaths.length === 0) return
      const said = hydrated(group, hydratedSha)
      const directories = `${changedPaths.length} ${changedPaths.length === 1 ? 'directory' : 'directories'}`
      onBranch(recorder, run, { ...said, note: `${said.note}, which changes ${directories}` })
      const changed = new Set(changedPaths)
      onApplications(
        recorder,
        group.members.filter(({ path }) => changed.has(path)),
        said,
      )
    },
    found(run, members, findings) {
      events.found(run, members, findings)
      // What is denied is the reason of the failure.
      const [first, ...more] = findings.filter(({ severity }) => severity === 'warn')
      if (first === undefined) return
      const note = `gates warn: ${findingText(first)}${more.length > 0 ? ` and ${more.length} more` : ''}`
      onApplications(recorder, members, { type: 'Warning', reason: 'GateWarning', note })
    },
    finished(ended, milliseconds) {
      events.finished(ended, milliseconds)
      for (const [group, failure] of ended.outcome.failures) failed(recorder, ended, group, failure)
    },
    invalidApplication(name, message) {
      events.invalidApplication(name, message)
      const [namespace = '', ownName = ''] = name.split('/')
      const regarding = { kind: 'Application', namespace, name: ownName }
      const note = `the Application cannot be read and is not hydrated: ${message}`
      recorder.record({ regarding, action: 'Hydrate', type: 'Warning', reason: 'InvalidApplication', note })
    },
    noteReplaced(run, headSha, problem) {
      events.noteReplaced(run, headSha, problem)
      const note = `commit ${short(headSha)} of branch ${run.branch} ${problem}, which promoters cannot read; Wadi wrote it again`
      onBranch(recorder, run, { type: 'Warning', reason: 'NoteReplaced', note })
    },
    foreignChange(run, change) {
      events.foreignChange(run, change)
      const note = `branch ${run.branch} ${foreignChangeText(change)}`
      onBranch(recorder, run, { type: 'Warning', reason: 'ForeignChange', note })
    },
    restored(run, change, hydratedSha) {
      events.restored(run, change, hydratedSha)
      const note = `branch ${run.branch} ${foreignChangeText(change)}; commit ${short(hydratedSha)} undoes that`
      onBranch(recorder, run, { type: 'Warning', reason: 'ForeignChangeUndone', note })
    },
  }
}

function findingText({ rule, object, field, message }: Finding): string {
  const named = object === undefined ? '' : objectName({ object })
  return `${[rule, named, field].filter((part) => part !== '').join(' ')}: ${message}`
}

function hydrated({ drySha, repoUrl }: ObservedGroup, hydratedSha: string): Said {
  const note = `dry commit ${short(drySha)} of ${redactUrl(repoUrl)} is hydrated in commit ${short(hydratedSha)}`
  return { type: 'Normal', reason: 'Hydrated', note }
}

function failed(
  recorder: Recorder,
  { run, outcome }: RunInProgress,
  group: ObservedGroup,
  { message, failures }: GroupFailure,
): void {
  const reason = failureReason({ run, outcome })
  const said = (note: string): Said => ({ type: 'Warning', reason, note })
  const [first] = failures
  const more = failures.length > 1 ? ` and ${failures.length - 1} more` : ''
  const ofBranch = message === '' && first ? `${first.application}: ${first.message}${more}` : message
  onBranch(recorder, run, said(ofBranch))
  // What is left to somebody else is written to nowhere.
  if (run.settings.isLeftToArgoCd) return
  if (failures.length === 0) onApplications(recorder, group.members, said(message))
  const members = new Map(group.members.map((member) => [member.name, member]))
  for (const failure of failures.slice(0, maxApplications)) {
    const member = members.get(failure.application)
    if (member) onApplications(recorder, [member], said(failure.message))
  }
}

function failureReason({ run, outcome }: RunInProgress): string {
  if (run.settings.isLeftToArgoCd) return 'LeftToArgoCD'
  if (isLeftToOther(run)) return 'OtherInstallation'
  return isBlocked(run, outcome) ? 'BranchBlocked' : 'HydrationFailed'
}

function onBranch(recorder: Recorder, { key }: ObservedRun, said: Said): void {
  const regarding = { kind: 'HydratedBranch', namespace: controlPlaneNamespace, name: key }
  recorder.record({ ...said, regarding, action: 'Hydrate' })
}

function onApplications(recorder: Recorder, members: readonly Member[], said: Said): void {
  for (const { application } of members.slice(0, maxApplications)) {
    const { namespace = controlPlaneNamespace, name } = application.metadata
    recorder.record({ ...said, regarding: { kind: 'Application', namespace, name }, action: 'Hydrate' })
  }
}

function short(sha: string): string {
  return sha.slice(0, 7)
}
