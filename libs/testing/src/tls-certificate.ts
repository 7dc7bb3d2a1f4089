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

/** A certificate of a server and the one of the authority that signed it, as files. */
export interface SignedCertificate extends TlsCertificate {
  authority: string
}

/** Makes an authority and a certificate that it gives to a host, each for a day. */
export function makeSignedCertificate(directory: string, host: string): SignedCertificate {
  const file = (name: string): string => join(directory, name)
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const run = (...args: string[]): Buffer =>
    execFileSync('openssl', ['req', ...kind, ...args], { stdio: 'pipe' })
  const [authority, authorityKey] = [file('ca.crt'), file('ca.key')]
  const [certificate, key] = [file('server.crt'), file('server.key')]
  run('-subj', '/CN=own authority', '-keyout', authorityKey, '-out', authority)
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const signer = ['-CA', authority, '-CAkey', authorityKey, '-addext', 'basicConstraints=critical,CA:FALSE']
  run(...names, ...signer, '-keyout', key, '-out', certificate)
  return { authority, certificate, key }
}
