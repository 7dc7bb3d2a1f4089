import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { readCsvRecord } from './csv-record.ts'
import type { PermissionRule, Policy, RoleGrant } from './policy.ts'

/** One text of a policy and what places in it are called. */
export interface PolicyText {
  /** The text before the line number, for example the name of a file. */
  source: string
  text: string
  /** The number of the first line; 1 when absent. */
  firstLine?: number
}

/** Rules and grants of texts, and what is wrong with the lines that are neither. */
export interface PolicyReading {
  policy: Policy
  /** `source:line: what is wrong`, one for each broken line. */
  errors: readonly string[]
}

/**
 * Reads the lines of a policy: `p` with five values, `g` with two, blank lines and `#` comments.
 * @throws InvalidInputError with one line `source:line: …` for every broken line. As with Argo CD, one of them makes
 * the whole policy unusable.
 */
export function readPolicy(texts: readonly PolicyText[]): Policy {
  const { policy, errors } = readPolicyLines(texts)
  if (errors.length > 0) throw new InvalidInputError(errors.join('\n'))
  return policy
}

/** Reads what can be read of a policy, and reports every line that cannot. */
export function readPolicyLines(texts: readonly PolicyText[]): PolicyReading {
  const rules: PermissionRule[] = []
  const grants: RoleGrant[] = []
  const errors: string[] = []
  for (const { source, text, firstLine = 1 } of texts) {
    for (const [index, untrimmed] of text.split('\n').entries()) {
      const line = untrimmed.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, '')
      if (line === '' || line.startsWith('#')) continue
      const at = `${source}:${firstLine + index}`
      const entry = readLine(line, at)
      if (typeof entry === 'string')
        addError(errors, `${at}: ${entry}: ${JSON.stringify(shortened(line, 100))}`)
      else if ('effect' in entry) rules.push(entry)
      else grants.push(entry)
    }
  }
  return { policy: { rules, grants }, errors }
}

const maxLineLength = 4096
const maxErrors = 1000

function addError(errors: string[], error: string): void {
  if (errors.length < maxErrors) errors.push(error)
  else errors[maxErrors] = 'and further lines'
}

function readLine(line: string, at: string): PermissionRule | RoleGrant | string {
  if (line.length > maxLineLength) return `a line may have ${maxLineLength} characters`
  const record = readCsvRecord(line)
  if (typeof record === 'string') return record
  const [kind, subject = '', second = '', action = '', object = '', effect = ''] = record
  if (kind === 'p') {
    if (record.length === 6) return { subject, resource: second, action, object, effect, at }
    return `a line with p needs subject, resource, action, object and effect, and has ${values(record)}; a value with commas needs quotes`
  }
  if (kind === 'g') {
    if (record.length === 3) return { member: subject, role: second, at }
    return `a line with g needs a member and a role, and has ${values(record)}; a value with commas needs quotes`
  }
  return 'a line must begin with p or g'
}

function values(record: readonly string[]): string {
  return record.length === 2 ? '1 value' : `${record.length - 1} values`
}
