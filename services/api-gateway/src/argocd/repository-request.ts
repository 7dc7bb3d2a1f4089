import { create } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  type CreateRepositoryRequest,
  CreateRepositoryRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'

/** The fields that Argo CD's messages share to describe how a repository is reached. */
interface RepositoryFields {
  readonly type: string
  readonly name?: string
  readonly project?: string
  readonly username: string
  readonly password: string
  readonly bearerToken: string
  readonly sshPrivateKey: string
  readonly githubAppID: bigint
  readonly githubAppInstallationID: bigint
  readonly githubAppPrivateKey: string
  readonly githubAppEnterpriseBaseUrl: string
  readonly tlsClientCertData: string
  readonly tlsClientCertKey: string
  readonly insecure?: boolean
  readonly insecureIgnoreHostKey?: boolean
  readonly proxy: string
  readonly noProxy?: string
}

/** Options of storing a repository. */
interface RequestOptions {
  readonly write: boolean
  readonly isPrefix?: boolean
  readonly upsert?: boolean
}

/** Fields whose values matter in Argo CD and are ignored in Wadi, by their names in both spellings. */
const unsupportedFields = [
  'enableLfs',
  'gcpServiceAccountKey',
  'useAzureWorkloadIdentity',
  'azureServicePrincipalClientId',
  'azureServicePrincipalClientSecret',
  'azureServicePrincipalTenantId',
  'azureActiveDirectoryEndpoint',
  'insecureOCIForceHttp',
  'insecureOciForceHttp',
]

/**
 * Returns a repository that a client of Argo CD describes as a request to the gateway's own service.
 * @throws InvalidInputError that names what Wadi cannot do
 */
export function repositoryRequest(
  repoUrl: string,
  fields: RepositoryFields,
  { write, isPrefix = false, upsert = false }: RequestOptions,
): CreateRepositoryRequest {
  if (!['', 'git', 'helm'].includes(fields.type)) {
    throw new InvalidInputError(
      `repositories of type ${JSON.stringify(fields.type)} are not supported: Wadi reads git repositories and charts`,
    )
  }
  const wanted = new Map<string, unknown>(Object.entries(fields))
  const unknown = unsupportedFields.filter((field) => Boolean(wanted.get(field)))
  if (unknown.length > 0)
    throw new InvalidInputError(`${unknown.join(', ')} of a repository is not supported`)
  const { name = '', project = '', username, password, bearerToken, sshPrivateKey, proxy } = fields
  return create(CreateRepositoryRequestSchema, {
    repoUrl,
    write,
    isPrefix,
    upsert,
    name,
    project,
    username,
    password,
    bearerToken,
    sshPrivateKey,
    proxy,
    noProxy: fields.noProxy ?? '',
    type: fields.type === 'git' ? '' : fields.type,
    enableOci: Boolean(wanted.get('enableOCI') ?? wanted.get('enableOci')),
    githubAppId: numberText(fields.githubAppID),
    githubAppInstallationId: numberText(fields.githubAppInstallationID),
    githubAppPrivateKey: fields.githubAppPrivateKey,
    githubAppEnterpriseBaseUrl: fields.githubAppEnterpriseBaseUrl,
    tlsClientCertificate: fields.tlsClientCertData,
    tlsClientKey: fields.tlsClientCertKey,
    insecure: Boolean(fields.insecure) || Boolean(fields.insecureIgnoreHostKey),
  })
}

function numberText(value: bigint): string {
  return value === 0n ? '' : String(value)
}
