/** The revisions that the impact page compares. */
export interface ImpactSearch {
  repository?: string | undefined
  revision?: string | undefined
}

/** Reads the address of the impact page. */
export function readImpactSearch({ repository, revision }: Record<string, unknown>): ImpactSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return { repository: text(repository), revision: text(revision) }
}
