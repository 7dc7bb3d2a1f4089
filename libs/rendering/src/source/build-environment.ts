import type { RenderSource } from './source.ts'

/** The names and values that options may refer to; the hydrator's proposal leaves out whatever a dry commit does not fix. */
export function buildVariables(source: RenderSource, revision: string): ReadonlyMap<string, string> {
  return new Map([
    ...revisionVariables(revision),
    ['ARGOCD_APP_SOURCE_PATH', source.path],
    ['ARGOCD_APP_SOURCE_REPO_URL', source.repoUrl],
    ['ARGOCD_APP_SOURCE_TARGET_REVISION', source.targetRevision],
  ])
}

/** Those of them that a commit decides. */
export function revisionVariables(revision: string): ReadonlyMap<string, string> {
  return new Map([
    ['ARGOCD_APP_REVISION', revision],
    ['ARGOCD_APP_REVISION_SHORT', revision.slice(0, 7)],
    ['ARGOCD_APP_REVISION_SHORT_8', revision.slice(0, 8)],
  ])
}

/** Substitutes build variables and remembers which were used, as these alone belong to a render's fingerprint. */
export class BuildEnvironment {
  readonly #variables: ReadonlyMap<string, string>
  readonly #used = new Set<string>()
  readonly #unknown = new Set<string>()

  constructor(variables: ReadonlyMap<string, string>) {
    this.#variables = variables
  }

  /** Names of the variables used so far, sorted. */
  get used(): string[] {
    return [...this.#used].toSorted()
  }

  /** Names that were asked for and are never set, sorted; each became an empty string. */
  get unknown(): string[] {
    return [...this.#unknown].toSorted()
  }

  /** True if there is a variable of this name. */
  has(name: string): boolean {
    return this.#variables.has(name)
  }

  /**
   * Replaces `$NAME` and `${NAME}` by Go's rules for os.Expand as Argo CD uses it: an unknown name is empty, `$$` is a dollar sign.
   * @param reported further variables, which belong to the render's fingerprint anyway
   */
  substitute(text: string, reported?: ReadonlyMap<string, string>): string {
    if (!text.includes('$')) return text
    return text.replaceAll(
      /\$(?:\{([^}]*)\}|([*#$@!?\-0-9])|([A-Za-z_][A-Za-z0-9_]*)|\{)/g,
      (_, braced, special, plain) => {
        const name: string = braced ?? special ?? plain ?? ''
        if (name === '$') return '$'
        const known = reported?.get(name)
        if (known !== undefined) return known
        const value = this.#variables.get(name)
        if (value === undefined) {
          if (name !== '') this.#unknown.add(name)
          return ''
        }
        this.#used.add(name)
        return value
      },
    )
  }
}
