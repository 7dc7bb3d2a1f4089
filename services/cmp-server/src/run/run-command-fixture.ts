import { mkdtempDisposable, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openContainment } from '@wadi/containment/containment.ts'
import { openOwnedDirectory } from '@wadi/containment/owned-directory.ts'
import { afterAllTests } from '@wadi/testing/process-end.ts'
import type { CommandOptions } from './run-command.ts'

const owned = new AsyncDisposableStack()
afterAllTests(() => owned.disposeAsync())
const containment = owned.use(
  await openContainment({
    directory: owned.use(await openOwnedDirectory('wadi-containment-')).path,
    memoryBytes: 256 * 1024 ** 2,
    programDirectories: ['/usr/bin', '/bin'],
    hidden: [],
    warn: () => undefined,
  }),
)

/** The directory of a run, in which commands work, with options for them; disposal removes it. */
export async function commandDirectory(): Promise<
  AsyncDisposable & { path: string; options: (changes?: Partial<CommandOptions>) => CommandOptions }
> {
  const made = await mkdtempDisposable(path.join(tmpdir(), 'wadi-command-'))
  const directory = await realpath(made.path)
  return {
    path: directory,
    options: (changes = {}) => ({
      containment,
      cwd: directory,
      runDirectory: directory,
      environment: new Map([['PATH', '/usr/bin:/bin']]),
      programDirectories: ['/usr/bin', '/bin'],
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      graceMs: 200,
      maxOutputBytes: 1000,
      clean: (text) => text,
      ...changes,
    }),
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  }
}
