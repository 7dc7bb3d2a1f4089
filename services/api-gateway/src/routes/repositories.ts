import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type {
  CreateRepositoryRequest,
  DeleteRepositoryRequest,
  ListRepositoriesRequest,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import {
  repositorySecretName,
  type SecretType,
  secretTypeLabel,
} from '@wadi/repositories/repository-secret.ts'
import type { GatewayContext } from '../context.ts'

/** Stores a repository with the service that may hold its credentials. */
export function createRepository({ repoServer, commitServer }: GatewayContext) {
  return async (request: CreateRepositoryRequest, { signal }: HandlerContext) => {
    const { skipValidation, upsert } = request
    const put = { secretJson: JSON.stringify(secretOf(request)), skipValidation, upsert }
    const { repository } = request.write
      ? await commitServer.putWriteRepository(put, { signal })
      : await repoServer.putRepository(put, { signal })
    return { ...(repository && { repository }) }
  }
}

/** Lists the repositories with read or with write credentials. */
export function listRepositories({ repoServer, commitServer }: GatewayContext) {
  return async ({ write, refresh }: ListRepositoriesRequest, { signal }: HandlerContext) => {
    const { repositories } = write
      ? await commitServer.listWriteRepositories({ refresh }, { signal })
      : await repoServer.listRepositories({ refresh }, { signal })
    return { repositories }
  }
}

/** Forgets a repository's read or write credentials. */
export function deleteRepository({ repoServer, commitServer }: GatewayContext) {
  return async ({ repoUrl, write, project }: DeleteRepositoryRequest, { signal }: HandlerContext) => {
    if (write) await commitServer.deleteWriteRepository({ repoUrl, project }, { signal })
    else await repoServer.deleteRepository({ repoUrl, project }, { signal })
    return {}
  }
}

/** The Secret in Argo CD's form that holds what a request tells. */
function secretOf(request: CreateRepositoryRequest) {
  if (request.repoUrl === '') throw new InvalidInputError('repoURL is required')
  const kind: SecretType = request.isPrefix ? 'repo-creds' : 'repository'
  const writeKind: SecretType = request.isPrefix ? 'repo-write-creds' : 'repository-write'
  const type = request.write ? writeKind : kind
  const fields = {
    url: request.repoUrl,
    name: request.name,
    project: request.project,
    username: request.username,
    password: request.password,
    bearerToken: request.bearerToken,
    sshPrivateKey: request.sshPrivateKey,
    sshKnownHosts: request.sshKnownHosts,
    githubAppID: request.githubAppId,
    githubAppInstallationID: request.githubAppInstallationId,
    githubAppPrivateKey: request.githubAppPrivateKey,
    githubAppEnterpriseBaseUrl: request.githubAppEnterpriseBaseUrl,
    tlsClientCertData: request.tlsClientCertificate,
    tlsClientCertKey: request.tlsClientKey,
    proxy: request.proxy,
    insecure: request.insecure ? 'true' : '',
  }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: repositorySecretName(type, request.repoUrl, request.project),
      labels: { [secretTypeLabel]: type },
    },
    stringData: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
  }
}
