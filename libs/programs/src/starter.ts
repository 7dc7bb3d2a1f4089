import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { Program } from './program.ts'
import { closeStreams, connectStreams, type ProgramStreams, whenClosed } from './program-streams.ts'
import { type ProgramEnd, StarterLostError, type StartedProgram, signalProgram } from './started-program.ts'
import type { StarterReport, StartRequest } from './starter-messages.ts'
import { makeStarterDirectory, noStarter, socketName } from './starter-place.ts'
import { StarterProcess } from './starter-process.ts'

/** The streams of a program that is to be started, and the id by which the starter knows them. */
interface Connection {
  readonly id: string
  readonly streams: ProgramStreams
}

interface Call {
  readonly program: Program
  readonly started: PromiseWithResolvers<number>
  readonly exited: PromiseWithResolvers<ProgramEnd>
  pid: number | undefined
}

/** The codes of a connection to a process that has ended, or whose socket is gone. */
const goneCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'])

/** Its objects die young. With the default of V8 they take 10 MiB after a thousand programs, and it is no faster. */
const smallHeap = ['--max-semi-space-size=1']

/** A small process that starts programs for this one; it never keeps this process from ending, and ends with it. */
export class Starter {
  /** True while it can start another program. */
  isUsable = true
  /** Why it ended before it was ready; undefined when it did not. */
  failure: UnavailableError | undefined
  #hasEnded = false
  #isReady = false
  #lastWords = ''
  readonly #directory: string
  readonly #process: ChildProcess
  readonly #ready = Promise.withResolvers<void>()
  readonly #calls = new Map<string, Call>()
  #references = 0

