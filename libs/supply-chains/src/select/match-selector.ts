import type { Value } from '@wadi/params/values/value.ts'
import type { StampOwner } from '../read/cartographer-objects.ts'
import { evaluatePath } from '../paths/json-path.ts'
import type { PathSubject } from '../paths/json-path.ts'
import { ownerSubject } from './owner-subject.ts'
import { PathError } from '../paths/path-error.ts'
import { requirementCount } from './selector.ts'
import type { Requirement, Selector } from './selector.ts'
import type { StampBudget } from '../stamp/stamp-budget.ts'

/** Thrown when a selector cannot be applied to an owner. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError'
  /** Which of the candidates has the selector. */
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}

/**
 * Returns the candidates whose selector an owner fulfils with the most requirements; several when they are tied.
 *
 * @throws SelectorError in Cartographer's words, when a path of a selector leads through something of the wrong type.
 */
export function bestMatches<Candidate extends { selector: Selector }>(
  owner: StampOwner,
  candidates: readonly Candidate[],
  budget?: StampBudget,
): Candidate[] {
  const subject = ownerSubject(owner)
  let best: Candidate[] = []
  let maxRequirements = 1
  for (const [index, candidate] of candidates.entries()) {
    const requirements = requirementCount(candidate.selector)
    if (requirements < maxRequirements || !matchesLabels(owner.labels, candidate.selector)) continue
    if (!matchesFields(candidate.selector, subject, index, budget)) continue
    if (requirements > maxRequirements) best = []
    maxRequirements = requirements
    best.push(candidate)
  }
  return best
}

function matchesLabels(
  labels: ReadonlyMap<string, string>,
  { matchLabels, matchExpressions }: Selector,
): boolean {
  for (const [key, value] of matchLabels) if (labels.get(key) !== value) return false
  return matchExpressions.every(({ key, operator, values }) => {
    const value = labels.get(key)
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value)
      case 'NotIn':
        return value === undefined || !values.includes(value)
      case 'Exists':
        return value !== undefined
      default:
        return value === undefined
    }
  })
}

function matchesFields(
  { matchFields }: Selector,
  subject: PathSubject,
  index: number,
  budget: StampBudget | undefined,
): boolean {
  return matchFields.every((requirement) => {
    try {
      return matchesField(requirement, subject, budget)
    } catch (error) {
      if (!(error instanceof PathError)) throw error
      const { key, operator, values } = requirement
      throw new SelectorError(
        `failed to evaluate selector matchFields: unable to match field requirement with key [${key}] operator [${operator}] values [${values.join(' ')}]: ${error.message}`,
        index,
      )
    }
  })
}

function matchesField(
  { key, operator, values }: Requirement,
  subject: PathSubject,
  budget: StampBudget | undefined,
): boolean {
  const value = valueAt(key, subject, budget)
  if (value === undefined) return operator === 'DoesNotExist'
  const isAmong = typeof value === 'string' && values.includes(value)
  switch (operator) {
    case 'In':
      return isAmong
    case 'NotIn':
      return !isAmong
    case 'Exists':
      return value !== null
    default:
      return value === null
  }
}

/** Returns undefined when the path leads to nothing, which is not the same as leading to null. */
function valueAt(path: string, subject: PathSubject, budget: StampBudget | undefined): Value | undefined {
  try {
    return evaluatePath(path, subject, budget).value
  } catch (error) {
    if (error instanceof PathError && error.isMissing) return undefined
    throw error
  }
}
