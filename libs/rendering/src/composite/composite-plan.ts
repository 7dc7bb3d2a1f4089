import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkFiles, filesFolder } from '@wadi/hydration/files-folder.ts'
import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import type { BuildEnvironment } from '../build-environment.ts'
import type { CommandRunner } from './command-runner.ts'
import type { RenderedFile } from '../render-run.ts'
import type { Renderers } from '../renderers.ts'
import type { RenderPolicy, RenderSource, TrialValues } from '../source.ts'
import type { SourcePart } from './source-part.ts'
import type { TracingTree } from '../tree/tracing-tree.ts'

/** A source whose parts are planned, in the order in which they would be deployed. */
export interface CompositePlan {
  /** The source's directory, from the repository's root. */
  readonly path: string
  readonly parts: readonly SourcePart[]
  readonly notices: readonly string[]
  /** What decided the parts. */
  readonly parameters: readonly ParameterTree[]
  readonly files: readonly CompositeFile[]
  /** Equal for equal plans, as far as the inputs do not tell; empty when the inputs tell everything. */
  readonly digest: string
}

/** A file beside the manifests, and what wants it. */
export interface CompositeFile extends RenderedFile {
  /** For messages, for example `package "web"`. */
  readonly of: string
}

/** What the plan of a source that has parts is made from. */
export interface PlannedComposite {
  /** The Application's. */
  readonly source: RenderSource
  /** The directory that is planned, which a `Render` may have led to. */
  readonly path: string
  readonly build: ReadonlyMap<string, string>
  readonly environment: BuildEnvironment
  readonly trace: TracingTree
  readonly tools: Renderers
  readonly policy: RenderPolicy
  /** Values to try out, which are not in git. */
  readonly trial: TrialValues | undefined
  /** Runs the actions of packages and templates in ytt; undefined where nothing does. */
  readonly commands: CommandRunner | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * The files of everything that a source is made of, one at each place.
 * @throws InvalidInputError naming both that want different texts at one place, or a path that no file can have;
 * ResourceExhaustedError for too many or too large ones
 */
export function distinctFiles(files: readonly CompositeFile[]): CompositeFile[] {
  const distinct = new Map<string, CompositeFile>()
  for (const file of files) {
    const other = distinct.get(file.path)
    if (other !== undefined && other.content !== file.content) {
      throw new InvalidInputError(
        `${other.of} and ${file.of} want different texts in ${filesFolder}/${file.path}; give one of them another target`,
      )
    }
    distinct.set(file.path, file)
  }
  checkFiles([...distinct.values()])
  return [...distinct.values()]
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
