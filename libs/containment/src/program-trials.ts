import { realpathSync } from 'node:fs'
import path from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { ContainedRun } from './contained-run.ts'
import { fileIdentity } from './file-identity.ts'
import { isStaticProgram } from './program-kind.ts'
import type { RunResult } from './run-contained.ts'

type Run = (argv: readonly string[], options: ContainedRun) => Promise<RunResult>

/** Finds out, once for each, which programs work with what they are shown when they are isolated. */
export class ProgramTrials {
  readonly #run: Run
  readonly #means: string
  readonly #warn: (message: string) => void
  readonly #trials = new Map<string, Promise<boolean>>()

  /**
   * @param run runs isolated
   * @param means names the isolation in warnings
   */
  constructor(run: Run, means: string, warn: (message: string) => void) {
    this.#run = run
    this.#means = means
    this.#warn = warn
  }

  /** True if a program works isolated, or need not be tried. */
  async work([program = '']: readonly string[], options: ContainedRun): Promise<boolean> {
    const { isolation } = options
    if (isolation?.trialArguments === undefined) return true
    const key = `${isolation.view} ${program} ${fileIdentity(program) ?? ''}`
    const known = this.#trials.get(key) ?? this.#try(program, isolation.trialArguments, options)
    this.#trials.set(key, known)
    return await known
  }

  async #try(program: string, args: readonly string[], options: ContainedRun): Promise<boolean> {
    if (needsNothingElse(program)) return true
    const why = await this.#failure([program, ...args], options)
    if (why !== undefined) {
      this.#warn(
        `${program} does not work in ${this.#means}, so it runs without and sees the files and the network of its user: ${why}`,
      )
    }
    return why === undefined
  }

  async #failure(argv: readonly string[], options: ContainedRun): Promise<string | undefined> {
    try {
      const { exitCode, signal, errorOutput } = await this.#run(argv, { ...options, signal: undefined })
      return exitCode === 0 && signal === undefined ? undefined : errorOutput || `exit code ${exitCode}`
    } catch (error) {
      return errorMessage(error)
    }
  }
}

/** A link of another name means a program that looks up the real one by the name that it is called by. */
function needsNothingElse(program: string): boolean {
  const file = realpathSync(program)
  return path.basename(file) === path.basename(program) && isStaticProgram(file)
}
