import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { onFreePorts } from '../free-port.ts'
import { goProgramFile } from '../go-program.ts'
import { untilServed } from '../served-process.ts'
import { giteaConfiguration, translations } from './gitea-configuration.ts'
import { giteaProgram } from './gitea-program.ts'

const run = promisify(execFile)
const readyMs = 120_000

/** A Gitea on the loopback interface with one account, which may do everything. */
export interface RealGitea extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly address: string
  readonly username: string
  readonly password: string
  /** Asks the API, for example for `repos/acme/shop/pulls`; throws for an answer that is not a success. */
  readonly api: (method: string, path: string, body?: unknown) => Promise<unknown>
}

/** Starts a Gitea with a database of its own and waits until it answers. */
export async function startRealGitea(): Promise<RealGitea> {
  return onFreePorts(1, ([port = 0]) => startOn(port))
}

async function startOn(port: number): Promise<RealGitea> {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-gitea-'))).path
  const file = path.join(directory, 'app.ini')
  await writeFile(file, giteaConfiguration({ directory, port, user: userInfo().username }))
  await mkdir(path.join(directory, 'static/options/locale'), { recursive: true })
  await writeFile(path.join(directory, 'static/options/locale/locale_en-US.json'), translations)
  const program = goProgramFile(giteaProgram)
  const environment = { PATH: process.env['PATH'], HOME: directory, GITEA_WORK_DIR: directory }
  const command = async (...args: string[]) => run(program, ['--config', file, ...args], { env: environment })
  await command('migrate')
  const [username, password] = ['acme', randomBytes(12).toString('hex')]
  const account = ['--username', username, '--password', password, '--email', 'acme@example.com']
  await command('admin', 'user', 'create', '--admin', '--must-change-password=false', ...account)
  // It ends when its input is closed, thus also with a test process that is killed.
  const stdio = ['pipe', 'pipe', 'ignore'] as const
  const child = spawn(program, ['--config', file, 'web'], { env: environment, stdio: [...stdio] })
  const address = `http://127.0.0.1:${port}`
  await untilServed(child, owned, { title: 'Gitea', url: `${address}/api/v1/version`, readyMs })
  const kept = owned.move()
  const api = (method: string, place: string, body?: unknown) =>
    ask({ address, username, password }, method, place, body)
  return { address, username, password, api, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function ask(
  { address, username, password }: Pick<RealGitea, 'address' | 'username' | 'password'>,
  method: string,
  place: string,
  body: unknown,
): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${address}/api/v1/${place}`, { method, headers, ...sent })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
