import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type ControlGroups, openControlGroups } from './control-groups.ts'
import { runMemory, type RunMemory } from './container-memory.ts'
import type { ContainedRun } from './contained-run.ts'
import { findProgram } from './find-program.ts'
import { Keeper } from './keeper.ts'
import { chooseIsolator, type IsolationMeans } from './choose-isolator.ts'
import type { Isolator } from './isolator.ts'
import { ProgramTrials } from './program-trials.ts'
import { describeProtections, notIsolatedBecause, type Protection } from './protection.ts'
import { type RunOptions, type RunResult, runContained } from './run-contained.ts'
import { type ContainingPrograms, limitedCommand } from './wrapped-command.ts'

/** The options of a containment. */
export interface ContainmentOptions {
  /** Directory for what it needs itself; it is emptied first. No other process may use it. */
  readonly directory: string
  /** Most memory that all processes of one run may take together, in bytes, where the container leaves as much. */
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
  /** The means by which programs are isolated that ask for it; undefined if they are not. */
  readonly isolatedBy: IsolationMeans | undefined
  /** Why they are not isolated; empty if they are. */
  readonly notIsolatedBecause: string
  /**
   * Runs a program without a shell. When this returns, nothing is left of its process group or control group.
   * @param argv the first is an absolute path
   * @throws ResourceExhaustedError above a limit, TimeLimitError after a time limit, ProgramKilledError when something else
   *   killed it, UnavailableError or FailedPreconditionError when it cannot be started, and what `stopError` makes of an abort
   */
  run(argv: readonly string[], options: ContainedRun): Promise<RunResult>
}

/** The setting of the memory of a run. */
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
  const memory = runMemory(options.memoryBytes, memorySetting)
  const parts: RunParts = {
    memory,
    controlGroups,
    programs: findContainingPrograms(options.programDirectories),
    keeper: owned.use(new Keeper(directory)),
  }
  const chosen = await chooseIsolator({
    ...options,
    directory,
    programs: parts.programs,
    run: (isolator, argv, run) => runIn(parts, isolator, argv, run),
  })
  const { means, isolator } = chosen
  const trials = new ProgramTrials(
    async (argv, run) => await runIn(parts, isolator, argv, run),
    means ?? 'isolation',
    options.warn,
  )
  const kept = owned.move()
  return {
    memoryBytes: memory.bytes,
    protections: describeProtections({
      controlGroups: found,
      memory,
      isolation: chosen,
      diesWithParent: parts.programs.setpriv !== undefined,
    }),
    isolatedBy: means,
    notIsolatedBecause: means === undefined ? notIsolatedBecause(chosen) : '',
    run: async (argv, run) => {
      const isIsolated = isolator !== undefined && (await trials.work(argv, run))
      return await runIn(parts, isIsolated ? isolator : undefined, argv, run)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

interface RunParts {
  readonly memory: RunMemory
  readonly controlGroups: ControlGroups | undefined
  readonly programs: ContainingPrograms
  readonly keeper: Keeper
}

async function runIn(
  parts: RunParts,
  isolator: Isolator | undefined,
  argv: readonly string[],
  options: ContainedRun,
): Promise<RunResult> {
  const { memory, controlGroups, programs, keeper } = parts
  const { cpuSeconds, processes, fileBytes, isolation } = options
  await using owned = new AsyncDisposableStack()
  const controlGroup = controlGroups?.open({ memoryBytes: memory.bytes, processes })
  owned.defer(async () => controlGroup?.remove())
  const [program = ''] = argv
  const command = withOddNames(argv, options.environment, programs)
  const isolated = isolation && isolator?.isolate(program, command, { ...options, isolation })
  owned.use(isolated)
  const limits = {
    cpuSeconds,
    dataBytes: controlGroup === undefined ? memory.bytes : undefined,
    fileBytes,
    joinFiles: (controlGroup?.directories ?? []).map((directory) => path.join(directory, 'cgroup.procs')),
  }
  return await runContained(options, {
    program,
    argv: limitedCommand(isolated?.argv ?? command, programs, limits),
    isInShell: isolated?.isInShell ?? false,
    limits: { memory, cpuSeconds, boundsData: controlGroup === undefined },
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
  return {
    setpriv: find('setpriv'),
    unshare: find('unshare'),
    mount: find('mount'),
    env: find('env'),
    perl: find('perl'),
  }
}
