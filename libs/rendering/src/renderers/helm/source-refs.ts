import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { BuildEnvironment } from '../../source/build-environment.ts'
import type { OptionPath, OriginOf } from '../../source/option-origin.ts'
import { besideRepository, pathWithin } from '@wadi/file-trees/repository-path.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/** Which option names a file. */
interface NamedFile {
  /** The kind of the file, for messages. */
  readonly what: string
  readonly at: OptionPath
}

/** Resolves files that options name: in the repository, or as `$name/path` in another source of the Application. */
export class SourceRefs {
  readonly #tree: TracingTree
  readonly #environment: BuildEnvironment
  readonly #originOf: OriginOf

  constructor(tree: TracingTree, environment: BuildEnvironment, originOf: OriginOf) {
    this.#tree = tree
    this.#environment = environment
    this.#originOf = originOf
  }

  /**
   * Returns the path of a file, its variables substituted, from the directory of the chart that it is for.
   * @throws InvalidInputError for a URL, a path that leaves its source and a `$name` that is neither a source nor a variable
   */
  async resolve(chart: string, file: string, { what, at }: NamedFile): Promise<string> {
    const [, ref = '', inside = ''] = /^\$([A-Za-z0-9_-]+)\/(.*)$/s.exec(file) ?? []
    if (ref !== '' && !this.#environment.has(ref)) {
      const root = besideRepository(ref)
      // The Application decides if the source exists, and its root changes with every commit.
      if ((await this.#tree.untraced.entry(root)) === undefined) throw this.#unknown(ref, file, at)
      return pathWithin(root, this.#environment.substitute(inside), what)
    }
    const given = this.#environment.substitute(file)
    refuseUrl(given, what)
    return pathWithin(chart, given, what)
  }

  #unknown(ref: string, file: string, at: OptionPath): InvalidInputError {
    const origin = this.#originOf(at)
    const isInGit = origin?.kind === 'git'
    const field = at.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
    return new InvalidInputError(
      `${field.slice(1)} "${file}": no source of the Application has the ref "${ref}"; add one to spec.sourceHydrator.drySources, or correct the name`,
      isInGit ? { at: { file: origin.file, line: origin.line } } : {},
    )
  }
}

function refuseUrl(path: string, what: string): void {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('//')) {
    throw new InvalidInputError(
      `${what} "${path}" is a URL; commit the file, as only files of the dry commit are read`,
    )
  }
}
