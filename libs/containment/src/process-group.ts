import type { ChildProcess } from 'node:child_process'

/** Time in which what a program wrote is read after its end, whoever else holds its output. */
const leastGraceMs = 1_000

/** The processes of one program, which leads a process group. */
export class ProcessGroup implements Disposable {
  /** Why it was stopped; undefined while it was not. */
  stopReason: Error | undefined
  readonly #child: ChildProcess
  readonly #graceMs: number
  #timer: NodeJS.Timeout | undefined

  /** @param graceMs time between SIGTERM and SIGKILL, and for others to end once the program has; 0 kills at once */
  constructor(child: ChildProcess, graceMs: number) {
    this.#child = child
    this.#graceMs = graceMs
    child.once('exit', () => this.#killLater())
  }

  /** Asks the group to end, and kills it after the grace. */
  stop(reason: Error): void {
    if (this.stopReason !== undefined) return
    this.stopReason = reason
    if (this.#graceMs > 0) this.#signal('SIGTERM')
    this.#killLater()
  }

  /** Kills the group at once. */
  kill(reason: Error): void {
    this.stopReason ??= reason
    this.#signal('SIGKILL')
    this.#killLater()
  }

  /** Kills what is left, background processes of a program that ended well among it. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#signal('SIGKILL')
  }

  #killLater(): void {
    if (this.#graceMs === 0) this.#signal('SIGKILL')
    this.#timer ??= setTimeout(
      () => {
        this.#signal('SIGKILL')
        // A process that left the group may hold the pipes open for ever.
        this.#child.stdout?.destroy()
        this.#child.stderr?.destroy()
      },
      Math.max(this.#graceMs, leastGraceMs),
    )
  }

  #signal(name: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return
    try {
      process.kill(-this.#child.pid, name)
    } catch (error) {
      // All that is left may have become another user's, as a program with the setuid bit does.
      const isBeyond =
        error instanceof Error && 'code' in error && ['ESRCH', 'EPERM'].includes(String(error.code))
      if (!isBeyond) throw error
    }
  }
}
