import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { StarterReport, StartRequest } from './starter-messages.ts'

/** A program that is to be started, as far as it has arrived. */
interface Arrival {
  request: StartRequest | undefined
  readonly streams: Map<number, Socket>
  readonly timer: NodeJS.Timeout
}

/**
 * The starter: it starts programs with connections of its parent as their streams, and reports their ends. When its
 * parent is gone, it ends the programs that still run.
 * The process runs the source text of this class, which therefore refers to nothing outside itself but types; without a
 * file to erase types from, the process starts in a third of the time and takes half of the memory.
 */
export class StarterProcess {
  readonly #childProcess = process.getBuiltinModule('node:child_process')
  readonly #fileSystem = process.getBuiltinModule('node:fs')
  readonly #directory: string
  readonly #arrivals = new Map<string, Arrival>()
  readonly #running = new Map<ChildProcess, StartRequest>()
  #parentIsGone = false

  /** @param directory a private directory, for the socket `s`; it goes with the parent */
  constructor(directory: string) {
    this.#directory = directory
    process.title = 'wadi-starter'
    let rest = ''
    process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#requested(JSON.parse(line) as StartRequest)
    })
    process.stdin.once('close', () => this.#endAll())
    process.stdout.on('error', () => undefined)
    process
      .getBuiltinModule('node:net')
      .createServer((socket) => this.#connected(socket))
      .listen({ path: `${directory}/s`, backlog: 4096 }, () => this.#report({ ready: true }))
  }

  #report(report: StarterReport): void {
    process.stdout.write(`${JSON.stringify(report)}\n`)
  }

  #requested(request: StartRequest): void {
    this.#arrival(request.id).request = request
    this.#startIfComplete(request.id)
  }

  #connected(socket: Socket): void {
    const digits = 32
    socket.on('error', () => undefined)
    socket.on('readable', () => {
      // The parent sends nothing more until the program has the stream.
      const head: Buffer | null = socket.read(digits + 1)
      if (head === null) return
      socket.removeAllListeners('readable')
      const id = head.toString('latin1', 0, digits)
      socket.once('close', () => this.#forget(id))
      this.#arrival(id).streams.set(Number(head.toString('latin1', digits)), socket)
      this.#startIfComplete(id)
    })
  }

  #arrival(id: string): Arrival {
    const known = this.#arrivals.get(id)
    if (known !== undefined) return known
    const timer = setTimeout(() => {
      this.#forget(id)
      this.#report({
        id,
        code: 'EMFILE',
        message: 'its streams did not arrive: no file can be opened (EMFILE)',
      })
    }, 10_000)
    const made: Arrival = { request: undefined, streams: new Map(), timer }
    this.#arrivals.set(id, made)
    return made
  }

  /** Drops what has arrived of a program that is not started. */
  #forget(id: string): void {
    const arrival = this.#arrivals.get(id)
    this.#arrivals.delete(id)
    clearTimeout(arrival?.timer)
    for (const socket of arrival?.streams.values() ?? []) socket.destroy()
  }

  #startIfComplete(id: string): void {
    const { request, streams } = this.#arrival(id)
    if (request === undefined || streams.size < (request.hasInput ? 3 : 2)) return
    const { command, args, cwd, environment, leadsGroup } = request
    const stdio = [0, 1, 2].map((number) => streams.get(number) ?? 'ignore')
    try {
      const child = this.#childProcess.spawn(command, args, {
        cwd,
        env: environment,
        stdio,
        detached: leadsGroup,
      })
      this.#follow(child, request)
    } catch (error) {
      this.#failed(id, error)
    } finally {
      this.#forget(id)
    }
  }

  #follow(child: ChildProcess, request: StartRequest): void {
    const { id } = request
    child.on('error', (error) => {
      if (child.pid === undefined) this.#failed(id, error)
    })
    if (child.pid === undefined) return
    this.#running.set(child, request)
    this.#report({ id, pid: child.pid })
    child.once('exit', (exitCode, signal) => {
      this.#running.delete(child)
      this.#report({ id, exitCode, signal })
      if (this.#parentIsGone && this.#running.size === 0) this.#endOwnGroup()
    })
  }

  #failed(id: string, error: unknown): void {
    const { code = '', message } = error as NodeJS.ErrnoException
    this.#report({ id, code, message })
  }

  /** Lets programs tidy up for two seconds: git removes its lock files. */
  #endAll(): void {
    this.#parentIsGone = true
    this.#fileSystem.rmSync(this.#directory, { recursive: true, force: true })
    const end = (signal: NodeJS.Signals): void => {
      for (const [{ pid = 0 }, { leadsGroup }] of this.#running) {
        try {
          process.kill(leadsGroup ? -pid : pid, signal)
        } catch {
          // It has just ended, or became another user's.
        }
      }
    }
    end('SIGTERM')
    if (this.#running.size === 0) this.#endOwnGroup()
    setTimeout(() => {
      end('SIGKILL')
      this.#endOwnGroup()
    }, 2_000)
  }

  /** Ends this process and what programs without a group of their own left. */
  #endOwnGroup(): void {
    process.kill(-process.pid, 'SIGKILL')
  }
}
