import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { readContextFile } from '../connection/context-file.ts'
import type { ServerContext } from '../connection/context-file-content.ts'
import { mainFile } from './run-wadi-fixture.ts'

/** `wadi up` as a process of its own, with directories of its own for everything. */
interface RunningUp extends AsyncDisposable {
  /** The lines that it printed before it served. */
  lines: string[]
  /** The context that it wrote. */
  context: ServerContext
  contextFile: string
  dataDirectory: string
  /** The directory of its temporary directories, those of its sockets among them. */
  temporaryDirectory: string
  /** Returns the log so far. */
  log: () => string
  /** Sends a signal and returns the exit code, or the signal that ended it. */
  stop(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

/** The variables that keep a `wadi up` inside a directory. */
export function environmentIn(directory: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: join(directory, 'home'),
    XDG_DATA_HOME: join(directory, 'data'),
    WADI_CONFIG_DIR: join(directory, 'config'),
    WADI_LOG_LEVEL: 'error',
    WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
    TMPDIR: join(directory, 't'),
  }
}

/** Starts `wadi up` on a free port and waits until it serves. */
export async function startUp(
  directory: string,
  environment: Record<string, string> = {},
): Promise<RunningUp> {
  const [helm = ''] = (await findTools({ cacheDirectory: toolCache })).helm.command
  const env = {
    ...environmentIn(directory),
    // Renderers that are found need not be unpacked.
    PATH: [dirname(helm), process.env['PATH']].join(delimiter),
    NODE_COMPILE_CACHE: compileCache,
    ...environment,
  }
  await mkdir(join(directory, 't'), { recursive: true })
  const child = spawn(process.execPath, [...nodeOptions, mainFile, 'up', '--listen', '127.0.0.1:0'], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (bytes: Buffer) => (log += bytes.toString()))
  const stop = async (signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
    return child.exitCode ?? child.signalCode
  }
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('Ctrl-C')) break
  }
  const contextFile = join(directory, 'config', 'config')
  const { current, contexts } = await readContextFile(contextFile)
  const context = contexts.find(({ name }) => name === current)
  if (!context) {
    await stop('SIGKILL')
    throw new Error(`wadi up wrote no context: ${log}\n${await readFile(contextFile, 'utf8').catch(String)}`)
  }
  return {
    lines,
    context,
    contextFile,
    dataDirectory: join(directory, 'data', 'wadi'),
    temporaryDirectory: join(directory, 't'),
    log: () => log,
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL')
    },
  }
}
