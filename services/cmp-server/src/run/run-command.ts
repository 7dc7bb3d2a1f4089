import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import {
  DeadlineExceededError,
  FailedPreconditionError,
  InvalidInputError,
  ResourceExhaustedError,
  errorMessage,
} from '@wadi/errors/domain-error.ts'
import { type CommandOutput, collectOutput } from './command-output.ts'
import { findProgram } from './find-program.ts'
import { ProcessGroup } from './process-group.ts'
import { stopReason } from './stop-reason.ts'
import { killStrayProcesses, processMoment, runVariable } from './stray-processes.ts'

/** What a command is given, and the bounds within which it must stay. */
export interface CommandOptions {
  /** An existing folder. */
  cwd: string
  /** The folder of the run, without symbolic links; no process that works in it is left. */
  runFolder: string
  /** The whole environment but `WADI_PLUGIN_RUN`; nothing is inherited. */
  environment: ReadonlyMap<string, string>
  /** Where programs are looked up by their names. */
  programFolders: readonly string[]
  /** Stops the command when it aborts. */
  signal: AbortSignal
  timeoutMs: number
  /** Time between SIGTERM and SIGKILL, and for background processes that still write when the command has ended. */
  graceMs: number
  maxOutputBytes: number
  /** Takes out of messages and the error output what nobody may see. */
  clean: (text: string) => string
  /** What messages call the command; by default its words. */
  shownAs?: string
  /** Whether the line feed at the end of the standard output is kept. */
  isVerbatim?: boolean
}

const longestShownCommand = 300
// Messages are cut at 2,000 characters on the wire, and the end of the error output says the most.
const longestShownErrors = 1_400

/** How Go names signals, and so Argo CD's users know them. */
const signalNames = new Map<string, string>([
  ['SIGABRT', 'aborted'],
  ['SIGBUS', 'bus error'],
  ['SIGFPE', 'floating point exception'],
  ['SIGHUP', 'hangup'],
  ['SIGILL', 'illegal instruction'],
  ['SIGINT', 'interrupt'],
  ['SIGKILL', 'killed'],
  ['SIGPIPE', 'broken pipe'],
  ['SIGQUIT', 'quit'],
  ['SIGSEGV', 'segmentation fault'],
  ['SIGTERM', 'terminated'],
])

/**
 * Runs a command without a shell in a process group of its own. When this returns, nothing is left of the group nor,
 * as far as they can be found, of the processes that left it. On abort, timeout or too much output the group gets SIGTERM and, after the grace, SIGKILL.
 * @throws InvalidInputError in Argo CD's words when the command fails; FailedPreconditionError when it cannot be started;
 *   DeadlineExceededError, CanceledError or ResourceExhaustedError when it was stopped
 */
export async function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandOutput> {
  const shown = options.shownAs ?? shownCommand(argv, options.clean)
  const [name = '', ...args] = argv
  const file = programFile(name, options)
  if (options.signal.aborted) throw stopReason(options.signal, shown)
  const since = processMoment()
  const child = startChild(file, args, options, shown)
  const group = new ProcessGroup(child, options.graceMs)
  const onAbort = () => group.stop(stopReason(options.signal, shown))
  options.signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => {
    group.stop(new DeadlineExceededError(`${shown} took longer than ${options.timeoutMs / 1000} s`))
  }, options.timeoutMs)
  const output = collectOutput(child, {
    maxBytes: options.maxOutputBytes,
    onExcess: () =>
      group.stop(new ResourceExhaustedError(`${shown} wrote more than ${options.maxOutputBytes} bytes`)),
    clean: options.clean,
    isVerbatim: options.isVerbatim ?? false,
  })
  try {
    const status = await ended(child, shown, options.clean)
    if (group.stopReason !== undefined) throw group.stopReason
    const { text, errors } = output()
    if (status !== 'exit status 0') {
      throw new InvalidInputError(`${shown} failed ${status}: ${shownErrors(errors)}`)
    }
    return { text, errors }
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', onAbort)
    group.end()
    await killStrayProcesses(options.runFolder, since)
  }
}

function programFile(name: string, { cwd, programFolders, clean }: CommandOptions): string {
  if (name.includes('/')) return path.resolve(cwd, name)
  const file = findProgram(name, programFolders)
  if (file !== undefined) return file
  throw new FailedPreconditionError(`exec: "${clean(name)}": executable file not found in $PATH`)
}

function startChild(file: string, args: string[], options: CommandOptions, shown: string): ChildProcess {
  try {
    const { cwd, environment, runFolder } = options
    const env = Object.fromEntries([...environment, [runVariable, runFolder]])
    return spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  } catch (cause) {
    // Too large an environment or argument list is thrown, not emitted.
    throw cannotStart(shown, cause, options.clean)
  }
}

function cannotStart(shown: string, cause: unknown, clean: (text: string) => string): Error {
  return new FailedPreconditionError(`cannot start ${shown}: ${clean(errorMessage(cause))}`, { cause })
}

function ended(child: ChildProcess, shown: string, clean: (text: string) => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('close', (code, signal) => {
      resolve(code === null ? `signal: ${signalNames.get(signal ?? '') ?? signal}` : `exit status ${code}`)
    })
    child.once('error', (cause) => reject(cannotStart(shown, cause, clean)))
  })
}

/** A command for messages: words with blanks or quotes in quotation marks. */
export function shownCommand(argv: readonly string[], clean: (text: string) => string): string {
  const words = argv.map(clean).map((word) => (/^[^\s"`]+$/.test(word) ? word : JSON.stringify(word)))
  const line = words.join(' ')
  return `\`${line.length > longestShownCommand ? `${line.slice(0, longestShownCommand)}…` : line}\``
}

function shownErrors(errors: string): string {
  return errors.length > longestShownErrors ? `…${errors.slice(-longestShownErrors)}` : errors
}
