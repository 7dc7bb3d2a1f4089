/** Reads the address of the list of branches. */
export function readBranchesSearch({ text, page }: Record<string, unknown>): {
  text?: string | undefined
  page?: number | undefined
} {
  return {
    text: typeof text === 'string' && text !== '' ? text.slice(0, 256) : undefined,
    page: typeof page === 'number' && page > 1 ? Math.floor(page) : undefined,
  }
}

/** Reads the address of one branch. */
export function readBranchSearch({ repository, branch }: Record<string, unknown>): {
  repository: string
  branch: string
} {
  return {
    repository: typeof repository === 'string' ? repository : '',
    branch: typeof branch === 'string' ? branch : '',
  }
}
