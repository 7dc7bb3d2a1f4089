import type { JsonObject } from '@bufbuild/protobuf'
import type {
  ExplainedDerivation,
  ExplainedParameter,
  ExplainedSource,
} from '@wadi/params/explain/explain.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'
import { structuredText } from '../output/structured-output.ts'
import { leavesAt } from './explained-leaves.ts'
import { explanationDetails, explanationTable } from './explanation-text.ts'

/** The parameters of a source, with their origins, and its warnings. */
interface Explanation {
  readonly parameters: readonly ExplainedParameter[]
  readonly warnings: readonly string[]
}

/** The form of the output. */
interface ExplanationForm {
  /** A value or a group of values; all of them without. */
  readonly leaf: string | undefined
  readonly output: 'text' | 'json' | 'yaml'
}

/**
 * Prints where values come from: a table of all, or the whole chain of some.
 * @throws CommandFailure for a path that leads to none
 */
export function printExplanation(
  { parameters: all, warnings }: Explanation,
  { leaf, output }: ExplanationForm,
  session: Pick<CommandSession, 'warn'>,
): void {
  const parameters = leaf === undefined ? all : leavesAt(all, leaf)
  if (output !== 'text') {
    for (const warning of warnings) session.warn(warning)
    process.stdout.write(structuredText(parameters.map(explainedObject), output))
    return
  }
  process.stdout.write(leaf === undefined ? explanationTable(parameters) : explanationDetails(parameters))
  const lines = warnings.map((warning) => `${printable(warning)}\n`)
  if (lines.length > 0) process.stdout.write(`\n${lines.join('')}`)
}

/** Returns an explained parameter as the data that commands print. */
function explainedObject({ of, path, value, from, beats }: ExplainedParameter): JsonObject {
  return { of, path, value, from: sourceObject(from), beats: beats.map(sourceObject) }
}

function sourceObject({ derivedFrom, ...source }: ExplainedSource): JsonObject {
  return { ...source, ...(derivedFrom !== undefined && { derivedFrom: derivationObject(derivedFrom) }) }
}

function derivationObject({ step, from, beats }: ExplainedDerivation): JsonObject {
  return { step, from: sourceObject(from), beats: beats.map(sourceObject) }
}
