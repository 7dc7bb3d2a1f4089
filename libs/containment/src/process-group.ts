import { signalProgram, type StartedProgram } from '@wadi/programs/started-program.ts'

/** Time in which what a program wrote is read after its end, whoever else holds its output. */
const leastGraceMs = 1_000

/** The processes of one program, which leads a process group. */
export class ProcessGroup implements Disposable {
  /** Why it was stopped; undefined while it was not. */
  stopReason: Error | undefined
  readonly #child: StartedProgram
  readonly #graceMs: number
  #timer: NodeJS.Timeout | undefined

  /** @param graceMs time between SIGTERM and SIGKILL, and for others to end once the program has; 0 kills at once */
  constructor(child: StartedProgram, graceMs: number) {
    this.#child = child
    this.#graceMs = graceMs
    const onExit = (): void => this.#killLater()
    child.exited.then(onExit, onExit)
  }

  /** Asks the group to end, and kills it after the grace. */
  stop(reason: Error): void {
    if (this.stopReason !== undefined) return
    this.stopReason = reason
    if (this.#graceMs > 0) signalProgram(this.#child.pid, 'SIGTERM', 'group')
    this.#killLater()
  }

  /** Kills the group at once. */
  kill(reason: Error): void {
    this.stopReason ??= reason
    signalProgram(this.#child.pid, 'SIGKILL', 'group')
    this.#killLater()
  }

  /** Kills what is left, background processes of a program that ended well among it. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    signalProgram(this.#child.pid, 'SIGKILL', 'group')
  }

  #killLater(): void {
    if (this.#graceMs === 0) signalProgram(this.#child.pid, 'SIGKILL', 'group')
    this.#timer ??= setTimeout(
      () => {
        signalProgram(this.#child.pid, 'SIGKILL', 'group')
        // A process that left the group may hold the pipes open for ever.
        this.#child.stdout.destroy()
        this.#child.stderr.destroy()
      },
      Math.max(this.#graceMs, leastGraceMs),
    )
  }
}
