import { hostAndPort } from '@wadi/git/network/network-policy.ts'
import type { RepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import type { RepositorySecret } from './repository-secret.ts'

const defaultPorts = new Map([
  ['https:', '443'],
  ['http:', '80'],
  ['ssh:', '22'],
])

/** True if a Secret that applies to the project names the host and the port of a repository. */
export function namesHost(
  secrets: readonly Pick<RepositorySecret, 'url' | 'project'>[],
  remote: RepositoryUrl,
  project: string,
): boolean {
  const { host, port } = hostAndPort(remote)
  return secrets.some(
    (secret) =>
      (secret.project === '' || secret.project === project) && placeOf(secret.url) === `${host}:${port}`,
  )
}

/** Host and port of a stored URL, which may be a prefix that names a host alone. */
function placeOf(url: string): string | undefined {
  const text = url.trim().toLowerCase()
  if (!text.includes('://')) {
    const [, host] = /^(?:[^@/]*@)?([^@/:]+|\[[^\]]+\]):/.exec(text) ?? []
    return host && `${host.replace(/^\[(.*)\]$/, '$1')}:22`
  }
  const { protocol, hostname, port } = URL.parse(text) ?? {}
  return hostname && `${hostname.replace(/^\[(.*)\]$/, '$1')}:${port || defaultPorts.get(protocol ?? '')}`
}

/** The host that a repository or a registry is on, without port; empty for a directory. */
export function hostOf(url: string): string {
  const text = url.trim()
  const scp = /^(?:[^@/]+@)?([^@/:]+|\[[^\]]+\]):(?!\/\/|\d+(?:\/|$))/.exec(text)?.[1]
  const name =
    scp ??
    URL.parse(text.includes('://') ? text.replace(/^oci:/i, 'https:') : `https://${text}`)?.hostname ??
    ''
  return name.replace(/^\[(.*)\]$/, '$1')
}
