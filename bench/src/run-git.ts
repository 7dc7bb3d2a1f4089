import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'

/** Runs git with exactly this environment and returns what it prints. */
export async function runGit(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input?: Buffer,
): Promise<Buffer> {
  const child = spawn('git', args, {
    env: environment,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  child.stdin?.end(input)
  const output = child.stdout ? await buffer(child.stdout) : Buffer.alloc(0)
  const [code] = await exited
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${String(code)}`)
  return output
}

/** An environment with which git reads no configuration of this machine and signs in to a server. */
export function gitEnvironment(user: {
  readonly username: string
  readonly password: string
}): Record<string, string> {
  const login = Buffer.from(`${user.username}:${user.password}`).toString('base64')
  return {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${login}`,
  }
}
