/** The parameters in the address of the page. */
export interface EnvironmentSearch {
  /** The only dry repository that is shown; all without it. */
  repository?: string | undefined
  /** The ApplicationSet whose Applications are shown; all without it. */
  set?: string | undefined
  page?: number | undefined
}

/** Reads the address of the page. */
export function readEnvironmentSearch({ repository, set, page }: Record<string, unknown>): EnvironmentSearch {
  return {
    repository: typeof repository === 'string' && repository !== '' ? repository : undefined,
    set: typeof set === 'string' && set !== '' ? set : undefined,
    page: typeof page === 'number' && page > 1 ? Math.floor(page) : undefined,
  }
}
