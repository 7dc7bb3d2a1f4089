import {
  FailedPreconditionError,
  PermissionDeniedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import type { DomainError } from '@wadi/errors/domain-error.ts'

/** The kubelet sets this for every container. */
const podVariable = 'KUBERNETES_SERVICE_HOST'

/** The words of connections that nothing answers, or that are refused on their way. */
const noWay =
  /ETIMEDOUT|timed out|bytes a second|no answer|ECONNREFUSED|refused|EHOSTUNREACH|No route to host/i

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'git:': '9418' }

/** The error of a server that does not answer, or not now. */
export function unreachable(where: string, detail: string): UnavailableError {
  return new UnavailableError(`${where} cannot be reached: ${detail}${policyAdvice(where, detail)}`)
}

/** Returns what to add to the reason why a server is not reached from a pod, whose network may be what keeps it from there; else nothing. */
export function policyAdvice(where: string, detail: string): string {
  const isDirect = !detail.includes('through the proxy')
  if (process.env[podVariable] === undefined || !isDirect || !noWay.test(detail)) return ''
  return `; if a NetworkPolicy of the cluster keeps pods from it, allow its port ${portOf(where)} (network.outsidePorts of the chart, and of a server in the cluster the port of its pod)`
}

function portOf(where: string): string {
  const url = URL.parse(where)
  return url?.port || defaultPorts[url?.protocol ?? ''] || '22'
}

/** The error of a server with which no trusted connection can be made. */
export function tlsFailed(where: string, detail: string): FailedPreconditionError {
  // Node.js advises its own options, which are no user's to set.
  const reason = detail.replace(/; if the root CA is installed locally.*$/s, '')
  return new FailedPreconditionError(
    `TLS failed for ${where}: ${reason}; if its certificate is of an authority of your own, trust that one with ` +
      `"wadi cert add-tls ${hostOf(where)} --from FILE" or in the ConfigMap argocd-tls-certs-cm, or for this repository alone with ` +
      '"wadi repo add --tls-ca-certificate-path FILE"',
  )
}

/** The host of a URL without port, as authorities are stored under it. */
function hostOf(url: string): string {
  return URL.parse(url)?.hostname || 'HOST'
}

/** The error of a server with another host key than the known one, or with an unknown one. */
export function hostKeyRefused(where: string, stderr: string): FailedPreconditionError {
  const place = (flags: string): string =>
    `the ConfigMap argocd-ssh-known-hosts-cm (wadi cert add-ssh --batch${flags}) or sshKnownHosts of its Secret (wadi repo add --ssh-known-hosts-path FILE${flags})`
  if (!/REMOTE HOST IDENTIFICATION HAS CHANGED/.test(stderr)) {
    return new FailedPreconditionError(
      `host key verification failed for ${where}: no key of this server is known; add it to ${place('')}`,
    )
  }
  const shown = /fingerprint for the (\S+) key sent by the remote host is\s+(SHA256:[\w+/=]+)/.exec(stderr)
  const line = /Offending \S+ key in \S+?:(\d+)/.exec(stderr)?.[1]
  const key = shown ? `it shows the ${shown[1]} key ${shown[2]}` : 'it shows another key'
  const known =
    line === undefined ? 'which is not the known one' : `line ${line} of the known hosts has another`
  return new FailedPreconditionError(
    `host key verification failed for ${where}: ${key}, ${known}. Somebody may be between you and the server; ` +
      `if its key was changed on purpose, replace it in ${place(' --upsert')}`,
  )
}

/** The error of a proxy that does not let a connection through. @param status its answer; 0 for none */
export function proxyRefused(where: string, status: number): DomainError {
  const answer = status === 0 ? 'its proxy does not answer' : `its proxy answers ${status}`
  if (status === 0 || status === 429 || status >= 500) return unreachable(where, answer)
  return new PermissionDeniedError(
    `${where} cannot be reached: ${answer}; correct proxy in the repository's Secret, with user and password if it wants them, ` +
      'or have the proxy let this host through',
  )
}
