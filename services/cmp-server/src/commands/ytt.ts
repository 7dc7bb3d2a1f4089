import path from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { findProgram } from '@wadi/containment/find-program.ts'
import { type CommandOptions, runCommand } from '../run/run-command.ts'
import type { RunDirectories } from '../run/run-directories.ts'

/** The ytt of this machine. */
export interface Ytt {
  /** Its file; empty when there is none that works. */
  readonly file: string
  /** As ytt prints it; empty when there is none that works. */
  readonly version: string
  /** The reason why there is none; empty if there is one. */
  readonly absentBecause: string
}

/** The directories that a run of ytt needs. */
interface YttPlace {
  readonly programDirectories: readonly string[]
  readonly runs: RunDirectories
  readonly commands: Pick<CommandOptions, 'containment' | 'timeoutMs' | 'graceMs' | 'maxOutputBytes'>
}

/** Looks for ytt on the PATH of the service and asks for its version. */
export async function findYtt({ programDirectories, runs, commands }: YttPlace): Promise<Ytt> {
  const file = findProgram('ytt', programDirectories)
  if (file === undefined) return absent('there is no ytt on the PATH of cmp-server')
  await using directory = runs.open()
  try {
    const { text } = await runCommand([file, 'version'], {
      ...commands,
      cwd: directory.path,
      runDirectory: directory.path,
      environment: yttEnvironment(programDirectories, directory.path),
      programDirectories,
      signal: new AbortController().signal,
      clean: (message) => message,
    })
    return { file, version: text.trim(), absentBecause: '' }
  } catch (error) {
    return absent(`the ytt on the PATH of cmp-server does not work: ${errorMessage(error)}`)
  }
}

function absent(absentBecause: string): Ytt {
  return { file: '', version: '', absentBecause }
}

/** The whole environment of ytt. */
export function yttEnvironment(
  programDirectories: readonly string[],
  home: string,
): ReadonlyMap<string, string> {
  return new Map([
    ['PATH', programDirectories.join(path.delimiter)],
    ['HOME', home],
  ])
}
