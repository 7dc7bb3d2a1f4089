import { availableParallelism } from 'node:os'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { abortError } from '@wadi/concurrency/abort-error.ts'
import type { Containment } from '@wadi/containment/containment.ts'
import { findProgram } from '@wadi/containment/find-program.ts'
import type { Isolation } from '@wadi/containment/isolation.ts'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { killStrayProcesses, processMoment, runVariable } from './stray-processes.ts'

/** The inputs of a command, and its limits. */
export interface CommandOptions {
  readonly containment: Containment
  /** An existing directory. */
  cwd: string
  /** The directory of the run, without symbolic links; no process that works in it is left. */
  runDirectory: string
  /** The whole environment but `WADI_PLUGIN_RUN`; nothing is inherited. */
  environment: ReadonlyMap<string, string>
  /** The directories in which programs are searched by their names. */
  programDirectories: readonly string[]
  /** Stops the command when it aborts. */
  signal: AbortSignal
  timeoutMs: number
  /** Time between SIGTERM and SIGKILL, and for background processes that still write when the command has ended. */
  graceMs: number
  maxOutputBytes: number
  /** Takes out of messages and the error output what nobody may see. */
  clean: (text: string) => string
  /** The name of the command in messages; by default its words. */
  shownAs?: string
  /** True to keep the line feed at the end of the standard output. */
  isVerbatim?: boolean
  /** The isolation of the command; by default it sees all that its user does, as a plugin needs it. */
  isolation?: Isolation
}

/** The output of a command that succeeded. */
export interface CommandOutput {
  /**
   * Standard output, unless it is verbatim without one line feed at its end.
   * @throws InvalidInputError for bytes that are not UTF-8
   */
  readonly text: string
  /** The end of the error output, trimmed and cleaned. */
  errors: string
}

const maxShownCommandLength = 300
// Messages are cut at 2,000 characters on the wire, and the end of the error output says the most.
const maxShownErrorsLength = 1_400

/** Processes and threads: plugins bring virtual machines along that make many of them. */
const maxProcesses = { ofPlugins: 4_096, inNamespaces: 512 }

/** Largest file that a program other than a plugin may write, in bytes. */
const maxFileBytes = 1024 ** 3

/** The names of signals in Go, which Argo CD's users know. */
const signalNames = new Map<string, string>([
  ['SIGABRT', 'aborted'],
  ['SIGBUS', 'bus error'],
  ['SIGFPE', 'floating point exception'],
  ['SIGHUP', 'hangup'],
  ['SIGILL', 'illegal instruction'],
  ['SIGINT', 'interrupt'],
  ['SIGPIPE', 'broken pipe'],
  ['SIGQUIT', 'quit'],
  ['SIGSEGV', 'segmentation fault'],
  ['SIGTERM', 'terminated'],
])

/**
 * Runs a command without a shell in the bounds of the machine. When this returns, nothing is left of its processes, as far
 * as they can be found. On abort, timeout or too much output they get SIGTERM and, after the grace, SIGKILL.
 * @throws InvalidInputError in Argo CD's words when the command fails; FailedPreconditionError when it cannot be started;
 *   TimeLimitError, CanceledError or ResourceExhaustedError when it was stopped, and what a containment throws
 */
export async function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandOutput> {
  const { cwd, runDirectory, environment, timeoutMs, isolation, clean } = options
  const shown = options.shownAs ?? shownCommand(argv, clean)
  const [name = '', ...args] = argv
  const file = programFile(name, options)
  const seconds = Math.ceil(timeoutMs / 1000)
  const since = processMoment()
  try {
    const result = await options.containment.run([file, ...args], {
      shownAs: shown,
      cwd,
      environment: Object.fromEntries([...environment, [runVariable, runDirectory]]),
      timeoutMs,
      graceMs: options.graceMs,
      outputBytes: options.maxOutputBytes,
      signal: options.signal,
      clean,
      stopError: (signal) => abortError(signal, shown),
      // A plugin may keep all processors busy for as long as it may take.
      cpuSeconds: (isolation === undefined ? seconds * availableParallelism() : seconds) + 1,
      processes: isolation === undefined ? maxProcesses.ofPlugins : maxProcesses.inNamespaces,
      fileBytes: isolation === undefined ? undefined : maxFileBytes,
      isolation,
    })
    const { exitCode, signal, errorOutput: errors } = result
    if (signal !== undefined || exitCode !== 0) {
      const status =
        signal === undefined ? `exit status ${exitCode}` : `signal: ${signalNames.get(signal) ?? signal}`
      throw new InvalidInputError(`${shown} failed ${status}: ${shownErrors(errors)}`)
    }
    return {
      // What nobody reads, such as the output of init, may be anything.
      get text() {
        const text = fileText(result.output, `output of ${shown}`, 'let it write UTF-8')
        return options.isVerbatim === true ? text : text.replace(/\n$/, '')
      },
      errors,
    }
  } finally {
    await killStrayProcesses(runDirectory, since)
  }
}

function programFile(name: string, { cwd, programDirectories, clean }: CommandOptions): string {
  const file = name.includes('/') ? path.resolve(cwd, name) : findProgram(name, programDirectories)
  if (file === undefined) {
    throw new FailedPreconditionError(`exec: "${clean(name)}": executable file not found in $PATH`)
  }
  // Else it would be the shell around it that says so.
  const [directory, base] = [path.dirname(file), path.basename(file)]
  if (findProgram(base, [directory]) === undefined) {
    if (existsSync(file)) {
      throw new FailedPreconditionError(
        `cannot start "${clean(name)}": nobody may execute it; set spec.preserveFileMode of the plugin, without which files of the repository lose their executable bit, or name its interpreter first, as in [sh, ${clean(name)}]`,
      )
    }
    throw new FailedPreconditionError(`cannot start "${clean(name)}": no such file`)
  }
  return file
}

/** A command for messages: words with blanks or quotes in quotation marks. */
export function shownCommand(argv: readonly string[], clean: (text: string) => string): string {
  const words = argv.map(clean).map((word) => (/^[^\s"`]+$/.test(word) ? word : JSON.stringify(word)))
  const line = words.join(' ')
  return `\`${shortened(line, maxShownCommandLength)}\``
}

function shownErrors(errors: string): string {
  return errors.length > maxShownErrorsLength ? `…${errors.slice(-maxShownErrorsLength)}` : errors
}
