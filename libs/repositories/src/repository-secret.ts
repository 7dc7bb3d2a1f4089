import { createHash } from 'node:crypto'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { holdsSecret } from '@wadi/git/remote/repository-url.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** The label that says what a Secret is for, as in Argo CD. */
export const secretTypeLabel = 'argocd.argoproj.io/secret-type'

/** The use of a Secret's credentials: one repository or all below a URL, to read or to write. */
export type SecretType = 'repository' | 'repo-creds' | 'repository-write' | 'repo-write-creds'

/** A Secret with repository credentials, read. */
export interface RepositorySecret {
  /** The Secret's own name. */
  name: string
  type: SecretType
  url: string
  /** AppProject that it is limited to; empty for all. */
  project: string
  /** Every value of the Secret as text. */
  values: Readonly<Record<string, string>>
  /** Another string after each change of the stored Secret; undefined for one that is not stored. */
  version?: string
  /** The Secret for a URL above this one whose sign-in is among the values; undefined for a Secret that has its own or none. */
  lender?: RepositorySecret
}

const knownFields = (
  'url name project type username password bearerToken sshPrivateKey sshKnownHosts insecure insecureIgnoreHostKey ' +
  'tlsCaCertificate tlsClientCertData tlsClientCertKey proxy noProxy forceHttpBasicAuth enableOCI insecureOCIForceHttp passCredentials ' +
  'githubAppID githubAppInstallationID githubInstallationID githubAppPrivateKey githubAppEnterpriseBaseUrl'
).split(' ')

const notSupported =
  'is not supported, so Wadi signs in without it; give a username with a password or a token'

/** Fields of Argo CD 3.6 that are taken as they are and have no effect. */
const ineffectiveFields: Readonly<Record<string, string>> = {
  depth: 'has no effect: Wadi decides itself how much history it needs',
  enableLfs: 'has no effect: files of Git LFS are not fetched, and renderers see their pointers',
  webhookManifestCacheWarmDisabled: 'has no effect: Wadi has no such cache',
  useAzureWorkloadIdentity: notSupported,
  gcpServiceAccountKey: notSupported,
  azureActiveDirectoryEndpoint: notSupported,
  azureServicePrincipalClientID: notSupported,
  azureServicePrincipalClientId: notSupported,
  azureServicePrincipalClientSecret: notSupported,
  azureServicePrincipalTenantID: notSupported,
  azureServicePrincipalTenantId: notSupported,
}

/** Fields of yes and no, which Go reads in several spellings, and those with numbers. */
const booleanFields =
  'insecure insecureIgnoreHostKey forceHttpBasicAuth enableLfs enableOCI insecureOCIForceHttp passCredentials useAzureWorkloadIdentity webhookManifestCacheWarmDisabled'.split(
    ' ',
  )
const numberFields = ['githubAppID', 'githubAppInstallationID', 'githubInstallationID', 'depth']
const yesOrNo = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text): [string, string] => [text, 'true']),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text): [string, string] => [text, 'false']),
])

/** The fields that commit-server needs for requests to the forge of a repository. */
const forgeFields = ['forge', 'forgeUrl', 'forgeToken']

/** True if a Secret's type is one for writing. */
export function isWriteType(type: string | undefined): boolean {
  return type === 'repository-write' || type === 'repo-write-creds'
}

/** True if a Secret's type is one for all repositories below a URL. */
export function isPrefixType(type: SecretType): boolean {
  return type === 'repo-creds' || type === 'repo-write-creds'
}

/**
 * Reads a Secret in Argo CD's form, from `data` and `stringData`.
 * @throws InvalidInputError that names the label or field that is wrong; values are never repeated.
 */
export function readRepositorySecret(resource: Resource): RepositorySecret {
  const name = resource.metadata.name
  const type = resource.metadata.labels?.[secretTypeLabel]
  if (!isSecretType(type)) {
    throw new InvalidInputError(
      `Secret ${name}: label ${secretTypeLabel} is ${JSON.stringify(type)}; ` +
        'repository, repo-creds, repository-write or repo-write-creds is expected',
    )
  }
  const values: Record<string, string> = {}
  for (const [key, value] of Object.entries(resource.data ?? {})) {
    values[key] = Buffer.from(value, 'base64').toString('utf8')
  }
  Object.assign(values, resource.stringData)
  const reader = new FieldReader(`Secret ${name}`)
  const url = reader.requiredString(values, 'url', '')
  for (const field of ['url', 'forgeUrl', 'githubAppEnterpriseBaseUrl']) {
    if (!holdsSecret((values[field] ?? '').trim())) continue
    const place = field === 'forgeUrl' ? 'forgeToken' : 'password'
    reader.report(`${field} must not contain a password or a token; give it as ${place}`)
  }
  for (const field of booleanFields) {
    const text = values[field] ?? ''
    if (text === '') continue
    const value = yesOrNo.get(text)
    if (value === undefined) reader.report(`${field} must be true or false`)
    else values[field] = value
  }
  for (const field of numberFields) {
    if (!/^-?\d*$/.test(values[field] ?? '')) reader.report(`${field} must be a number`)
  }
  reader.throwFindings()
  const { resourceVersion: version } = resource.metadata
  return {
    name,
    type,
    url,
    project: values['project'] ?? '',
    values,
    ...(version !== undefined && { version }),
  }
}

/**
 * Returns the fields of a Secret that have no effect, each with the reason and without its value: a field of a later Argo CD keeps no Secret from
 * being used, nor does a misspelt one.
 */
export function repositorySecretWarnings({
  type,
  url,
  values,
}: Pick<RepositorySecret, 'type' | 'url' | 'values'>): string[] {
  const reader = new FieldReader('')
  const others = Object.entries(values).filter(([field]) => !Object.hasOwn(ineffectiveFields, field))
  reader.known(
    Object.fromEntries(others),
    isWriteType(type) ? [...knownFields, ...forgeFields] : knownFields,
    '',
  )
  const ineffective = Object.entries(ineffectiveFields)
    .filter(([field]) => !['', 'false', '0', undefined].includes(values[field]))
    .map(([field, reason]) => `${field} ${reason}`)
  const isSsh = /^(?:ssh:\/\/|[^/]*@[^/]+:)/i.test(url.trim())
  return [
    ...reader.findings.map(({ message }) => message),
    ...ineffective,
    ...(values['proxy'] && isSsh ? ['proxy has no effect: ssh connects directly'] : []),
    ...(values['type'] === 'oci'
      ? [
          'type oci applies to artifacts that the generator oci reads; an artifact as the source of an Application is not supported',
        ]
      : []),
  ]
}

/** Returns the fields of a Secret that sign in for Argo CD and not here, each with the reason and without its value. */
export function unsupportedSignIn({ values }: Pick<RepositorySecret, 'values'>): string[] {
  return Object.entries(ineffectiveFields)
    .filter(([field, reason]) => reason === notSupported && !['', 'false', undefined].includes(values[field]))
    .map(([field, reason]) => `${field} ${reason}`)
}

/** The name that a Secret for a repository gets when the user gives none; equal for equal repositories and projects. */
export function repositorySecretName(type: SecretType, url: string, project: string): string {
  const digest = createHash('sha256')
    .update(`${normalizeRepositoryUrl(url)}\n${project}`)
    .digest('hex')
  return `${type}-${digest.slice(0, 16)}`
}

function isSecretType(type: string | undefined): type is SecretType {
  return type === 'repository' || type === 'repo-creds' || isWriteType(type)
}
