import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { IsolatedCommand, IsolatedRun, Isolator } from './isolator.ts'
import { architectureNumbers, landlockScript } from './landlock-script.ts'
import type { Isolation } from './isolation.ts'
import { isStaticProgram } from './program-kind.ts'
import { isBelowAny, isThere, systemPlaces, visibleDevices, withoutNested } from './visible-places.ts'

/** Not all of /proc: what it has of the service could be read where the service is privileged. */
const kernelFacts = [
  'self',
  'cpuinfo',
  'filesystems',
  'loadavg',
  'meminfo',
  'stat',
  'sys',
  'uptime',
  'version',
].map((name) => `/proc/${name}`)

/** The programs and places of a machine. */
interface LandlockOptions {
  readonly perl: string
  readonly programDirectories: readonly string[]
  readonly hidden: readonly string[]
}

/**
 * Isolates programs by Landlock and a filter of system calls, which needs no right: a program reads and writes only what it is given, makes no
 * socket unless it may use the network, and neither signals nor traces what is not its own. It still finds names and attributes of other files.
 */
export class Landlock implements Isolator {
  readonly #options: LandlockOptions
  readonly #numbers: readonly string[]

  constructor(options: LandlockOptions) {
    this.#options = options
    this.#numbers = (architectureNumbers[process.arch] ?? []).map(String)
  }

  isolate(
    program: string,
    argv: readonly string[],
    { isolation }: IsolatedRun,
  ): IsolatedCommand & Disposable {
    const { network, directory } = isolation
    const { readable, writable } = this.#places(program, isolation)
    const rules = [
      ...readable.map((place) => `r${place}`),
      ...[...writable, directory].map((place) => `w${place}`),
    ]
    const given = [...this.#numbers, network ? '1' : '0', ...rules, '--']
    return {
      argv: [this.#options.perl, '-e', landlockScript, ...given, ...argv],
      isInShell: false,
      [Symbol.dispose]: () => undefined,
    }
  }

  #places(program: string, { view, otherPrograms = [], files = [] }: Isolation) {
    const programs = [program, ...otherPrograms]
    const own = [...programs, ...files]
    if (view === 'program' && programs.every((file) => isStaticProgram(file)))
      return { readable: own, writable: ['/dev/null'] }
    const { programDirectories, hidden } = this.#options
    const system = withoutNested(systemPlaces(programDirectories)).flatMap((place) =>
      visibleParts(place, hidden),
    )
    return { readable: [...system, ...kernelFacts.filter(isThere), ...own], writable: visibleDevices }
  }
}

/** Returns a place, or the parts of it that are not hidden: a rule cannot take away what another one gives. */
function visibleParts(place: string, hidden: readonly string[]): string[] {
  if (isBelowAny(place, hidden)) return []
  if (!hidden.some((each) => isBelowAny(each, [place]))) return [place]
  return readdirSync(place).flatMap((name) => visibleParts(path.join(place, name), hidden))
}
