import { type ChildProcess, fork } from 'node:child_process'
import { mkdir, mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'
import { type Finding, inputAt, type TargetRun } from './run-target.ts'
import type { Target } from './target.ts'

const heapMebibytes = 1024
const lookMilliseconds = 1_000
const hangMilliseconds = 60_000

/**
 * Runs targets, one after the other, in a process with a bounded heap, so that an endless loop, a bomb or a crash is a finding as well:
 * after one of these the rest of the inputs is not tried, and the next target has a process of its own.
 */
export class TargetWatch implements Disposable {
  #child: ChildProcess | undefined

  /** @param run without `inputs`, the bases are read as they are, and each that is refused is a finding */
  async run(
    target: Target,
    { seed, inputs }: Omit<TargetRun, 'scratch' | 'inputs'> & { readonly inputs?: number },
  ): Promise<Finding[]> {
    await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-fuzz-'))
    const scratch = path.join(directory.path, 'scratch')
    await mkdir(scratch)
    const progress = path.join(directory.path, 'progress')
    const outcome = await this.#outcome({ name: target.name, seed, inputs, scratch, progress })
    if (typeof outcome !== 'string') return [...outcome]
    this[Symbol.dispose]()
    const index = await indexIn(progress)
    const { base, bytes } = inputAt(target, seed, index)
    const input = bytes.toString('base64')
    return [{ target: target.name, seed, index, base: base.name, problem: outcome, input }]
  }

  /** Ends the process: readers may have left threads in it. */
  [Symbol.dispose](): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #startProcess(): ChildProcess {
    const child = fork(new URL('target-process.ts', import.meta.url), {
      execArgv: [...nodeOptions, `--max-old-space-size=${heapMebibytes}`],
      serialization: 'advanced',
      env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
    })
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    return child
  }

  /** Returns the findings of the process, or how it ended. */
  async #outcome(
    request: { progress: string } & Record<string, unknown>,
  ): Promise<readonly Finding[] | string> {
    const child = (this.#child ??= this.#startProcess())
    const { promise, resolve } = Promise.withResolvers<readonly Finding[] | string>()
    const onExit = (code: number | null, signal: string | null): void =>
      resolve(`ended its process: ${signal ?? `exit code ${code}`}`)
    child.once('message', (findings: Finding[]) => resolve(findings)).once('exit', onExit)
    const watch = watchProgress(request.progress, () =>
      resolve(`did not end within ${hangMilliseconds / 1000} s`),
    )
    try {
      child.send(request)
      return await promise
    } finally {
      clearInterval(watch)
      child.off('exit', onExit)
    }
  }
}

/** Calls back when one input takes too long. */
function watchProgress(file: string, onHang: () => void): NodeJS.Timeout {
  let last = -1
  let since = performance.now()
  return setInterval(async () => {
    const index = await indexIn(file)
    if (index !== last) {
      last = index
      since = performance.now()
    } else if (performance.now() - since > hangMilliseconds) onHang()
  }, lookMilliseconds)
}

/** The number of the input under way; 0 before the first. */
async function indexIn(file: string): Promise<number> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0))
  return bytes.length < 4 ? 0 : bytes.readUInt32LE()
}