  /** @throws FailedPreconditionError if it can have no directory, the error of the system if there is no room for one or no file can be opened */
  constructor() {
    this.#directory = makeStarterDirectory()
    process.once('exit', this.#removeDirectory)
    const program = `new (${String(StarterProcess)})(${JSON.stringify(this.#directory)})`
    const child = spawn(process.execPath, [...smallHeap, '--input-type=commonjs', '--eval', program], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      // The keys that stop this process in a terminal do not stop it before this process has ended its programs.
      detached: true,
    })
    this.#process = child
    this.#ready.promise.catch(() => undefined)
    child.once('error', (error) => this.#lost(noStarter(error)))
    child.once('close', (code, signal) => this.#ended(code === null ? String(signal) : `exit code ${code}`))
    child.unref()
    // Where no file can be opened, there is no stream.
    const { stdin, stdout, stderr }: Partial<Pick<ChildProcess, 'stdin' | 'stdout' | 'stderr'>> = child
    if (!stdin || !stdout || !stderr) {
      this.#lost(Object.assign(new Error('no file can be opened (EMFILE)'), { code: 'EMFILE' }))
      return
    }
    stdin.on('error', () => undefined)
    ;(stdin as Socket).unref()
    stderr.setEncoding('utf8').on('data', (text: string) => {
      if (!this.#isReady) this.#lastWords = (this.#lastWords + text).slice(-2_000)
    })
    createInterface({ input: stdout }).on('line', (line) => this.#reported(JSON.parse(line) as StarterReport))
    this.#keepAlive(false)
  }

  /**
   * Connects the streams of a program; undefined when the process cannot be reached, so that another one is needed.
   * @throws the error of the system, such as EAGAIN and EMFILE
   */
  async connect(hasInput: boolean): Promise<Connection | undefined> {
    const id = randomBytes(16).toString('hex')
    this.#reference(1)
    try {
      await this.#ready.promise
      return { id, streams: await connectStreams(path.join(this.#directory, socketName), id, hasInput) }
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && goneCodes.has(String(error.code))
      if (!isGone) throw error
      // Programs that it started run on if only its socket is gone, as after a clean-up of the temporary directory.
      this.isUsable = false
      return undefined
    } finally {
      this.#reference(-1)
    }
  }

  /** @throws the error of the system, with its code, when the program cannot be started; StarterLostError */
  async start(program: Program, { id, streams }: Connection): Promise<StartedProgram> {
    const call: Call = {
      program,
      started: Promise.withResolvers(),
      exited: Promise.withResolvers(),
      pid: undefined,
    }
    // Who waits for the end learns of it; nobody has to.
    call.exited.promise.catch(() => undefined)
    this.#reference(1)
    try {
      if (this.#hasEnded) throw new StarterLostError(program.label)
      this.#calls.set(id, call)
      const { label: _, ...request } = program
      this.#process.stdin?.write(`${JSON.stringify({ ...request, id } satisfies StartRequest)}\n`)
      const pid = await call.started.promise
      return this.#startedProgram(call, pid, streams)
    } catch (error) {
      this.#reference(-1)
      this.#calls.delete(id)
      closeStreams(streams)
      throw error
    }
  }

  #startedProgram(call: Call, pid: number, streams: ProgramStreams): StartedProgram {
    let isReferenced = true
    let isRunning = true
    const setReferenced = (referenced: boolean): void => {
      if (referenced === isReferenced) return
      isReferenced = referenced
      if (isRunning) this.#reference(referenced ? 1 : -1)
      for (const socket of Object.values(streams)) {
        if (referenced) socket.ref()
        else socket.unref()
      }
    }
    const exited = call.exited.promise
    const onExit = (): void => {
      isRunning = false
      if (isReferenced) this.#reference(-1)
      streams.stdin.destroy()
    }
    exited.then(onExit, onExit)
    const closed = whenClosed(exited, streams)
    closed.catch(() => undefined)
    return { ...streams, pid, exited, closed, setReferenced }
  }

  #reported(report: StarterReport): void {
    if ('ready' in report) {
      this.#isReady = true
      return this.#ready.resolve()
    }
    const call = this.#calls.get(report.id)
    if (call === undefined) return
    if ('pid' in report) {
      call.pid = report.pid
      call.started.resolve(report.pid)
      return
    }
    this.#calls.delete(report.id)
    if ('code' in report) {
      call.started.reject(Object.assign(new Error(report.message), { code: report.code }))
    } else {
      call.exited.resolve({ exitCode: report.exitCode, signal: report.signal })
    }
  }

  #ended(how: string): void {
    if (!this.#isReady) {
      const said = /^\w*Error\b.*$/m.exec(this.#lastWords)?.[0]
      const reason = [how, said].filter(Boolean).join(': ')
      this.failure = new UnavailableError(
        `no program can be started: the process for it ended before it was ready (${reason}); look at the memory and the limits of this service`,
      )
    }
    this.#lost(undefined)
  }

  /** Ends the programs of a lost starter, as their ends would not be reported. */
  #lost(cause: Error | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.isUsable = false
    this.#ready.reject(cause ?? Object.assign(new Error('it ended before it was ready'), { code: 'EPIPE' }))
    for (const { program, started, exited, pid } of this.#calls.values()) {
      if (pid !== undefined) signalProgram(pid, 'SIGKILL', program.leadsGroup ? 'group' : 'program')
      const error = new StarterLostError(program.label)
      started.reject(error)
      exited.reject(error)
    }
    this.#calls.clear()
    // What programs without a group of their own left.
    if (this.#process.pid !== undefined) signalProgram(this.#process.pid, 'SIGKILL', 'group')
    process.off('exit', this.#removeDirectory)
    this.#removeDirectory()
  }

  readonly #removeDirectory = (): void => {
    try {
      rmSync(this.#directory, { recursive: true, force: true })
    } catch {
      // No file can be opened, for example; the starter removes it a moment after this process.
    }
  }

  #reference(change: 1 | -1): void {
    this.#references += change
    if (this.#references === (change === 1 ? 1 : 0)) this.#keepAlive(change === 1)
  }

  /** Keeps the event loop alive while reports, or the end of the starter, are pending. */
  #keepAlive(isKept: boolean): void {
    const { stdout, stderr } = this.#process
    for (const handle of [this.#process, stdout as Socket, stderr as Socket]) {
      if (isKept) handle.ref()
      else handle.unref()
    }
  }
}
