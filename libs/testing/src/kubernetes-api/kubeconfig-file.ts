import { writeFile } from 'node:fs/promises'
import type { ClusterConfig } from '@wadi/kubernetes/config/cluster-config.ts'

/** Writes a kubeconfig that connects as a configuration does now. */
export async function writeKubeconfig(file: string, config: ClusterConfig): Promise<void> {
  const { ca } = await config.tls()
  const cluster = {
    server: config.server,
    ...(typeof ca === 'string' && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
  }
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: { token: await config.bearerToken() } }],
  }
  await writeFile(file, JSON.stringify(content), { mode: 0o600 })
}
