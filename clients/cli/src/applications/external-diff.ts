import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { ObjectDifference } from './manifest-diff.ts'

/**
 * Shows a difference with the program of `$KUBECTL_EXTERNAL_DIFF`, which gets two files as its last arguments. The
 * text is split at blanks and no shell sees it, as in kubectl.
 * @throws CommandFailure when the program cannot be started or fails, which for diff programs is an exit code above 1.
 */
export async function runExternalDiff(
  command: string,
  difference: ObjectDifference,
  signal: AbortSignal,
): Promise<void> {
  const [program = '', ...args] = command.trim().split(/\s+/)
  const directory = await mkdtemp(join(tmpdir(), 'wadi-diff-'))
  try {
    const [before, after] = [join(directory, 'hydrated.yaml'), join(directory, 'rendered.yaml')]
    await writeFile(before, difference.before, { mode: 0o600 })
    await writeFile(after, difference.after, { mode: 0o600 })
    const child = spawn(program, [...args, before, after], {
      stdio: ['ignore', 'inherit', 'inherit'],
      signal,
    })
    const [code, killedBy] = await once(child, 'close')
    if (code !== 0 && code !== 1) {
      throw new CommandFailure(`${program} of KUBECTL_EXTERNAL_DIFF ended with ${String(code ?? killedBy)}`)
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new CommandFailure(`KUBECTL_EXTERNAL_DIFF names ${program}, which is not in PATH`, undefined, {
        cause: error,
      })
    }
    throw error
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
