import type { ChildProcess } from 'node:child_process'

/** The processes of one command, which leads a process group. */
export class ProcessGroup {
  stopReason: Error | undefined
  readonly #child: ChildProcess
  readonly #graceMs: number
  #killTimer: NodeJS.Timeout | undefined

  /** @param graceMs time between SIGTERM and SIGKILL, and for others to end once the command has */
  constructor(child: ChildProcess, graceMs: number) {
    this.#child = child
    this.#graceMs = graceMs
    child.once('exit', () => this.#killLater())
  }

  /** Asks the group to end, and kills it after the grace. */
  stop(reason: Error): void {
    if (this.stopReason !== undefined) return
    this.stopReason = reason
    this.#signal('SIGTERM')
    this.#killLater()
  }

  /** Kills what is left, background processes of a command that ended well among it. */
  end(): void {
    clearTimeout(this.#killTimer)
    this.#signal('SIGKILL')
  }

  #killLater(): void {
    this.#killTimer ??= setTimeout(() => {
      this.end()
      // A process that left the group may hold the pipes open for ever.
      this.#child.stdout?.destroy()
      this.#child.stderr?.destroy()
    }, this.#graceMs)
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
