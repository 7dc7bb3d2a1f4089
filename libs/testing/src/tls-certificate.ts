import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Why no certificate can be made here; false when one can. */
export const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

/** A certificate of `localhost` and 127.0.0.1 that signs itself, as files. */
export interface TlsCertificate {
  certificate: string
  key: string
}

/** Makes a certificate for a day. */
export function makeCertificate(directory: string): TlsCertificate {
  const [certificate, key] = [join(directory, 'tls.crt'), join(directory, 'tls.key')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  return { certificate, key }
}
