import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Containment } from '@wadi/containment/containment.ts'
import type { Isolation } from '@wadi/containment/isolation.ts'
import { runVariable } from '../run/stray-processes.ts'
import type { ScriptRule } from './script-rule.ts'

/** The directory in which a script finds the copy of its files in namespaces, the same for every run. */
const insideCopy = '/tmp/run'

/** A script with the fresh copy that is made for it. */
interface PlacedScript {
  readonly text: string
  /** Holds `files`, which are the copy, and `home`, which is empty; without symbolic links. */
  readonly copy: string
  /** Set beside PATH and HOME, over which they do not win. */
  readonly variables: ReadonlyMap<string, string>
}

/** Runs scripts on this machine. */
export interface ScriptRunner {
  /** The reason why scripts are rejected; empty if they run. */
  readonly refusedBecause: string
  /** The command that runs a script in its copy, and what it sees. */
  command(script: PlacedScript): { argv: string[]; isolation: Isolation }
}

/**
 * Decides by what the machine gives how scripts are run. Where the network is shared, a machine that gives no namespaces
 * will do, and scripts are then run as the user of the service.
 * @param programDirectories the PATH of scripts
 */
export function scriptRunner(
  rule: ScriptRule,
  containment: Containment,
  programDirectories: readonly string[],
): ScriptRunner {
  const network = rule === 'allow-shared-network'
  const search = programDirectories.join(path.delimiter)
  return {
    refusedBecause: rejection(rule, containment.notIsolatedBecause),
    command: ({ text, copy, variables }) => {
      const isAlone = containment.isolatedBy === 'namespaces'
      const place = isAlone ? insideCopy : copy
      const own = [
        ['PATH', search],
        ['HOME', path.join(place, 'home')],
        // In namespaces it is found at /tmp.
        ...(isAlone ? [] : [['TMPDIR', path.join(place, 'tmp')] as const]),
      ] as const
      const all = [...variables, ...own]
      // By that variable processes are found that outlive a script; none does in namespaces.
      const lines = [isAlone ? `unset ${runVariable}\n` : '', ...all.map(exportLine)]
      writeFileSync(path.join(copy, 'environment'), lines.join(''), { mode: 0o600 })
      const isolation = { directory: copy, directoryAs: insideCopy, temporary: path.join(copy, 'tmp') }
      return {
        argv: ['sh', '-c', '. "$1"; exec sh -e -c "$2"', 'sh', path.join(place, 'environment'), text],
        isolation: { view: 'system', ...isolation, network },
      }
    },
  }
}

function rejection(rule: ScriptRule, notIsolatedBecause: string): string {
  if (rule === 'deny') {
    return 'scripts are not allowed here; start cmp-server with --run-scripts allow (WADI_RUN_SCRIPTS)'
  }
  if (rule === 'allow-shared-network' || notIsolatedBecause === '') return ''
  return `this machine does not keep scripts from the network (${notIsolatedBecause}); allow user namespaces for cmp-server, or give its pod no network and start it with --run-scripts allow-shared-network`
}

/** Returns the environment of the programs around a script: nothing that comes with the script. */
export function outerEnvironment(programDirectories: readonly string[]): ReadonlyMap<string, string> {
  return new Map([['PATH', programDirectories.join(path.delimiter)]])
}

/** Makes the directory of a copy, with empty `files`, `home` and `tmp`. */
export function makeCopyDirectory(runDirectory: string, name: string): string {
  const copy = path.join(runDirectory, name)
  for (const part of ['', 'files', 'home', 'tmp']) mkdirSync(path.join(copy, part), { mode: 0o700 })
  return copy
}

/** Names that shells keep for themselves, and refuse to set. */
const shellNames = /^(?:U|EU|PP)ID$|^(?:BASH|SHELL)OPTS$|^BASH_VERSINFO$|^OPTIND$/

/** In a file and not among the words of a command, as everybody on a machine can read those. */
function exportLine([name, value]: readonly [string, string]): string {
  return shellNames.test(name) ? '' : `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`
}
