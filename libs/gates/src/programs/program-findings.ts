import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { listAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'
import { milder, noObject, type Severity, type UnplacedFinding } from '../finding.ts'
import type { ObjectStream } from './object-stream.ts'
import type { Validator } from './read-validators.ts'

/** The end of a program that ended by itself. */
export interface ProgramEnd {
  readonly exitCode: number
  readonly output: string
  readonly errorOutput: string
}

const maxMessageLength = 500

/** Shells end with these codes for a program that they cannot start. */
const notStarted = [126, 127]

/** The severities of SARIF that are milder than an error. */
const milderLevels = new Map<string, Severity>([
  ['warning', 'warn'],
  ['note', 'audit'],
  ['none', 'audit'],
])

/**
 * Returns what a program found: each line of its output if it ends with another code than 0, or the results of its SARIF.
 * @param severity that of the gate; SARIF's warnings and notes are milder
 * @throws InvalidInputError for an end that says nothing about the objects
 */
export function programFindings(
  { name, output: form }: Pick<Validator, 'name' | 'output'>,
  end: ProgramEnd,
  { objectAt }: Pick<ObjectStream, 'objectAt'>,
  severity: Severity,
): UnplacedFinding[] {
  const { exitCode, output, errorOutput } = end
  const found = notStarted.includes(exitCode) ? [] : form === 'sarif' ? sarifResults(output) : linesOf(end)
  if (found.length === 0 && exitCode !== 0) {
    const reason = errorOutput === '' ? '' : `: ${shortened(errorOutput, maxMessageLength)}`
    throw new InvalidInputError(`it ended with code ${exitCode} and no finding${reason}`)
  }
  return found.map(({ rule, line, level, message }) => ({
    rule: `programs/${[name, rule].filter((part) => part !== '').join('/')}`,
    severity: milder(severity, milderLevels.get(level) ?? severity),
    ...((line === undefined ? undefined : objectAt(line)) ?? { object: noObject }),
    field: '',
    message: shortened(message.replace(/\s+/g, ' ').trim(), maxMessageLength),
    written: [],
  }))
}

interface Result {
  readonly rule: string
  readonly line: number | undefined
  readonly level: string
  readonly message: string
}

function linesOf({ exitCode, output }: ProgramEnd): Result[] {
  if (exitCode === 0) return []
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((text) => {
      const [, line, message] = /^[^\s:]{1,255}:(\d{1,9})(?::\d{1,9})?:\s*(\S.*)$/.exec(text) ?? []
      const placed = { rule: '', level: '', line: line === undefined ? undefined : Number(line) }
      return { ...placed, message: message ?? text }
    })
}

function sarifResults(output: string): Result[] {
  return judgedRuns(parseSarif(output)).flatMap((run) =>
    listAt(run, 'results').map((result): Result => {
      const [location] = listAt(result, 'locations')
      const line = valueAt(location, 'physicalLocation', 'region', 'startLine')
      const rule = textAt(result, 'ruleId').replace(/[^A-Za-z0-9._-]+/g, '-')
      return {
        rule: rule.slice(0, 100),
        line: typeof line === 'number' ? line : undefined,
        level: textAt(result, 'level'),
        message: textAt(result, 'message', 'text') || 'has no message',
      }
    }),
  )
}

function parseSarif(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch (cause) {
    throw new InvalidInputError(`its output is not SARIF: ${errorMessage(cause)}`)
  }
}

/** @throws InvalidInputError unless there is a run, and each one came to its end */
function judgedRuns(log: unknown): readonly unknown[] {
  const runs = listAt(log, 'runs')
  if (runs.length === 0) throw new InvalidInputError('its output is not SARIF: no runs')
  for (const [index, run] of runs.entries()) {
    const at = `runs[${index}]`
    if (!Array.isArray(valueAt(run, 'results')))
      throw new InvalidInputError(`its SARIF has no list ${at}.results`)
    const failed = listAt(run, 'invocations').findIndex(
      (invocation) => valueAt(invocation, 'executionSuccessful') === false,
    )
    if (failed !== -1)
      throw new InvalidInputError(`its SARIF says ${at}.invocations[${failed}].executionSuccessful: false`)
  }
  return runs
}
