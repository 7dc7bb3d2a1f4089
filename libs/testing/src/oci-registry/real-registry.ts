import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onFreePorts } from '../free-port.ts'
import { goProgramFile } from '../go-program.ts'
import { registryProgram } from './registry-program.ts'

const readyMs = 60_000

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
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4_000)))
  owned.defer(async () => {
    child.kill('SIGKILL')
    await exited
  })
  for (const deadline = performance.now() + readyMs; !(await answers(host));) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`no registry: ${said}`)
    await delay(25)
  }
  const kept = owned.move()
  return { host, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function answers(host: string): Promise<boolean> {
  return fetch(`http://${host}/v2/`).then(
    ({ status }) => status === 200 || status === 401,
    () => false,
  )
}
