import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { makeDataDirectory, makeTestDirectory } from '../hydration-fixture.ts'
import { quietEnvironment } from '../mesh-fixture.ts'
import { KnownFields, wireMessage } from '../plugin-protocol/protobuf-wire-fixture.ts'
import type { Connect } from './command-line-fixture.ts'

/** A gateway with the services behind it. */
export interface Served extends AsyncDisposable {
  address: string
  /** Password of the account `admin`. */
  password: string
}

/** Starts a mesh with `settings` as environment variables. */
export async function startServed(
  isTls: boolean,
  settings: Readonly<Record<string, string>> = {},
): Promise<Served> {
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const dataDirectory = await makeDataDirectory(directory)
  const environment = { ...quietEnvironment, ...settings, ...(isTls && certificate(directory)) }
  const mesh = owned.use(await startMesh({ dataDirectory, listen: '127.0.0.1:0', environment }))
  const password = await initialPassword(join(dataDirectory, 'state.db'))
  const moved = owned.move()
  return { address: mesh.address, password, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

function certificate(directory: string): Record<string, string> {
  const [WADI_TLS_CERT_FILE, WADI_TLS_KEY_FILE] = [join(directory, 'tls.crt'), join(directory, 'tls.key')]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = [
    '-days',
    '1',
    '-subj',
    '/CN=localhost',
    '-keyout',
    WADI_TLS_KEY_FILE,
    '-out',
    WADI_TLS_CERT_FILE,
  ]
  execFileSync('openssl', [...request, ...files], { stdio: 'ignore' })
  return { WADI_TLS_CERT_FILE, WADI_TLS_KEY_FILE }
}

/** The password that the administrator begins with, where operators of Argo CD look for it. */
async function initialPassword(stateFile: string): Promise<string> {
  await using store = openSqliteStore({ file: stateFile })
  const secret = await store.get('Secret', 'argocd', 'argocd-initial-admin-secret')
  return Buffer.from(secret?.data?.['password'] ?? '', 'base64').toString()
}

/** Signs the administrator in and returns the token. */
export async function login(connect: Connect, password: string): Promise<string> {
  using connection = connect('')
  const request = wireMessage([1, 'admin'], [2, password], [3, ''])
  return new KnownFields(await connection.call('/session.SessionService/Create', request), [1]).text(1)
}
