import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { withoutUndefined } from '@wadi/fields/without-undefined.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import type { ClusterConfig } from './cluster-config.ts'
import { fileToken } from './file-token.ts'

type Fields = Record<string, unknown>

/** Fields of a user that ask for something that this client does not do. */
const unsupportedUserFields = ['exec', 'auth-provider', 'username', 'password', 'as']
/** The same of a cluster. */
const unsupportedClusterFields = ['proxy-url', 'insecure-skip-tls-verify']

/**
 * Returns the configuration of a kubeconfig's context.
 * @param context the current one by default
 * @throws InvalidInputError for a file that is not a kubeconfig, and for what is unsupported: exec plugins, auth providers
 * (OIDC), passwords, impersonation, proxies and servers whose certificate is not verified.
 */
export async function kubeconfig(file: string, context?: string): Promise<ClusterConfig> {
  const text = await readNamedFile(file, 'the kubeconfig')
  const reader = new FieldReader(file)
  const root: unknown = readYaml(text, file).documents[0]?.value
  if (!isJsonObject(root)) throw new InvalidInputError(`${file} is not a kubeconfig: it must be an object`)
  const contextName = context ?? reader.requiredString(root, 'current-context', '')
  const chosen = named(reader, root, 'contexts', 'context', contextName)
  const cluster = named(reader, root, 'clusters', 'cluster', reader.string(chosen, 'cluster', 'context.'))
  const userName = reader.string(chosen, 'user', 'context.')
  const user = named(reader, root, 'users', 'user', userName)
  reportUnsupported(reader, cluster, user, userName)
  reader.throwFindings()
  const server = reader.requiredString(cluster, 'server', 'cluster.')
  if (server !== '' && !URL.canParse(server)) reader.report('cluster.server must be a URL')
  const inDirectory = (name: string) => path.resolve(path.dirname(file), name)
  const material = (fields: Fields, field: string, above: string) => {
    const data = reader.string(fields, `${field}-data`, above)
    const name = reader.string(fields, field, above)
    return async () => {
      if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8')
      return name === undefined ? undefined : readNamedFile(inDirectory(name), `${above}${field}`)
    }
  }
  const ca = material(cluster, 'certificate-authority', 'cluster.')
  const cert = material(user, 'client-certificate', 'user.')
  const key = material(user, 'client-key', 'user.')
  const servername = reader.string(cluster, 'tls-server-name', 'cluster.')
  const token = reader.string(user, 'token', 'user.')
  const tokenFile = reader.string(user, 'tokenFile', 'user.')
  const namespace = reader.string(chosen, 'namespace', 'context.')
  reader.throwFindings()
  return {
    server,
    namespace,
    tls: async () => withoutUndefined({ ca: await ca(), cert: await cert(), key: await key(), servername }),
    bearerToken: tokenFile === undefined ? async () => token : fileToken(inDirectory(tokenFile)),
  }
}

async function readNamedFile(file: string, what: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new InvalidInputError(`${what}: ${file} cannot be read`, { cause: error })
  })
}

/** The fields of the entry of that name in one of the three lists of a kubeconfig; reports a missing one. */
function named(
  reader: FieldReader,
  root: Fields,
  list: string,
  field: string,
  name: string | undefined,
): Fields {
  const entries = reader.objects(root, list, '')
  const entry = entries.find(({ item }) => item['name'] === name)
  if (entry === undefined) {
    if (name !== undefined) reader.report(`${list} has no ${field} named ${JSON.stringify(name)}`)
    return {}
  }
  return reader.object(entry.item, field, `${entry.path}.`) ?? {}
}

function reportUnsupported(reader: FieldReader, cluster: Fields, user: Fields, userName = ''): void {
  for (const field of unsupportedUserFields.filter((name) => Boolean(user[name]))) {
    reader.report(
      `user ${JSON.stringify(userName)} has ${field}, which is unsupported; use a token (kubectl create token) or a client certificate`,
    )
  }
  for (const field of unsupportedClusterFields.filter((name) => Boolean(cluster[name]))) {
    reader.report(
      `cluster.${field} is unsupported; give the address of the API server and its certificate-authority`,
    )
  }
}
