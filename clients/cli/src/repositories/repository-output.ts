import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import { toJson } from '@bufbuild/protobuf'
import type { JsonObject } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { RepositorySchema } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { repositoryTable } from './repository-table.ts'
import { structuredText } from '../output/structured-output.ts'

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
