import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from '../forge-api.ts'
import { listAt, optionalTextAt, textAt } from '../forge-values.ts'

const page = { $top: '100', $skip: '0' }

/** Account or team, in all of its names. */
interface Reviewer {
  readonly id: string
  readonly names: readonly string[]
}

/** Reads the reviewers of a pull request. */
export function reviewersAt(pull: unknown): Reviewer[] {
  return listAt(pull, 'reviewers').map(reviewerOf)
}

/**
 * Ids of accounts by their address or name, or of teams by their name: those of the teams of the project, as the API for all accounts is
 * on another host.
 * @throws InvalidInputError for one that no team has
 */
export async function reviewerIds(
  api: ForgeApi,
  project: readonly string[],
  names: readonly string[],
): Promise<string[]> {
  const ids = new Map<string, string>()
  const take = (reviewers: readonly Reviewer[]) => {
    for (const { id, names: known } of reviewers) {
      for (const name of names) if (known.some((one) => isSame(one, name))) ids.set(name, id)
    }
  }
  const teams = [...project.slice(0, -1), '_apis', 'projects', ...project.slice(-1), 'teams']
  const found = await api.all({ path: teams, query: page }, (item) => ({
    id: textAt(item, 'id'),
    names: [textAt(item, 'id'), textAt(item, 'name')],
  }))
  take(found)
  for (const { id } of found) {
    if (names.every((name) => ids.has(name))) break
    const path = [...teams, id, 'members']
    take(await api.all({ path, query: page }, (item) => reviewerOf((item as { identity: unknown }).identity)))
  }
  return names.map((name) => {
    const id = ids.get(name)
    if (id !== undefined) return id
    const where = project.join('/')
    throw new InvalidInputError(
      `Azure DevOps knows no account ${JSON.stringify(name)} in the teams of ${where}`,
    )
  })
}

function reviewerOf(item: unknown): Reviewer {
  const id = textAt(item, 'id')
  const names = ['uniqueName', 'displayName'].flatMap((place) => optionalTextAt(item, place) ?? [])
  return { id, names: [id, ...names] }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
