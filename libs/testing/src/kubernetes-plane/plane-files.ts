import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The files that a plane reads from its directory. */
export interface PlaneFiles {
  readonly directory: string
  readonly ca: string
  readonly caKey: string
  readonly certificate: string
  readonly key: string
  /** The pair that signs the tokens of service accounts. */
  readonly accountKey: string
  readonly accountPublicKey: string
  /** Names the token of the administrator. */
  readonly tokens: string
  readonly kubeconfig: string
}

/**
 * Makes the certificates of an API server at 127.0.0.1, which are good for two days, and the key of its accounts.
 * @param names of the API server besides, such as `IP:10.0.0.1`
 */
export async function makePlaneFiles(
  directory: string,
  adminToken: string,
  names: readonly string[] = [],
): Promise<PlaneFiles> {
  const at = (name: string) => path.join(directory, name)
  const files: PlaneFiles = {
    directory,
    ca: at('ca.crt'),
    caKey: at('ca.key'),
    certificate: at('tls.crt'),
    key: at('tls.key'),
    accountKey: at('account.key'),
    accountPublicKey: at('account.pub'),
    tokens: at('tokens.csv'),
    kubeconfig: at('kubeconfig'),
  }
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const openssl = (...args: string[]) => run('openssl', args)
  await openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '2',
    '-subj',
    '/CN=test-ca',
    '-keyout',
    files.caKey,
    '-out',
    files.ca,
  )
  const request = at('tls.csr')
  await openssl('req', ...newKey, '-subj', '/CN=kube-apiserver', '-keyout', files.key, '-out', request)
  const allNames = ['IP:127.0.0.1', 'DNS:localhost', 'DNS:kubernetes.default.svc', ...names]
  await writeFile(at('names'), `subjectAltName=${allNames.join()}\n`)
  const signer = ['-CA', files.ca, '-CAkey', files.caKey, '-CAcreateserial', '-days', '2']
  await openssl('x509', '-req', '-in', request, ...signer, '-extfile', at('names'), '-out', files.certificate)
  await openssl('genrsa', '-out', files.accountKey, '2048')
  await openssl('rsa', '-in', files.accountKey, '-pubout', '-out', files.accountPublicKey)
  await writeFile(files.tokens, `${adminToken},admin,admin,"system:masters"\n`, { mode: 0o600 })
  return files
}

/** Writes the kubeconfig of the administrator, for kubectl and for Wadi. */
export async function writeKubeconfig(files: PlaneFiles, server: string, token: string): Promise<void> {
  await writeFile(files.kubeconfig, kubeconfigText({ server, ca: files.ca, token }), { mode: 0o600 })
}

/** A kubeconfig of somebody with a token. */
export function kubeconfigText({ server, ca, token }: { server: string; ca: string; token: string }): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority': ca } }],
    users: [{ name: 'user', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'user', namespace: 'default' } }],
  })
}
