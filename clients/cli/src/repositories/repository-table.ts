import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { tableText } from '../output/table.ts'

const headers = ['TYPE', 'NAME', 'REPO', 'INSECURE', 'OCI', 'LFS', 'CREDS', 'STATUS', 'MESSAGE', 'PROJECT']

/**
 * Returns the table that `repo list` prints, in argocd's columns. A repository without credentials of its own below a
 * prefix that has some shows `inherited`; a prefix has the type `git-prefix` and no status, because it is not a repository.
 */
export function repositoryTable(repositories: readonly Repository[]): string {
  const prefixes = repositories.filter((repository) => repository.isPrefix).map(({ repoUrl }) => repoUrl)
  const rows = repositories.map((repository) => [
    repository.isPrefix ? 'git-prefix' : 'git',
    repository.name,
    shownUrl(repository.repoUrl),
    String(repository.insecure),
    'false',
    'false',
    credentialsCell(repository, prefixes),
    statusCell(repository),
    repository.message,
    repository.project,
  ])
  return tableText(headers, rows)
}

function credentialsCell({ credentials, repoUrl }: Repository, prefixes: readonly string[]): string {
  if (credentials !== 'none' && credentials !== '') return 'true'
  return prefixes.some((prefix) => repoUrl.startsWith(prefix)) ? 'inherited' : 'false'
}

function statusCell({ isPrefix, reachable }: Repository): string {
  if (isPrefix) return ''
  return reachable ? 'Successful' : 'Failed'
}
