import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { findProgram } from '../run/find-program.ts'
import { type CommandOptions, runCommand } from '../run/run-command.ts'
import type { RunFolders } from '../run/run-folders.ts'
import { runVariable } from '../run/stray-processes.ts'
import { hiddenPlaces, insideCopy, isolatedArgv } from './isolated-script.ts'
import { limitingShell } from './script-limits.ts'
import type { ScriptRule } from './script-rule.ts'

/** A script with the fresh copy that is made for it. */
interface PlacedScript {
  readonly text: string
  /** Holds `files`, which are the copy, and `home`, which is empty; without symbolic links. */
  readonly copy: string
  /** Where to run, from `files`. */
  readonly folder: string
  /** Set beside PATH and HOME, over which they do not win. */
  readonly variables: ReadonlyMap<string, string>
  /** How long it may take. */
  readonly timeoutMs: number
}

/** How scripts are run here. */
export interface ScriptSandbox {
  /** Why they are not; empty when they are. */
  readonly refusedBecause: string
  /** The command that runs a script. */
  argv(script: PlacedScript): string[]
}

/** What a sandbox is made of. */
interface SandboxParts {
  readonly programFolders: readonly string[]
  /** Files and folders that no script may see, although this user may read them. */
  readonly hidden: readonly string[]
  readonly runs: RunFolders
  readonly commands: Pick<CommandOptions, 'timeoutMs' | 'graceMs' | 'maxOutputBytes'>
}

/**
 * Finds out how scripts can be run by trying it. Where the network is shared, a machine that gives no namespaces will do,
 * and scripts are then run as the user of the service.
 */
export async function openScriptSandbox(rule: ScriptRule, parts: SandboxParts): Promise<ScriptSandbox> {
  if (rule === 'deny') {
    return refused(
      'scripts are not allowed here; start cmp-server with --run-scripts allow (WADI_RUN_SCRIPTS)',
    )
  }
  const sharesNetwork = rule === 'allow-shared-network'
  const search = parts.programFolders.join(path.delimiter)
  const unshare = findProgram('unshare', parts.programFolders)
  let failure = 'there is no program unshare, which Linux has in util-linux'
  if (unshare !== undefined) {
    const isolation = { unshare, sharesNetwork, hidden: hiddenPlaces(parts.hidden) }
    const sandbox = {
      refusedBecause: '',
      argv: ({ text, copy, folder, variables, timeoutMs }: PlacedScript) =>
        isolatedArgv(
          {
            text,
            copy,
            folder,
            assignments: assignments(variables, search, `${insideCopy}/home`),
            cpuSeconds: cpuSeconds(timeoutMs),
          },
          isolation,
        ),
    }
    const found = await tryOut(sandbox, parts)
    if (found === undefined) return sandbox
    failure = found
  }
  if (!sharesNetwork) return refused(cannotIsolate(failure))
  return { refusedBecause: '', argv: (script) => plainArgv(script, search) }
}

function refused(refusedBecause: string): ScriptSandbox {
  return { refusedBecause, argv: () => [] }
}

function cannotIsolate(reason: string): string {
  return `this machine gives scripts no network namespace of their own (${reason}); allow user namespaces for cmp-server, or give its pod no network and start it with --run-scripts allow-shared-network`
}

async function tryOut(
  sandbox: ScriptSandbox,
  { runs, programFolders, commands }: SandboxParts,
): Promise<string | undefined> {
  await using folder = runs.open()
  const copy = makeCopyFolder(folder.path, 'trial')
  try {
    await runCommand(
      sandbox.argv({ text: 'true', copy, folder: '.', variables: new Map(), timeoutMs: commands.timeoutMs }),
      {
        ...commands,
        cwd: copy,
        runFolder: folder.path,
        environment: outerEnvironment(programFolders),
        programFolders,
        signal: new AbortController().signal,
        clean: (text) => text,
        shownAs: 'a trial',
      },
    )
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

/** What the programs around a script get: nothing that comes with the script. */
export function outerEnvironment(programFolders: readonly string[]): ReadonlyMap<string, string> {
  return new Map([['PATH', programFolders.join(path.delimiter)]])
}

/** Makes the folder of a copy, with empty `files` and `home`. */
export function makeCopyFolder(runFolder: string, name: string): string {
  const copy = path.join(runFolder, name)
  for (const part of ['', 'files', 'home']) mkdirSync(path.join(copy, part), { mode: 0o700 })
  return copy
}

function plainArgv({ text, copy, variables, timeoutMs }: PlacedScript, search: string): string[] {
  const words = `script=$1\nshift\n${limitingShell(String(cpuSeconds(timeoutMs)))}\nexec env -i "$@" sh -e -c "$script"`
  const given = assignments(variables, search, path.join(copy, 'home'))
  // By this its processes are found that outlive it.
  return ['sh', '-e', '-c', words, 'sh', text, ...given, `${runVariable}=${path.dirname(copy)}`]
}

function cpuSeconds(timeoutMs: number): number {
  return Math.ceil(timeoutMs / 1000) + 1
}

function assignments(variables: ReadonlyMap<string, string>, search: string, home: string): string[] {
  return [...variables, ['PATH', search], ['HOME', home]].map(([name, value]) => `${name}=${value}`)
}
