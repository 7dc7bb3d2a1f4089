import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { listAt, objectAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'

const helperTimeoutMs = 30_000
const maxFileBytes = 16 * 1024 * 1024

/**
 * The credentials that helm uses on this machine: of repositories those of `helm repo add`, of registries those of `helm registry login`
 * and `docker login`, also from their credential helpers. Files that are not there or cannot be read have none.
 */
export async function readHelmCredentials(environment: NodeJS.ProcessEnv): Promise<RepositorySecret[]> {
  const home = environment['HOME'] || homedir()
  const configHome =
    environment['HELM_CONFIG_HOME'] || join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'helm')
  const repositories = environment['HELM_REPOSITORY_CONFIG'] || join(configHome, 'repositories.yaml')
  const registries = [
    environment['HELM_REGISTRY_CONFIG'] || join(configHome, 'registry', 'config.json'),
    join(environment['DOCKER_CONFIG'] || join(home, '.docker'), 'config.json'),
  ]
  const ofRepositories = await repositorySecrets(repositories)
  const ofRegistries: RepositorySecret[] = []
  for (const file of registries) ofRegistries.push(...(await registrySecrets(file, environment)))
  const known = new Set<string>()
  return [...ofRepositories, ...ofRegistries].filter(({ url }) => !known.has(url) && known.add(url))
}

async function repositorySecrets(file: string): Promise<RepositorySecret[]> {
  const content = await readObject(file)
  const secrets = listAt(content, 'repositories').map(async (entry): Promise<RepositorySecret> => {
    const contentOf = async (field: string) => {
      const path = textAt(entry, field)
      return path === '' ? '' : ((await readText(path)) ?? '')
    }
    return {
      name: `helm repo ${textAt(entry, 'name')}`,
      type: 'repository',
      url: textAt(entry, 'url'),
      project: '',
      values: {
        username: textAt(entry, 'username'),
        password: textAt(entry, 'password'),
        tlsCaCertificate: await contentOf('caFile'),
        tlsClientCertData: await contentOf('certFile'),
        tlsClientCertKey: await contentOf('keyFile'),
        ...(valueAt(entry, 'insecure_skip_tls_verify') === true && { insecure: 'true' }),
        ...(valueAt(entry, 'pass_credentials_all') === true && { passCredentials: 'true' }),
      },
    }
  })
  return (await Promise.all(secrets)).filter(({ url }) => url !== '')
}

async function registrySecrets(file: string, environment: NodeJS.ProcessEnv): Promise<RepositorySecret[]> {
  const content = await readObject(file)
  const secrets: RepositorySecret[] = []
  const auths = objectAt(content, 'auths')
  const helpers = objectAt(content, 'credHelpers')
  const store = textAt(content, 'credsStore')
  const hosts = new Set([...Object.keys(auths), ...Object.keys(helpers)])
  for (const host of hosts) {
    const helper = helpers[host] ?? store
    const [, username = '', password = ''] =
      /^([^:]*):([^]*)$/.exec(Buffer.from(textAt(auths[host], 'auth'), 'base64').toString('utf8')) ?? []
    const values =
      typeof helper === 'string' && helper !== ''
        ? await askHelper(helper, host, environment)
        : { username, password }
    if (!values || values.password === '') continue
    const url = host.replace(/^https?:\/\//, '').replace(/\/.*$/, '')
    secrets.push({ name: `registry ${url}`, type: 'repo-creds', url, project: '', values })
  }
  return secrets
}

/** Asks a credential helper as Docker and helm do; undefined when it has nothing for the host. */
async function askHelper(
  helper: string,
  host: string,
  env: NodeJS.ProcessEnv,
): Promise<{ username: string; password: string } | undefined> {
  if (!/^[A-Za-z0-9._-]+$/.test(helper)) return undefined
  const { promise, resolve } = Promise.withResolvers<string>()
  const options = { env, timeout: helperTimeoutMs, maxBuffer: maxFileBytes }
  const child = execFile(`docker-credential-${helper}`, ['get'], options, (error, stdout) =>
    resolve(error ? '' : stdout),
  )
  child.stdin?.on('error', () => undefined).end(host)
  const answer = parsedJson(await promise)
  const [username, password] = [textAt(answer, 'Username'), textAt(answer, 'Secret')]
  return password === '' ? undefined : { username, password }
}

async function readObject(file: string): Promise<unknown> {
  const text = await readText(file)
  if (text === undefined) return undefined
  try {
    return readYaml(text, file).documents[0]?.value
  } catch {
    return undefined
  }
}

async function readText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes === undefined || bytes.length > maxFileBytes ? undefined : bytes.toString('utf8')
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
