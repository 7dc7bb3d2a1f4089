import { type JsonObject, toJson } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import { type Repository, RepositorySchema } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { structuredText } from '../output/structured-output.ts'
import { tableText } from '../output/table.ts'

/** The output formats of repositories. */
export type RepositoryFormat = 'wide' | 'url' | 'json' | 'yaml'

/** Returns the text of several repositories, or of the only one as itself with `single`. */
export function repositoryText(
  repositories: readonly Repository[],
  format: RepositoryFormat,
  single = false,
): string {
  if (format === 'wide') return repositoryTable(repositories)
  if (format === 'url') return repositories.map(({ repoUrl }) => `${shownUrl(repoUrl)}\n`).join('')
  const objects = repositories.map(repositoryObject)
  const [only] = objects
  return structuredText(single && only ? only : objects, format)
}

function repositoryObject(repository: Repository): JsonObject {
  const object = toJson(RepositorySchema, repository, { alwaysEmitImplicit: true })
  return isJsonObject(object) ? object : {}
}

const headers = ['TYPE', 'NAME', 'REPO', 'INSECURE', 'OCI', 'LFS', 'CREDS', 'STATUS', 'MESSAGE', 'PROJECT']

/**
 * Returns the table that `repo list` prints, in argocd's columns. A repository without credentials of its own below a
 * prefix that has some shows `inherited`; a prefix has the type `git-prefix` and no status, because it is not a repository.
 */
function repositoryTable(repositories: readonly Repository[]): string {
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
