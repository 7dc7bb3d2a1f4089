import {
  FailedPreconditionError,
  InvalidInputError,
  PermissionDeniedError,
} from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace, credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { GeneratorRun } from './generator-run.ts'

/** The address and the credentials of a plugin. */
export interface PluginConfiguration {
  /** The address of its one method. */
  url: URL
  token: string
  timeoutMs: number
}

const method = 'api/v1/getparams.execute'
const defaultSecret = 'argocd-secret'
const defaultTimeoutSeconds = 30
const maxTimeoutSeconds = 600

/**
 * Makes sure that generators may use the plugin of a ConfigMap.
 * @throws PermissionDeniedError that is equal for a missing and a forbidden ConfigMap
 */
export function requirePlugin(
  name: string,
  { pluginConfigMaps }: Pick<GeneratorRun, 'pluginConfigMaps'>,
): void {
  if (pluginConfigMaps.includes(name)) return
  throw new PermissionDeniedError(
    `the plugin ${JSON.stringify(name)} is not allowed; whoever runs appset-service allows plugins by the names of ` +
      'their ConfigMaps in WADI_APPSET_PLUGINS',
  )
}

/**
 * Reads the ConfigMap of a plugin and the Secret that it names, both in the namespace of the control plane: `baseUrl`,
 * `token` as `$<key in argocd-secret>` or `$<secret>:<key>`, and `requestTimeout` in seconds, 30 by default.
 * @throws FailedPreconditionError for what does not exist, InvalidInputError for what is wrong
 */
export async function readPluginConfiguration(
  name: string,
  store: GeneratorRun['store'],
): Promise<PluginConfiguration> {
  const at = `ConfigMap ${controlPlaneNamespace}/${name}`
  const configMap = await store.get('ConfigMap', controlPlaneNamespace, name)
  if (!configMap) throw new FailedPreconditionError(`error fetching ConfigMap: ${at} does not exist`)
  const { baseUrl = '', token = '', requestTimeout = '' } = configMap.data ?? {}
  if (baseUrl === '') throw new FailedPreconditionError(`${at}: baseUrl not found in ConfigMap`)
  if (token === '') throw new FailedPreconditionError(`${at}: token not found in ConfigMap`)
  const seconds = requestTimeout === '' ? defaultTimeoutSeconds : Number(requestTimeout)
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > maxTimeoutSeconds) {
    throw new InvalidInputError(
      `${at}: error set requestTimeout: it must be a whole number of seconds up to ${maxTimeoutSeconds}`,
    )
  }
  return {
    url: methodAddress(baseUrl, at),
    token: await readToken(token, at, store),
    timeoutMs: (seconds || defaultTimeoutSeconds) * 1_000,
  }
}

function methodAddress(baseUrl: string, at: string): URL {
  const url = URL.parse(`${baseUrl.replace(/\/+$/, '')}/${method}`)
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url && isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new InvalidInputError(
    `${at}: baseUrl must be an address that begins with http:// or https://, without user, query and fragment`,
  )
}

async function readToken(reference: string, at: string, store: GeneratorRun['store']): Promise<string> {
  if (!reference.startsWith('$')) {
    throw new InvalidInputError(
      `${at}: token does not reference a secret key starting with '$'; write $<key> or $<secret>:<key>`,
    )
  }
  const [first = '', ...rest] = reference.slice(1).split(':')
  const [secretName, key] = rest.length === 0 ? [defaultSecret, first] : [first, rest.join(':')]
  const secret = await store.get('Secret', credentialsNamespace, secretName)
  const { data = {} } = secret ?? {}
  const token = Object.hasOwn(data, key)
    ? Buffer.from(data[key] ?? '', 'base64')
        .toString()
        .trim()
    : ''
  if (token === '' || /[^\x21-\x7e]/.test(token)) {
    throw new FailedPreconditionError(
      `${at}: error fetching Secret token: Secret ${credentialsNamespace}/${secretName} has no token in ${JSON.stringify(key)}`,
    )
  }
  return token
}
