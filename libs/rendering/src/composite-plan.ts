import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ParameterTree } from '@wadi/params/explain.ts'
import type { BuildEnvironment } from './build-environment.ts'
import type { CommandRunner } from './command-runner.ts'
import type { Tools } from './find-tools.ts'
import type { RenderedFile } from './render-run.ts'
import type { RenderPolicy, TrialValues } from './source.ts'
import type { SourcePart } from './source-part.ts'
import type { TracingTree } from './tracing-tree.ts'

/** A source whose parts are planned, in the order in which they would be deployed. */
export interface CompositePlan {
  /** The source's directory, from the repository's root. */
  readonly path: string
  readonly parts: readonly SourcePart[]
  readonly notices: readonly string[]
  /** What decided the parts. */
  readonly parameters: readonly ParameterTree[]
  readonly files: readonly RenderedFile[]
}

/** What the plan of a source that has parts is made from. */
export interface PlannedComposite {
  readonly path: string
  readonly environment: BuildEnvironment
  readonly trace: TracingTree
  readonly tools: Tools
  readonly policy: RenderPolicy
  /** Values to try out, which are not in git. */
  readonly trial: TrialValues | undefined
  /** Runs the actions of packages and templates in ytt; undefined where nothing does. */
  readonly commands: CommandRunner | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Does something for a part of a source, and names the part in the error if its input is at fault.
 * @throws InvalidInputError that begins with the label
 */
export async function inPart<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    throw new InvalidInputError(`${label}: ${error.message}`, { cause: error })
  }
}
