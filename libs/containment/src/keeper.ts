import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import path from 'node:path'

/**
 * Ends when this process does, by the end of its input, and kills then what is noted in the directory: each file is a run, with
 * a line for each of its control groups and process groups.
 */
const script = `
while read -r _; do :; done
cd "$1" || exit
for note in *; do
  [ -e "$note" ] || continue
  while read -r kind name; do
    if [ "$kind" = processes ]; then kill -KILL "-$name" 2> /dev/null; continue; fi
    { echo 0 > "$name/pids.max"; } 2> /dev/null
    for round in 1 2 3 4 5 6 7 8 9; do
      while read -r pid; do [ "$pid" = 0 ] || kill -KILL "$pid"; done < "$name/cgroup.procs"
    done 2> /dev/null
  done < "$note"
  rm -f "$note"
done
`

/** The state of one run, until it is disposed of. */
interface KeptRun extends Disposable {
  /** Adds a process group. */
  addProcesses(group: number): void
}

/** Kills the programs of this process should it end without a chance to do so itself; disposal ends that. */
export class Keeper implements Disposable {
  readonly #directory: string
  #process: ChildProcess | undefined
  #runs = 0

  /** @param directory an existing directory of this process alone */
  constructor(directory: string) {
    this.#directory = path.join(directory, 'running')
    mkdirSync(this.#directory, { recursive: true })
  }

  /**
   * Keeps a run, from before its program starts: what the program does then may escape from its process group.
   * @param controlGroups the directories of its control groups
   */
  keep(controlGroups: readonly string[]): KeptRun {
    this.#process ??= this.#start()
    this.#runs += 1
    const note = path.join(this.#directory, String(this.#runs))
    writeFileSync(note, controlGroups.map((directory) => `control ${directory}\n`).join(''))
    return {
      addProcesses: (group) => appendFileSync(note, `processes ${group}\n`),
      [Symbol.dispose]: () => rmSync(note, { force: true }),
    }
  }

  [Symbol.dispose](): void {
    this.#process?.kill('SIGKILL')
  }

  #start(): ChildProcess {
    const child = spawn('/bin/sh', ['-c', script, 'wadi-keeper', this.#directory], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    // A machine without a shell has no programs that need a keeper; one that allows no process more may allow it later.
    child.on('error', () => {
      if (this.#process === child) this.#process = undefined
    })
    // Neither keeps this process from ending.
    child.unref()
    // Where no file can be opened, there is no stream.
    const { stdin }: { stdin?: Writable | null } = child
    if (stdin === undefined || stdin === null) return child
    if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
    stdin.on('error', () => undefined)
    return child
  }
}
