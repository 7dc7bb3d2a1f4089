import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { controlPlaneNamespace, credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { apiBase, apiOf, comparableApi } from '@wadi/forges/forge-address.ts'
import { type ForgeApi, forgeApi } from '@wadi/forges/forge-api.ts'
import type { ForgeClient } from '@wadi/forges/forge-client.ts'
import { generatorWords } from '@wadi/forges/forge-failure.ts'
import type { ServerWay } from '@wadi/git/network/server-way.ts'
import type { ForgeOptions, KeyReference } from './forge-options.ts'

/** The requests that generators may send to forges. */
export interface ForgeAccess {
  isEnabled: boolean
  /** The APIs that tokens may be sent to, and that may be in a private network. */
  allowedApis: readonly string[]
  client: ForgeClient
  /** Gives the way to an API's server that also has repositories; undefined for servers without a way of their own. */
  wayTo?: (asked: AskedServer, signal: AbortSignal) => Promise<ServerWay>
}

/** The server of an API, and the repository or what is above several whose stored connection settings apply. */
interface AskedServer {
  readonly url: string
  readonly repoUrl: string
  readonly project: string
}

/** The namespace of an ApplicationSet's Secrets and ConfigMaps, and the literal project of its template. */
export interface ReferenceSource {
  store: Pick<ResourceStore, 'get'>
  namespace: string
  project: string
}

const secretLabel = 'argocd.argoproj.io/secret-type'

/**
 * Makes sure that a forge may be asked. A token goes to listed APIs alone, also to the public ones; without a token an
 * `api` has to be listed when there is a list.
 * @throws FailedPreconditionError
 */
export function requireAllowedForge(
  { isEnabled, allowedApis }: Pick<ForgeAccess, 'isEnabled' | 'allowedApis'>,
  { forge, api, token }: ForgeOptions,
): void {
  if (!isEnabled) {
    throw new FailedPreconditionError(
      'scm providers are disabled; an operator enables them with WADI_SCM_PROVIDERS=true for appset-service',
    )
  }
  apiBase(forge, api)
  const needsListing = token !== undefined || (api !== '' && allowedApis.length > 0)
  const wanted = apiOf(forge, api)
  if (!needsListing || allowedApis.some((allowed) => comparableApi(allowed) === comparableApi(wanted))) return
  throw new FailedPreconditionError(
    `scm provider ${JSON.stringify(wanted)} not allowed, must use one of the following: ${allowedApis.join(', ')}` +
      (allowedApis.length === 0 ? '(none: with a tokenRef the API must be in WADI_SCM_ALLOWED_APIS)' : ''),
  )
}

/**
 * The API of a forge with the token and the authorities that the options name, read now.
 * @throws FailedPreconditionError when they are not there
 */
export async function openForge(
  { client, allowedApis, wayTo }: ForgeAccess,
  options: ForgeOptions,
  source: ReferenceSource,
  signal: AbortSignal,
): Promise<ForgeApi> {
  const { forge, api, insecure, owner } = options
  const base = apiBase(forge, api)
  const token = options.token && (await readToken(options.token, source))
  const authorities = options.authorities && (await readAuthorities(options.authorities, source))
  const mayBeInner = allowedApis.some((allowed) => URL.parse(allowed)?.host === base.host)
  const { project } = source
  const repoUrl = `${base.protocol}//${base.host.replace(/^api\./, '')}/${owner}`
  const stored = await wayTo?.({ url: base.href, repoUrl, project }, signal)
  const way = {
    ...stored,
    ...(insecure && { insecureSkipTlsVerify: true }),
    ...(authorities !== undefined && { tlsCaCertificate: authorities }),
  }
  return forgeApi(client, { forge, base, token, way, mayBeInner, words: generatorWords }, signal)
}

/** A Secret without the label for this is reported like one that does not exist. */
async function readToken(
  { name, key }: KeyReference,
  { store, namespace: ownNamespace }: ReferenceSource,
): Promise<string> {
  const namespace = ownNamespace === controlPlaneNamespace ? credentialsNamespace : ownNamespace
  const secret = await store.get('Secret', namespace, name)
  const isMeant = secret?.metadata.labels?.[secretLabel] === 'scm-creds'
  const data = new Map(isMeant ? Object.entries(secret.data ?? {}) : [])
  const token = Buffer.from(data.get(key) ?? '', 'base64')
    .toString()
    .trim()
  if (token === '') {
    throw new FailedPreconditionError(
      `tokenRef: namespace ${namespace} has no Secret ${JSON.stringify(name)} with the label ${secretLabel}=scm-creds and the key ${JSON.stringify(key)}`,
    )
  }
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new FailedPreconditionError(`tokenRef: the value in Secret ${JSON.stringify(name)} is not a token`)
}

async function readAuthorities(
  { name, key }: KeyReference,
  { store, namespace }: ReferenceSource,
): Promise<string> {
  const configMap = await store.get('ConfigMap', namespace, name)
  const data: unknown = configMap?.data
  const text = new Map(isJsonObject(data) ? Object.entries(data) : []).get(key)
  if (typeof text === 'string' && text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new FailedPreconditionError(
    `caRef: namespace ${namespace} has no ConfigMap ${JSON.stringify(name)} with certificates in PEM form under the key ${JSON.stringify(key)}`,
  )
}
