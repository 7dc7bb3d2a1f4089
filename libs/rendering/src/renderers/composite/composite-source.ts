import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkFiles, filesDirectory } from '@wadi/hydration/files-directory.ts'
import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import type { ManifestPlacement } from '../../run/manifests/manifest-job.ts'
import type { Plan } from '../../plan/plan.ts'
import type { RenderedFile } from '../../run/render-run.ts'
import type { ToolPins } from '@wadi/renderer-tools/tool-pins.ts'

/** A source whose parts are planned, in the order in which they would be deployed. */
export interface CompositeSource {
  /** The source's directory, from the repository's root. */
  readonly path: string
  readonly parts: readonly SourcePart[]
  readonly warnings: readonly string[]
  /** The parameters that decided the parts. */
  readonly parameters: readonly ParameterTree[]
  readonly files: readonly CompositeFile[]
  /** Equal for equal plans, as far as the inputs do not decide it; empty when the inputs decide everything. */
  readonly digest: string
}

/** The fields of every part of a composite source. */
interface PartBasics {
  /** Names the part in messages, for example `component "web" chart "web"`. */
  readonly label: string
  readonly placement: ManifestPlacement
}

/** A part that is rendered. */
export interface PlanPart extends PartBasics {
  readonly plan: Plan
  /** The versions of tools that it asks for itself; the source's own render it where it asks for none. */
  readonly pins: ToolPins
  /** Makes the text that manifests are read from of what a tool has printed. */
  readonly finish?: (output: string, signal?: AbortSignal) => string | Promise<string>
}

/** Manifests that need no renderer. */
interface TextPart extends PartBasics {
  readonly files: ReadonlyArray<{ readonly path: string; readonly text: string; readonly remedy?: string }>
}

/** One of the sources that a source is made of. */
export type SourcePart = PlanPart | TextPart

/** The plans of the parts that have one. */
export function partPlans(parts: readonly SourcePart[]): Plan[] {
  return parts.flatMap((part) => ('plan' in part ? [part.plan] : []))
}

/** A file beside the manifests, and what wants it. */
export interface CompositeFile extends RenderedFile {
  /** For messages, for example `package "web"`. */
  readonly of: string
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
        `${other.of} and ${file.of} want different texts in ${filesDirectory}/${file.path}; give one of them another target`,
      )
    }
    distinct.set(file.path, file)
  }
  checkFiles([...distinct.values()])
  return [...distinct.values()]
}
