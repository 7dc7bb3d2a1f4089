import { createHash } from 'node:crypto'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { CheckedChange } from './commit-change.ts'

type PlannedSet = Pick<CheckedChange, 'stored' | 'candidate' | 'plan'>

const maxNamed = 5

/**
 * Identifies what a change does to a set and its Applications: equal for equal changes, whatever was written into statuses meanwhile.
 * Applications that stay as they are have no part in it.
 */
export function planIdentity({ stored, candidate, plan }: PlannedSet): string {
  const changes = plan.changes
    .filter(({ action }) => action !== 'unchanged')
    .map(({ action, name, before, after }) => [
      action,
      name,
      action === 'update' && before ? userPart(before) : null,
      after ? userPart(after) : null,
    ])
  const content = [stored ? userPart(stored) : null, userPart(candidate), changes]
  return createHash('sha256').update(canonicalJson(content)).digest('hex')
}

/**
 * Checks that a change does what its author was shown.
 * @param planId identifies what the change does
 * @param reviewedPlan identifies what was shown; empty for a change that nobody was shown
 * @throws ConflictError
 */
export function requireReviewedPlan(change: PlannedSet, planId: string, reviewedPlan: string): void {
  if (reviewedPlan === '' || reviewedPlan === planId) return
  const { metadata } = change.candidate
  throw new ConflictError(
    `what ApplicationSet ${metadata.name} changes is not what was reviewed: ${summary(change)}; nothing is stored, review it again`,
  )
}

function summary({ plan }: PlannedSet): string {
  const parts = ['create', 'update', 'delete'].flatMap((action) => {
    const names = plan.changes.filter((change) => change.action === action).map(({ name }) => name)
    return names.length === 0 ? [] : [`${action} ${someInLine(names, maxNamed)}`]
  })
  return parts.length === 0 ? 'it changes no Application now' : `now it would ${parts.join('; ')}`
}

function userPart({ spec, metadata: { labels, annotations, finalizers } }: Resource) {
  return { spec, labels, annotations, finalizers }
}
