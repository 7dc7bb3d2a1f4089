import { spawn } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { onFreePorts } from '../free-port.ts'
import { untilServed } from '../served-process.ts'
import { npmRegistryDirectory } from './npm-registry-program.ts'

const endWithParent = path.resolve(import.meta.dirname, '../end-with-parent.ts')

/** A Verdaccio on the loopback interface without packages, where everybody may read and one user may publish. */
export interface RealNpmRegistry extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/`. */
  readonly address: string
  /** A user's file `.npmrc` with a token that may publish. */
  readonly userConfig: string
}

/** Starts a registry and waits until it answers. */
export async function startRealNpmRegistry(): Promise<RealNpmRegistry> {
  return onFreePorts(1, ([port]) => startOn(`127.0.0.1:${port}`))
}

async function startOn(host: string): Promise<RealNpmRegistry> {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-verdaccio-'))).path
  const configuration = {
    storage: path.join(directory, 'storage'),
    auth: { htpasswd: { file: path.join(directory, 'htpasswd'), max_users: 1 } },
    packages: { '**': { access: '$all', publish: '$authenticated' } },
    max_body_size: '200mb',
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'error' },
  }
  const file = path.join(directory, 'config.yaml')
  await writeFile(file, JSON.stringify(configuration))
  const program = path.join(npmRegistryDirectory(), 'node_modules/verdaccio/bin/verdaccio')
  const args = ['--import', pathToFileURL(endWithParent).href, program, '--config', file, '--listen', host]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const address = `http://${host}/`
  await untilServed(child, owned, { title: 'npm registry', url: `${address}-/ping` })
  const userConfig = path.join(directory, '.npmrc')
  await writeFile(userConfig, `//${host}/:_authToken=${await tokenOfNewUser(address)}\n`)
  const kept = owned.move()
  return { address, userConfig, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function tokenOfNewUser(address: string): Promise<string> {
  const response = await fetch(`${address}-/user/org.couchdb.user:ci`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ci', password: 'of a test' }),
  })
  const { token } = (await response.json()) as { token: string }
  return token
}
