import { shortened } from '@wadi/errors/some-of.ts'
import { byName } from '@wadi/order/by-name.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { authorCondition, conditionsOf } from '../access/author.ts'
import type { PlannedChange } from '../changes/plan-application-changes.ts'

/** The reasons of Argo CD for an ApplicationSet that is in error. */
export type FailureReason =
  /** A generator or a template. */
  | 'ApplicationGenerationFromParamsError'
  /** An Application that may not be. */
  | 'ApplicationValidationError'
  /** Writing an Application. */
  | 'UpdateApplicationError'
  /** The ApplicationSet itself. */
  | 'ErrorOccurred'

/** The outcome of a pass over an ApplicationSet. */
export type SetOutcome =
  | {
      /** The generated Applications. */
      applications: readonly Resource[]
      changes: readonly PlannedChange[]
      /** The reason why deletions wait for a confirmation; empty if none do. */
      withheld: string
    }
  | { reason: FailureReason; message: string }

/** A condition of a status, in Argo CD's shape. */
interface Condition {
  type: string
  status: string
  reason: string
  message: string
  lastTransitionTime: string
}

type Finding = Omit<Condition, 'lastTransitionTime'>

/** Applications that a status lists; larger objects are a burden to everybody who watches them. */
const maxResources = 5_000

/** Characters of a message. */
const maxMessageLength = 4_000

const upToDate = 'All applications have been generated successfully'

/**
 * Returns the status of an ApplicationSet after a pass, equal to the previous one if nothing changed. Messages have to be
 * stable: one that differs each time makes a change each time. Who is allowed what stays as it was.
 */
export function statusAfter(
  previous: Record<string, unknown> | undefined,
  outcome: SetOutcome,
  now: Date,
): Record<string, unknown> {
  const findings = 'reason' in outcome ? failure(outcome) : success(outcome)
  const status = {
    ...previous,
    conditions: conditionsAfter(previous, findings, now),
    health: health(findings),
  }
  return 'reason' in outcome ? status : { ...status, ...resourcesOf(outcome) }
}

function success({ changes, withheld }: Extract<SetOutcome, { withheld: string }>): Finding[] {
  const reason = 'ApplicationSetUpToDate'
  const kept = withheld === '' ? changes.filter(({ action }) => action === 'keep').length : 0
  const left =
    kept === 0 ? '' : `; ${kept} that are generated no longer stay, as applicationsSync deletes none`
  const findings: Finding[] = [
    { type: 'ErrorOccurred', status: 'False', reason, message: upToDate },
    {
      type: 'ParametersGenerated',
      status: 'True',
      reason: 'ParametersGenerated',
      message: 'Successfully generated parameters for all Applications',
    },
    { type: 'ResourcesUpToDate', status: 'True', reason, message: `${upToDate}${left}` },
  ]
  if (withheld === '') return findings
  return [
    { type: 'DeletionsWithheld', status: 'True', reason: 'ConfirmationRequired', message: bounded(withheld) },
    ...findings,
  ]
}

function failure({ reason, message: text }: Extract<SetOutcome, { message: string }>): Finding[] {
  const message = bounded(text)
  const isGenerated = reason === 'ApplicationValidationError' || reason === 'UpdateApplicationError'
  return [
    { type: 'ErrorOccurred', status: 'True', reason, message },
    isGenerated
      ? {
          type: 'ParametersGenerated',
          status: 'True',
          reason: 'ParametersGenerated',
          message: 'Successfully generated parameters for all Applications',
        }
      : { type: 'ParametersGenerated', status: 'False', reason: 'ErrorOccurred', message },
    { type: 'ResourcesUpToDate', status: 'False', reason, message },
  ]
}

function bounded(message: string): string {
  return shortened(message, maxMessageLength)
}

/** One condition of each type, after that of the author; the time of one that says the same stays. */
function conditionsAfter(
  previous: Record<string, unknown> | undefined,
  findings: readonly Finding[],
  now: Date,
): Condition[] {
  const before = conditionsOf(previous)
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z')
  const author = before.filter(({ type }) => type === authorCondition) as unknown as Condition[]
  const found = findings.map((finding) => {
    const same = before.find((condition) =>
      Object.entries(finding).every(([field, value]) => condition[field] === value),
    )
    const since = same?.['lastTransitionTime']
    return { ...finding, lastTransitionTime: typeof since === 'string' ? since : time }
  })
  return [...author, ...found]
}

function health(findings: readonly Finding[]): Record<string, string> {
  const isTrue = (wanted: string) => findings.find(({ type, status }) => type === wanted && status === 'True')
  const error = isTrue('ErrorOccurred')
  if (error) return { status: 'Degraded', message: error.message }
  return { status: isTrue('ResourcesUpToDate') ? 'Healthy' : 'Unknown' }
}

/** The Applications that are there: those that were generated and those that stay. */
function resourcesOf({ applications, changes }: Extract<SetOutcome, { withheld: string }>) {
  const kept = changes.flatMap(({ action, before }) => (action === 'keep' && before ? before : []))
  const all = [...applications, ...kept].map(({ metadata }) => metadata)
  const resources = all
    .toSorted(byName)
    .slice(0, maxResources)
    .map(({ namespace = controlPlaneNamespace, name }) => ({
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      namespace,
      name,
    }))
  return { resources, resourcesCount: all.length }
}
