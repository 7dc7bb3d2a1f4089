import { fork } from 'node:child_process'
import { mkdir, mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Finding, inputAt, type TargetRun } from './run-target.ts'
import type { Target } from './target.ts'

const heapMebibytes = 1024
const lookMilliseconds = 1_000
const hangMilliseconds = 60_000

/**
 * Runs a target in a process of its own with a bounded heap, so that an endless loop, a bomb or a crash is a finding as well:
 * after one of these the rest of the inputs is not tried.
 */
export async function watchTarget(
  target: Target,
  { seed, inputs }: Omit<TargetRun, 'scratch'>,
): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'wadi-fuzz-'))
  const scratch = path.join(folder.path, 'scratch')
  await mkdir(scratch)
  const progress = path.join(folder.path, 'progress')
  const request = JSON.stringify({ name: target.name, seed, inputs, scratch, progress })
  const child = fork(new URL('target-process.ts', import.meta.url), [request], {
    execArgv: [`--max-old-space-size=${heapMebibytes}`],
    serialization: 'advanced',
  })
  const { promise, resolve } = Promise.withResolvers<readonly Finding[] | string>()
  child.on('message', (findings: Finding[]) => resolve(findings))
  child.on('exit', (code, signal) => resolve(`ended its process: ${signal ?? `exit code ${code}`}`))
  const watch = watchProgress(progress, () => resolve(`did not end within ${hangMilliseconds / 1000} s`))
  try {
    const outcome = await promise
    if (typeof outcome !== 'string') return [...outcome]
    const index = await indexIn(progress)
    const { base, bytes } = inputAt(target, seed, index)
    const input = bytes.toString('base64')
    return [{ target: target.name, seed, index, base: base.name, problem: outcome, input }]
  } finally {
    clearInterval(watch)
    child.kill('SIGKILL')
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
