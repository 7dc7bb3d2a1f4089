import { spawn } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onFreePorts } from '../free-port.ts'
import { goProgramFile } from '../go-program.ts'
import { untilServed } from '../served-process.ts'
import { registryProgram } from './registry-program.ts'

/** A registry of the Distribution project on the loopback interface, in memory. */
export interface RealRegistry extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string
}

/**
 * Starts a registry and waits until it answers.
 * @param passwords the lines of an htpasswd file with bcrypt hashes: then every request needs basic authentication
 */
export async function startRealRegistry(options: { passwords?: string } = {}): Promise<RealRegistry> {
  return onFreePorts(1, ([port]) => startOn(`127.0.0.1:${port}`, options))
}

async function startOn(host: string, { passwords }: { passwords?: string }): Promise<RealRegistry> {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-registry-'))).path
  const htpasswd = path.join(directory, 'htpasswd')
  if (passwords !== undefined) await writeFile(htpasswd, passwords)
  const configuration = {
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { inmemory: {} },
    http: { addr: host, secret: 'of a test' },
    ...(passwords !== undefined && { auth: { htpasswd: { realm: 'test', path: htpasswd } } }),
  }
  const file = path.join(directory, 'config.yml')
  await writeFile(file, JSON.stringify(configuration))
  // It ends when its input is closed, thus also with a test process that is killed.
  const child = spawn(goProgramFile(registryProgram), ['serve', file], { stdio: ['pipe', 'ignore', 'pipe'] })
  const accepts = (status: number) => status === 200 || status === 401
  await untilServed(child, owned, { title: 'registry', url: `http://${host}/v2/`, accepts })
  const kept = owned.move()
  return { host, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
