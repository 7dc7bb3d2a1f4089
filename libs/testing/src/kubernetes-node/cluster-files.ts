import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { kubeconfigText, type PlaneFiles } from '../kubernetes-plane/plane-files.ts'
import { nodeAddress, nodeNames } from './node-place.ts'

const run = promisify(execFile)
const apiServer = `https://${nodeAddress}:6443`

/** The clients of the API server, by the name of a kubeconfig. */
const users: Readonly<Record<string, { readonly user: string; readonly group?: string }>> = {
  'controller-manager': { user: 'system:kube-controller-manager' },
  scheduler: { user: 'system:kube-scheduler' },
  proxy: { user: 'system:kube-proxy' },
  dns: { user: 'system:coredns', group: 'system:masters' },
  policies: { user: 'policies', group: 'system:masters' },
  ...Object.fromEntries(
    nodeNames.map((name) => [name, { user: `system:node:${name}`, group: 'system:nodes' }]),
  ),
}

/** Writes what the parts of a cluster read beside the files of its API server: a kubeconfig for each client, the settings of the name server, and the client certificate by which kubelets know the API server. */
export async function writeClusterFiles({ directory, ca, caKey, tokens }: PlaneFiles): Promise<void> {
  const at = (name: string) => path.join(directory, name)
  for (const [name, { user, group }] of Object.entries(users)) {
    const token = randomUUID()
    await appendFile(tokens, `${token},${user},${user}${group === undefined ? '' : `,"${group}"`}\n`)
    await writeFile(at(`${name}.kubeconfig`), kubeconfigText({ server: apiServer, ca, token }), {
      mode: 0o600,
    })
  }
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    at('client.key'),
  ]
  const subject = ['-subj', '/O=system:masters/CN=kube-apiserver']
  await run('openssl', ['req', ...key, ...subject, '-out', at('client.csr')])
  await writeFile(at('client.ext'), 'extendedKeyUsage=clientAuth\n')
  const signed = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', '2', '-extfile', at('client.ext')]
  await run('openssl', ['x509', '-req', '-in', at('client.csr'), ...signed, '-out', at('client.crt')])
  await writeFile(at('Corefile'), corefile(directory))
}

/** Caches the cluster's names as most clusters do, which keeps an absent name for 30 s. */
function corefile(directory: string): string {
  return `.:53 {
  errors
  ready
  cache 30
  kubernetes cluster.local in-addr.arpa {
    endpoint ${apiServer}
    kubeconfig ${path.join(directory, 'dns.kubeconfig')}
    pods insecure
    ttl 30
  }
}
`
}
