/** The revision that the impact page compares, and the versions of tools that it tries out. */
export interface ImpactSearch {
  repository?: string | undefined
  revision?: string | undefined
  target?: string | undefined
  helm?: string | undefined
  kustomize?: string | undefined
}

/** A dry revision to compare with the hydrated branches. */
export interface ComparedRevision {
  readonly repoUrl: string
  readonly revision: string
  /** The branch on which it would land; empty for that of the revision itself or of HEAD. */
  readonly target: string
  /** Versions to try out by the names of their tools; none to render as now. */
  readonly tools: Readonly<Record<string, string>>
}

/** Reads the address of the impact page; versions may begin with `v`. */
export function readImpactSearch(search: Record<string, unknown>): ImpactSearch {
  const text = (name: keyof ImpactSearch) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    repository: text('repository'),
    revision: text('revision'),
    target: text('target'),
    helm: text('helm')?.replace(/^v/, ''),
    kustomize: text('kustomize')?.replace(/^v/, ''),
  }
}

/** Returns the comparison that an address asks for: with versions and no revision that of HEAD; undefined while something is missing. */
export function comparedRevision({
  repository,
  revision,
  target = '',
  helm,
  kustomize,
}: ImpactSearch): ComparedRevision | undefined {
  const tools = { ...(helm !== undefined && { helm }), ...(kustomize !== undefined && { kustomize }) }
  if (repository === undefined) return undefined
  if (revision === undefined && Object.keys(tools).length === 0) return undefined
  return { repoUrl: repository, revision: revision ?? 'HEAD', target, tools }
}
