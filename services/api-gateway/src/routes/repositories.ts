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
import type { Resource } from '@wadi/resources/resource.ts'
import { repositoryObject } from '../authorization/policy-object.ts'
import type { GatewayContext } from '../context.ts'
import { tellHydrator } from '../repositories/tell-hydrator.ts'
import {
  credentialsOwner,
  findRepository,
  putRepository,
  visibleRepositories,
} from '../repositories/repository-access.ts'

/** Stores a repository with the service that may hold its credentials; its remote is reached once that is allowed. */
export function createRepository(context: GatewayContext) {
  return async (request: CreateRepositoryRequest, call: HandlerContext) => {
    const { skipValidation, upsert } = request
    const repository = await putRepository(context, call, secretOf(request), { skipValidation, upsert })
    return { ...(repository && { repository }) }
  }
}

/** Lists the repositories with read or with write credentials that the caller may see. */
export function listRepositories(context: GatewayContext) {
  return async ({ write, refresh }: ListRepositoriesRequest, call: HandlerContext) => {
    const visible = await visibleRepositories(context, call, { write, refresh: false })
    // No remote is reached for somebody who may see none.
    if (!refresh || visible.length === 0) return { repositories: visible }
    return { repositories: await visibleRepositories(context, call, { write, refresh }) }
  }
}

/** Forgets a repository's read or write credentials. */
export function deleteRepository(context: GatewayContext) {
  return async ({ repoUrl, write, project }: DeleteRepositoryRequest, call: HandlerContext) => {
    const stored = await findRepository(context, call, { repoUrl, write, project })
    const { resource, object } = repositoryObject(write, stored)
    context.authorization.require(call, resource, 'delete', object)
    await credentialsOwner(context, write).deleteRepository({ repoUrl, project }, { signal: call.signal })
    await tellHydrator(context)
    return {}
  }
}

/** Checks whether the caller may store a new repository and whether its description is valid; its remote is not reached. */
export function checkRepository(context: GatewayContext) {
  return async (request: CreateRepositoryRequest, call: HandlerContext): Promise<void> => {
    const options = { skipValidation: true, upsert: false, dryRun: true }
    await putRepository(context, call, secretOf(request), options)
  }
}

/** The Secret in Argo CD's form that holds what a request tells. */
function secretOf(request: CreateRepositoryRequest): Resource {
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
