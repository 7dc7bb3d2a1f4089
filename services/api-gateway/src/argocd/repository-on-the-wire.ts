import type { MessageInitShape } from '@bufbuild/protobuf'
import type { RepoCredsSchema, RepositorySchema } from '@wadi/protocol/gen/argocd/v1alpha1/repository_pb.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'

/** A stored repository as clients of Argo CD read it: without secrets. */
export function repositoryOnTheWire(repository: Repository): MessageInitShape<typeof RepositorySchema> {
  const { repoUrl: repo, name, project, username, insecure, reachable, message } = repository
  const connectionState = { status: reachable ? 'Successful' : 'Failed', message }
  return { repo, name, project, username, insecure, type: 'git', connectionState }
}

/** Stored credentials for all repositories below a URL as clients of Argo CD read them: without secrets. */
export function credentialsOnTheWire(repository: Repository): MessageInitShape<typeof RepoCredsSchema> {
  const { repoUrl: url, username } = repository
  return { url, username, type: 'git' }
}
