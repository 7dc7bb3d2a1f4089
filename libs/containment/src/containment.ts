import { mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { type ControlGroups, openControlGroups } from './control-groups.ts'
import type { ContainedRun } from './contained-run.ts'
import { findProgram } from './find-program.ts'
import { Keeper } from './keeper.ts'
import { PrivatePlaces } from './private-places.ts'
import { ProgramTrials } from './program-trials.ts'
import { type Protection, describeProtections } from './protection.ts'
import { type RunOptions, type RunResult, runContained } from './run-contained.ts'
import { type ContainingPrograms, wrappedCommand } from './wrapped-command.ts'

/** The options of a containment. */
export interface ContainmentOptions {
  /** Directory for what it needs itself; it is emptied first. No other process may use it. */
  readonly directory: string
  /** Most memory that all processes of one run may take together, in bytes. */
  readonly memoryBytes: number
  /** The directories in which programs are searched, and which programs with the view of the system see. */
  readonly programDirectories: readonly string[]
  /** Directories and files that no program in namespaces may see. */
  readonly hidden: readonly string[]
  /** Is called once for each program that does not work in namespaces and is run without. */
  readonly warn: (message: string) => void
}

/** Runs programs that work on files of others, in the bounds that this machine gives. */
export interface Containment extends AsyncDisposable {
  /** Most memory that all processes of one run may take together, in bytes. */
  readonly memoryBytes: number
  readonly protections: readonly Protection[]
  /** Why programs get no namespaces here; empty when they do. */
  readonly noNamespacesBecause: string
  /**
   * Runs a program without a shell. When this returns, nothing is left of its process group or control group.
   * @param argv the first is an absolute path
   * @throws ResourceExhaustedError above a limit, TimeLimitError after a time limit, ProgramKilledError when something else
   *   killed it, UnavailableError or FailedPreconditionError when it cannot be started, and what `stopError` makes of an abort
   */
  run(argv: readonly string[], options: ContainedRun): Promise<RunResult>
}

/** The setting of the memory, for messages and remedies. */
const memorySetting = 'WADI_RENDER_MEMORY'

/** Probes what this machine offers. A machine that offers nothing is not an error: see `protections`. */
export async function openContainment(options: ContainmentOptions): Promise<Containment> {
  await using owned = new AsyncDisposableStack()
  // What is in it was left by a process that was killed.
  rmSync(options.directory, { recursive: true, force: true })
  mkdirSync(options.directory, { recursive: true, mode: 0o700 })
  const directory = realpathSync(options.directory)
  const found = await openControlGroups()
  const controlGroups = typeof found === 'string' ? undefined : owned.use(found)
  const parts: RunParts = {
    memoryBytes: options.memoryBytes,
    controlGroups,
    programs: findContainingPrograms(options.programDirectories),
    places: new PrivatePlaces({ ...options, directory }),
    keeper: owned.use(new Keeper(directory)),
  }
  const noNamespacesBecause = await namespacesProblem(parts, directory)
  const places = noNamespacesBecause === '' ? parts.places : undefined
  const trials = new ProgramTrials(async (argv, run) => await runIn(parts, argv, run), options.warn)
  const kept = owned.move()
  return {
    memoryBytes: options.memoryBytes,
    protections: describeProtections({
      controlGroups: found,
      memoryBytes: options.memoryBytes,
      memorySetting,
      noNamespacesBecause,
      diesWithParent: parts.programs.setpriv !== undefined,
    }),
    noNamespacesBecause,
    run: async (argv, run) => {
      const isIsolated = places !== undefined && (await trials.work(argv, run))
      return await runIn({ ...parts, places: isIsolated ? places : undefined }, argv, run)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

interface RunParts {
  readonly memoryBytes: number
  readonly controlGroups: ControlGroups | undefined
  readonly programs: ContainingPrograms
  /** Undefined when there are no namespaces. */
  readonly places: PrivatePlaces | undefined
  readonly keeper: Keeper
}

async function runIn(parts: RunParts, argv: readonly string[], options: ContainedRun): Promise<RunResult> {
  const { memoryBytes, controlGroups, programs, keeper } = parts
  const { cpuSeconds, processes, fileBytes, isolation } = options
  await using owned = new AsyncDisposableStack()
  const controlGroup = controlGroups?.open({ memoryBytes, processes })
  owned.defer(async () => controlGroup?.remove())
  const namespaces =
    isolation && parts.places && owned.use(parts.places.open(argv, options.cwd, isolation, processes))
  const limits = {
    cpuSeconds,
    dataBytes: controlGroup === undefined ? memoryBytes : undefined,
    fileBytes,
    joinFiles: (controlGroup?.directories ?? []).map((directory) => path.join(directory, 'cgroup.procs')),
  }
  const [program = ''] = argv
  return await runContained(options, {
    program,
    argv: wrappedCommand(withOddNames(argv, options.environment, programs), programs, limits, namespaces),
    isInShell: namespaces !== undefined,
    limits: { memoryBytes, memorySetting, cpuSeconds, boundsData: controlGroup === undefined },
    controlGroup,
    keeper,
  })
}

/** A shell drops variables that it could not name itself, and there is one between this process and the program. */
function withOddNames(
  argv: readonly string[],
  environment: RunOptions['environment'],
  { env }: ContainingPrograms,
): readonly string[] {
  const odd = Object.entries(environment).filter(([name]) => !/^[A-Za-z_]\w*$/.test(name))
  if (odd.length === 0 || env === undefined) return argv
  return [env, ...odd.map(([name, value]) => `${name}=${value}`), ...argv]
}

function findContainingPrograms(directories: readonly string[]): ContainingPrograms {
  const find = (name: string): string | undefined => findProgram(name, directories)
  return { setpriv: find('setpriv'), unshare: find('unshare'), mount: find('mount'), env: find('env') }
}

/** The configurations in which namespaces worked: the programs that make them, and the file system of the directory. */
const workingNamespaces = new Set<string>()

/** Why there are no namespaces, or an empty text when there are; another containment of this process may have found that out. */
async function namespacesProblem(parts: RunParts, directory: string): Promise<string> {
  const { unshare, mount, setpriv } = parts.programs
  const machine = JSON.stringify([unshare, mount, setpriv, statSync(directory).dev])
  if (workingNamespaces.has(machine)) return ''
  const problem = await tryNamespaces(parts, directory)
  if (problem === '') workingNamespaces.add(machine)
  return problem
}

/** Runs something in namespaces with all that there is; why that does not work, or an empty text when it does. */
async function tryNamespaces(parts: RunParts, directory: string): Promise<string> {
  const { unshare, mount, setpriv } = parts.programs
  const missing = Object.entries({ unshare, mount, setpriv }).find(([, file]) => file === undefined)
  if (missing !== undefined) return `program ${missing[0]}, which is part of util-linux, is missing`
  const trial = path.join(directory, 'trial')
  mkdirSync(trial, { recursive: true })
  try {
    const sees = 'test -e /proc/self/stat && test ! -e "$1"'
    const result = await runIn(parts, ['/bin/sh', '-c', sees, 'sh', path.join(directory, 'roots')], {
      shownAs: 'a trial',
      cwd: trial,
      environment: {},
      timeoutMs: 30_000,
      graceMs: 0,
      outputBytes: 1024,
      signal: undefined,
      clean: (text) => text,
      cpuSeconds: 30,
      processes: 512,
      fileBytes: undefined,
      isolation: { view: 'system', directory: trial, network: false },
    })
    if (result.exitCode === 0) return ''
    return result.errorOutput || 'a program in namespaces still saw the files of the machine'
  } catch (error) {
    return errorMessage(error)
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
}
