import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { BuildEnvironment } from './build-environment.ts'
import type { Tools } from './find-tools.ts'
import type { RenderPolicy } from './source.ts'
import type { SourcePart } from './source-part.ts'
import type { TracingTree } from './tracing-tree.ts'

/** A source whose parts are planned, in the order in which they would be deployed. */
export interface CompositePlan {
  /** The source's directory, from the repository's root. */
  readonly path: string
  readonly parts: readonly SourcePart[]
  readonly notices: readonly string[]
}

/** What the plan of a source that has parts is made from. */
export interface PlannedComposite {
  readonly path: string
  readonly environment: BuildEnvironment
  readonly trace: TracingTree
  readonly tools: Tools
  readonly policy: RenderPolicy
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
