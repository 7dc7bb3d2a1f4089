import { availableParallelism } from 'node:os'
import {
  DomainError,
  FailedPreconditionError,
  ResourceExhaustedError,
  TimeLimitError,
  UnavailableError,
  errorMessage,
} from '@wadi/errors/domain-error.ts'
import { isShortOfProcesses, tooManyProcesses } from '@wadi/errors/machine-shortage.ts'
import { notExecutableBecause } from '@wadi/programs/not-executable.ts'
import { startProgram } from '@wadi/programs/start-program.ts'
import type { StartedProgram } from '@wadi/programs/started-program.ts'
import type { ControlGroup } from './control-groups.ts'
import { watchGroup } from './group-watch.ts'
import type { Keeper } from './keeper.ts'
import { type GivenLimits, killedError, memoryExcess } from './killed-program.ts'
import { LastBytes } from './last-bytes.ts'
import { ProcessGroup } from './process-group.ts'
import { signalName } from './signal-names.ts'
import { wrapperFailure } from './wrapped-command.ts'

const keptErrorBytes = 64 * 1024

/** The exit code of shells and wrappers that find a program and cannot execute it. */
const cannotExecute = 126

/** The options of every run of a program. */
export interface RunOptions {
  /** The name of the program in messages. */
  readonly shownAs: string
  /** An existing directory. */
  readonly cwd: string
  /**
   * The whole environment; nothing is inherited. The programs around the contained one see it too, so that nothing of it may
   * come from somebody who is contained in namespaces.
   */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Time between SIGTERM and SIGKILL for a program that is stopped; 0 kills it at once. */
  readonly graceMs: number
  /** Largest standard output, in bytes. */
  readonly outputBytes: number
  readonly signal: AbortSignal | undefined
  /** Takes out of the error output what nobody may see. */
  readonly clean: (text: string) => string
  /** Makes of the reason of an abort what is thrown; by default it is thrown as it is. */
  readonly stopError?: (signal: AbortSignal) => Error
}

/** The result of a program that ended by itself. */
export interface RunResult {
  /** 0 when it did what it was to do; meaningless after a signal. */
  readonly exitCode: number
  /** The signal that killed it; undefined if none did. */
  readonly signal: NodeJS.Signals | undefined
  readonly output: Buffer
  /** The end of the error output, trimmed and cleaned. */
  readonly errorOutput: string
}

/** The surroundings of one run. */
export interface RunSurroundings {
  /** The file of the program itself. */
  readonly program: string
  readonly argv: readonly string[]
  /** True if a shell stays around the program, which reports signals by number. */
  readonly isInShell: boolean
  readonly limits: GivenLimits
  readonly controlGroup: ControlGroup | undefined
  readonly keeper: Keeper
}

/** Runs a wrapped command to its end; what is left of its process group is killed. */
export async function runContained(options: RunOptions, around: RunSurroundings): Promise<RunResult> {
  const { shownAs, signal } = options
  if (signal?.aborted === true) throw stopError(options, signal)
  const { limits, controlGroup } = around
  using owned = new DisposableStack()
  const kept = owned.use(around.keeper.keep(controlGroup?.directories ?? []))
  const child = await start(options, around.argv)
  using group = new ProcessGroup(child, options.graceMs)
  kept.addProcesses(child.pid)
  const bounds = {
    memoryBytes: limits.memory.bytes,
    cpuSeconds: limits.cpuSeconds,
    processors: availableParallelism(),
    controlGroup,
  }
  using watch = watchGroup(child.pid, bounds, () => group.kill(memoryExcess(shownAs, limits)))
  const timer = setTimeout(() => {
    const seconds = options.timeoutMs / 1000
    group.stop(new TimeLimitError(`${shownAs} took longer than ${seconds} s and was stopped`))
  }, options.timeoutMs)
  owned.defer(() => clearTimeout(timer))
  const onAbort = (): void => {
    if (signal !== undefined) group.stop(stopError(options, signal))
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  owned.defer(() => signal?.removeEventListener('abort', onAbort))
  const { output, errors } = collectOutput(child, options, (error) => group.stop(error))
  const ended = await end(child, around.isInShell)
  if (group.stopReason !== undefined) throw group.stopReason
  const errorOutput = errors.text(options.clean).trim()
  const state = { wasOutOfMemory: controlGroup?.wasOutOfMemory() ?? false, cpuSeconds: watch.cpuSeconds }
  const killed = killedError({ shownAs, ...ended, ...state, errorOutput }, limits)
  if (killed !== undefined) throw killed
  if (ended.exitCode === 125 && errorOutput.includes(wrapperFailure)) {
    throw new UnavailableError(
      `${shownAs} cannot be contained: ${errorOutput.replace(wrapperFailure, '').trim()}`,
    )
  }
  if (ended.exitCode === cannotExecute) {
    const reason = notExecutableBecause(around.program)
    const place = options.clean(around.program)
    if (reason !== undefined)
      throw new FailedPreconditionError(`cannot start ${shownAs}: ${place}: ${reason}`)
  }
  return { ...ended, output: Buffer.concat(output), errorOutput }
}

async function start(
  { cwd, environment, shownAs, clean }: RunOptions,
  [command = '', ...args]: readonly string[],
): Promise<StartedProgram> {
  try {
    const program = { command, args, cwd, environment, leadsGroup: true, hasInput: false, label: shownAs }
    return await startProgram(program)
  } catch (cause) {
    throw cannotStart(shownAs, cause, clean)
  }
}

/** A machine that is short of processes or files may have some later; anything else stays as it is. */
function cannotStart(shownAs: string, cause: unknown, clean: (text: string) => string): Error {
  if (cause instanceof DomainError) return cause
  const text = `cannot start ${shownAs}: ${clean(errorMessage(cause))}`
  return isShortOfProcesses(cause)
    ? tooManyProcesses(text, { cause })
    : new FailedPreconditionError(text, { cause })
}

function collectOutput(
  child: StartedProgram,
  { shownAs, outputBytes }: RunOptions,
  onExcess: (error: Error) => void,
): { output: Buffer[]; errors: LastBytes } {
  const output: Buffer[] = []
  const errors = new LastBytes(keptErrorBytes)
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= outputBytes) output.push(chunk)
    else
      onExcess(new ResourceExhaustedError(`${shownAs} wrote more than ${outputBytes} bytes and was stopped`))
  })
  child.stderr.on('data', (chunk: Buffer) => errors.add(chunk))
  return { output, errors }
}

async function end(
  { closed }: StartedProgram,
  isInShell: boolean,
): Promise<{ exitCode: number; signal: NodeJS.Signals | undefined }> {
  const { exitCode, signal } = await closed
  const reported = isInShell && exitCode !== null && exitCode > 128 ? signalName(exitCode - 128) : undefined
  return { exitCode: exitCode ?? -1, signal: signal ?? reported }
}

function stopError({ stopError: make }: RunOptions, signal: AbortSignal): Error {
  if (make !== undefined) return make(signal)
  const { reason }: { reason?: unknown } = signal
  return reason instanceof Error ? reason : new Error(String(reason))
}
