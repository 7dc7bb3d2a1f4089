import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { runProgram } from '@wadi/testing/run-program.ts'

/** A version of Wadi as its checkout runs it; its packages must be installed. */
export interface InstalledVersion {
  readonly name: string
  /** The directory of the checkout. */
  readonly root: string
}

/** The services of a version, and its command line beside them. */
interface RunningVersion extends AsyncDisposable {
  /** Runs a command; returns what it prints. */
  readonly wadi: (...args: string[]) => Promise<string>
}

/**
 * Starts a version in a home directory, where its data is, and reaches git servers through a proxy.
 * @throws an error with what it prints if it ends before it serves
 */
export async function startVersion(
  { name, root }: InstalledVersion,
  home: string,
  proxy: string,
): Promise<RunningVersion> {
  const node = path.join(root, 'node_modules/.bin/node')
  const quick = path.join(root, 'libs/programs/src/quick-modules.ts')
  const command = [node, '--require', quick, path.join(root, 'clients/cli/src/main.ts')]
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    NODE_COMPILE_CACHE: path.join(root, '.cache/compile'),
    WADI_LOG_LEVEL: 'error',
    WADI_IDLE_GRACE: '0s',
    WADI_POLL_INTERVAL: '1h',
    WADI_PLAIN_HTTP: 'always',
  }
  const child = spawn(node, [...command.slice(1), 'up', '--listen', '127.0.0.1:0'], {
    cwd: home,
    env: { ...env, http_proxy: proxy },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  let serves = false
  for await (const line of createInterface({ input: child.stdout })) {
    serves = line.startsWith('Ctrl-C')
    if (serves) break
  }
  if (!serves) {
    await exited
    throw new Error(`${name} does not start: ${errors}`)
  }
  return {
    wadi: (...args) => runProgram([...command, ...args], { cwd: home, env }),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
