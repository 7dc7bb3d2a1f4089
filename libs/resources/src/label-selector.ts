import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isLabelValue, isQualifiedName } from './object-checks.ts'

/** Tells whether an object's labels fulfil a selector. */
export type LabelMatcher = (labels: Record<string, string> | undefined) => boolean

const maxSelectorLength = 4096

/**
 * Reads a label selector as kubectl does: requirements joined by `,`, each one of `key=value`, `key==value`,
 * `key!=value`, `key in (a,b)`, `key notin (a,b)`, `key` (exists) or `!key`. The empty selector takes everything.
 * As in Kubernetes, `!=` and `notin` also take objects without the label.
 * @throws InvalidInputError that says where the selector cannot be read.
 */
export function parseLabelSelector(selector: string): LabelMatcher {
  if (selector.length > maxSelectorLength) {
    throw new InvalidInputError(`a label selector may have ${maxSelectorLength} characters`)
  }
  if (selector.trim() === '') return () => true
  const requirements = splitRequirements(selector).map((text) => parseRequirement(text, selector))
  return (labels = {}) => requirements.every((fulfils) => fulfils(labels))
}

/** Splits at the commas outside of parentheses. */
function splitRequirements(selector: string): string[] {
  return selector.split(/,(?![^(]*\))/)
}

function parseRequirement(text: string, selector: string): (labels: Record<string, string>) => boolean {
  const refuse = (reason: string) =>
    new InvalidInputError(
      `label selector ${JSON.stringify(selector)}: ${JSON.stringify(text.trim())} ${reason}`,
    )
  const groups =
    /^\s*(?:(?<absent>!)\s*)?(?<key>[^\s!=,()]+)\s*(?:(?<equals>==?|!=)(?<value>[^=!(),]*)|(?<set>\b(?:in|notin))\s*\((?<values>[^()]*)\)\s*)?$/.exec(
      text,
    )?.groups
  const key = groups?.['key']
  if (groups === undefined || key === undefined) {
    throw refuse('is none of key, !key, key=value, key!=value, key in (…), key notin (…)')
  }
  if (!isQualifiedName(key)) throw refuse(`has no valid label key`)
  const operator = groups['equals'] ?? groups['set']
  if (operator === undefined) {
    return groups['absent'] === undefined
      ? (labels) => Object.hasOwn(labels, key)
      : (labels) => !Object.hasOwn(labels, key)
  }
  if (groups['absent'] !== undefined) throw refuse(`has both "!" and "${operator}"`)
  const values = (groups['values'] ?? groups['value'] ?? '').split(',').map((value) => value.trim())
  const wrong = values.find((value) => !isLabelValue(value))
  if (wrong !== undefined) throw refuse(`has ${JSON.stringify(wrong)}, which is not a valid label value`)
  const wanted = new Set(values)
  const isOneOf = (labels: Record<string, string>) =>
    Object.hasOwn(labels, key) && wanted.has(labels[key] ?? '')
  return operator === '!=' || operator === 'notin' ? (labels) => !isOneOf(labels) : isOneOf
}
