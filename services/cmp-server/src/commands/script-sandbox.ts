import { mkdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { findProgram } from '../run/find-program.ts'
import { type CommandOptions, runCommand } from '../run/run-command.ts'
import type { RunFolders } from '../run/run-folders.ts'
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

/** The folder that is the copy's inside of the sandbox, the same for every run. */
const insideCopy = '/tmp/run'

/**
 * Runs as the first process of new namespaces, in which it may do everything, and before the script, which may not.
 * Everything is read-only but the copy; what is hidden is covered, and the script's own namespace of users keeps it from
 * uncovering. `-c` keeps mount from looking for the copy by its path, which is covered by then.
 */
const prepare = `
copy=$1 folder=$2 unshare=$3 script=$4 hidden=$5
shift 5
mount --bind "$copy" "$copy"
cd "$copy"
while read -r _ _ _ _ point flags _; do
  point=$(printf %b "$point")
  if [ "$point" != "$copy" ] && [ -e "$point" ]; then mount -o "remount,bind,ro\${flags#r?}" "$point"; fi
done < /proc/self/mountinfo
while [ "$hidden" -gt 0 ]; do
  if [ -d "$1" ]; then mount -t tmpfs -o size=64m,mode=755 hidden "$1"; else mount --bind /dev/null "$1"; fi
  hidden=$((hidden - 1))
  shift
done
mkdir ${insideCopy}
mount -c --bind . ${insideCopy}
cd "${insideCopy}/files/$folder"
exec "$unshare" --user -- env -i "$@" sh -e -c "$script"
`

const namespaces = ['--user', '--map-root-user', '--net', '--mount', '--pid', '--fork', '--kill-child']

/** Finds out how scripts can be run, which for `allow` is tried. */
export async function openScriptSandbox(rule: ScriptRule, parts: SandboxParts): Promise<ScriptSandbox> {
  if (rule === 'deny') {
    return refused(
      'scripts are not allowed here; start cmp-server with --run-scripts allow (WADI_RUN_SCRIPTS)',
    )
  }
  const search = parts.programFolders.join(path.delimiter)
  if (rule === 'allow-shared-network')
    return { refusedBecause: '', argv: (script) => sharedArgv(script, search) }
  const unshare = findProgram('unshare', parts.programFolders)
  if (unshare === undefined)
    return refused(cannotIsolate('there is no program unshare, which Linux has in util-linux'))
  const hidden = hiddenPlaces(parts.hidden)
  const sandbox = {
    refusedBecause: '',
    argv: (script: PlacedScript) => isolatedArgv(script, search, unshare, hidden),
  }
  const failure = await tryOut(sandbox, parts)
  return failure === undefined ? sandbox : refused(cannotIsolate(failure))
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
    await runCommand(sandbox.argv({ text: 'true', copy, folder: '.', variables: new Map() }), {
      ...commands,
      cwd: copy,
      runFolder: folder.path,
      environment: outerEnvironment(programFolders),
      programFolders,
      signal: new AbortController().signal,
      clean: (text) => text,
      shownAs: 'a trial',
    })
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

function sharedArgv({ text, copy, variables }: PlacedScript, search: string): string[] {
  return ['env', '-i', ...assignments(variables, search, path.join(copy, 'home')), 'sh', '-e', '-c', text]
}

function isolatedArgv(
  { text, copy, folder, variables }: PlacedScript,
  search: string,
  unshare: string,
  hidden: readonly string[],
): string[] {
  const prepared = ['sh', '-e', '-c', prepare, 'sh', copy, folder, unshare, text, String(hidden.length)]
  const given = assignments(variables, search, `${insideCopy}/home`)
  return [unshare, ...namespaces, '--', ...prepared, ...hidden, ...given]
}

function assignments(variables: ReadonlyMap<string, string>, search: string, home: string): string[] {
  return [...variables, ['PATH', search], ['HOME', home]].map(([name, value]) => `${name}=${value}`)
}

/** Those that are there, without symbolic links, and without those below another; `/tmp` is among them in any case. */
function hiddenPlaces(places: readonly string[]): string[] {
  const found = ['/tmp', '/run', ...places].flatMap((place) => {
    if (statSync(place, { throwIfNoEntry: false }) === undefined) return []
    const resolved = realpathSync(place)
    return resolved === '/' ? [] : [resolved]
  })
  const distinct = [...new Set(found)]
  return distinct.filter((place) => !distinct.some((other) => place.startsWith(`${other}/`)))
}
