import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { CreateRepositoryRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import {
  repositorySecretName,
  type SecretType,
  secretTypeLabel,
} from '@wadi/repositories/repository-secret.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/**
 * The Secret in Argo CD's form that holds what a request says.
 * @throws InvalidInputError for a request without a URL, or with an unknown type
 */
export function requestedSecret(request: CreateRepositoryRequest): Resource {
  if (request.repoUrl === '') throw new InvalidInputError('repoURL is required')
  if (!['', 'git', 'helm'].includes(request.type)) {
    throw new InvalidInputError(`type is ${JSON.stringify(request.type.slice(0, 100))}; give git or helm`)
  }
  if (request.passCredentials && request.type !== 'helm') {
    throw new InvalidInputError('passCredentials is about repositories of charts; give the type helm too')
  }
  const kind: SecretType = request.isPrefix ? 'repo-creds' : 'repository'
  const writeKind: SecretType = request.isPrefix ? 'repo-write-creds' : 'repository-write'
  const type = request.write ? writeKind : kind
  const fields = {
    url: request.repoUrl,
    name: request.name,
    type: request.type,
    enableOCI: request.enableOci ? 'true' : '',
    passCredentials: request.passCredentials ? 'true' : '',
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
    tlsCaCertificate: request.tlsCaCertificate,
    tlsClientCertData: request.tlsClientCertificate,
    tlsClientCertKey: request.tlsClientKey,
    proxy: request.proxy,
    noProxy: request.noProxy,
    insecure: request.insecure ? 'true' : '',
    forge: request.forge,
    forgeUrl: request.forgeUrl,
    forgeToken: request.forgeToken,
  }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: repositorySecretName(type, request.repoUrl, request.project),
      labels: { [secretTypeLabel]: type },
      ...(request.version !== '' && { resourceVersion: request.version }),
    },
    stringData: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
  }
}
