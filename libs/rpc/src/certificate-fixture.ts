import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

/** Why no certificates can be made here; false when they can. */
export const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

function openssl(directory: string, ...args: string[][]): void {
  execFileSync('openssl', args.flat(), { cwd: directory, stdio: 'ignore' })
}

/** Makes an authority: `<name>.crt` and `<name>.key` in a directory. */
export function makeAuthority(directory: string, name: string): void {
  openssl(
    directory,
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`],
  )
}

/** Makes a certificate of an authority, and returns its files with the authority `authority.crt` of the directory; one of -1 days has expired. */
export function issue(directory: string, authority: string, name: string, subjectAltName: string, days = 1) {
  openssl(
    directory,
    ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`],
  )
  writeFileSync(path.join(directory, `${name}.ext`), `subjectAltName=${subjectAltName}\n`)
  openssl(
    directory,
    ['x509', '-req', '-in', `${name}.csr`, '-CA', `${authority}.crt`, '-CAkey', `${authority}.key`],
    ['-CAcreateserial', '-days', String(days), '-extfile', `${name}.ext`, '-out', `${name}.crt`],
  )
  return {
    certFile: path.join(directory, `${name}.crt`),
    keyFile: path.join(directory, `${name}.key`),
    caFile: path.join(directory, 'authority.crt'),
  }
}
