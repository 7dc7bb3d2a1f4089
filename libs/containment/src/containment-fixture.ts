import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { chmod, mkdtempDisposable, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ContainedRun } from './contained-run.ts'
import { openContainment } from './containment.ts'
import { pathDirectories } from './find-program.ts'

/** Little, so that a program that grows without end is soon at its end. */
export const testMemory = 128 * 1024 ** 2

/** A containment with a directory for its runs; disposal ends and removes both. */
export async function startContainment({
  programDirectories = pathDirectories(process.env['PATH']),
  hidden = [],
}: { programDirectories?: readonly string[]; hidden?: readonly string[] } = {}) {
  await using owned = new AsyncDisposableStack()
  const scratch = await realpath(
    owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-contained-'))).path,
  )
  const directory = path.join(scratch, 'work')
  mkdirSync(directory)
  chmodSync(scratch, 0o755)
  const warnings: string[] = []
  const containment = owned.use(
    await openContainment({
      directory: path.join(scratch, 'own'),
      memoryBytes: testMemory,
      programDirectories,
      hidden,
      warn: (message) => warnings.push(message),
    }),
  )
  const options = (changes: Partial<ContainedRun> = {}): ContainedRun => ({
    shownAs: 'the program',
    cwd: directory,
    environment: {},
    timeoutMs: 60_000,
    graceMs: 0,
    outputBytes: 1024 ** 2,
    signal: undefined,
    clean: (text) => text,
    cpuSeconds: 60,
    processes: 200,
    fileBytes: 1024 ** 3,
    isolation: { view: 'system', directory, network: false },
    ...changes,
  })
  const shell = async (script: string, changes?: Partial<ContainedRun>) => {
    const { exitCode, signal, output, errorOutput } = await containment.run(
      ['/bin/sh', '-c', script],
      options(changes),
    )
    return { exitCode, signal, output: output.toString(), errorOutput }
  }
  const kept = owned.move()
  return {
    containment,
    directory,
    scratch,
    warnings,
    options,
    shell,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** A containment on a machine that has Perl and none of the programs by which namespaces are made. */
export async function startRestrictedContainment(
  options: { moreDirectories?: readonly string[]; hidden?: readonly string[] } = {},
) {
  const { moreDirectories = [], hidden = [] } = options
  await using owned = new AsyncDisposableStack()
  const programs = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-programs-'))).path
  await chmod(programs, 0o755)
  for (const name of ['sh', 'env', 'perl']) symlinkSync(`/usr/bin/${name}`, path.join(programs, name))
  const bed = owned.use(
    await startContainment({ programDirectories: [programs, ...moreDirectories], hidden }),
  )
  const kept = owned.move()
  return { ...bed, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
