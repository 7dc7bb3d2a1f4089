import { existsSync } from 'node:fs'
import path from 'node:path'
import { growingCache } from '@wadi/concurrency/growing-cache.ts'
import {
  CanceledError,
  InvalidInputError,
  NotFoundError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import { BatchParser } from './batch-parser.ts'
import type { BatchAnswer, ObjectType } from './batch-parser.ts'
import { gitEnvironment } from '../process/git-environment.ts'
import { classifyGitFailure, CorruptMirrorError } from '../process/git-failure.ts'
import { isCommitSha } from '../mirror/revision.ts'
import { type ProgramEnd, signalProgram, type StartedProgram } from '@wadi/programs/started-program.ts'
import { startChild } from '../process/start-child.ts'

/** A whole object. */
export type GitObject = { type: ObjectType; bytes: Buffer }

type Request = {
  line: string
  attempts: number
  resolve: (answer: BatchAnswer) => void
  reject: (error: unknown) => void
}

/** Brings the objects of a repository that were left out when it was fetched. */
type AbsentObjects = {
  /** True if objects may be missing. */
  readonly isPart: boolean
  /** Fetches objects that a commit leads to. @throws UnavailableError with the cause if they cannot be had now */
  load(commit: string, oids: readonly string[]): Promise<void>
}

/** One process; its child is there once it has started. `unsent` are lines of this moment. */
type Batch = { started: Promise<void>; child: StartedProgram | undefined; stderr: string; unsent: string }

const idleMs = 30_000
/** Heads of branches and of notes that are looked at again and again. */
const maxKnownCommits = 4_096

/**
 * Reads objects of one repository through one `git cat-file --batch-command` that stays alive between reads.
 *
 * Requests are pipelined. A process that dies is started again, and each request is given two tries. After 30 s
 * without a request the process ends; it never keeps this process from exiting.
 */
export class ObjectReader implements AsyncDisposable {
  /** Set for a repository whose objects may be missing. */
  absent: AbsentObjects | undefined
  readonly #gitDirectory: string
  #batch: Batch | undefined
  #held: Promise<void> | undefined
  #pending: Request[] = []
  #idle: NodeJS.Timeout | undefined
  readonly #trees = growingCache<string, Promise<string | undefined>>(maxKnownCommits)

  constructor(gitDirectory: string) {
    this.#gitDirectory = gitDirectory
  }

  /**
   * Reads an object whole.
   * @param maxBytes the size above which nothing is read
   * @throws NotFoundError, ResourceExhaustedError above `maxBytes`, CorruptMirrorError for a damaged object
   */
  async read(oid: string, maxBytes: number): Promise<GitObject> {
    const size = await this.size(oid)
    if (size > maxBytes) {
      throw new ResourceExhaustedError(`object ${oid} has ${size} bytes; at most ${maxBytes} are read`)
    }
    const answer = await this.#ask('contents', oid)
    if (answer.kind === 'missing') throw this.#missing(oid)
    return { type: answer.type, bytes: answer.bytes }
  }

  /**
   * Returns the size of an object in bytes.
   * @throws NotFoundError, CorruptMirrorError for a damaged object
   */
  async size(oid: string): Promise<number> {
    const answer = await this.#ask('info', oid)
    if (answer.kind === 'missing') throw this.#missing(oid)
    return answer.size
  }

  /**
   * Returns the full name of the object that an expression such as `main^{tree}`, `<sha>:<path>` or the beginning
   * of a SHA stands for, or undefined if there is none or more than one.
   * @throws InvalidInputError for an expression that is too long or has control characters
   */
  async resolve(expression: string): Promise<string | undefined> {
    const answer = await this.#ask('info', expression)
    return answer.kind === 'missing' ? undefined : answer.oid
  }

  /** Returns those of some objects that the repository does not have. */
  async lacking(oids: readonly string[]): Promise<string[]> {
    const found = await Promise.all(oids.map((oid) => this.resolve(oid)))
    return oids.filter((_, index) => found[index] === undefined)
  }

  /** Returns the name of the tree of a commit, or undefined if there is no such commit; asked once for each commit. */
  async treeOf(commitSha: string): Promise<string | undefined> {
    const known = this.#trees.get(commitSha)
    if (known !== undefined) return known
    const asked = this.resolve(`${commitSha}^{tree}`)
    this.#trees.set(commitSha, asked)
    try {
      const tree = await asked
      if (tree === undefined) this.#trees.delete(commitSha)
      return tree
    } catch (error) {
      this.#trees.delete(commitSha)
      throw error
    }
  }

  /**
   * Ends the process and forgets what it said; a later request starts a new one.
   * @param reason the error of requests that wait
   */
  async close(reason: Error = new CanceledError('the reader was closed')): Promise<void> {
    this.#trees.clear()
    clearTimeout(this.#idle)
    const batch = this.#batch
    this.#batch = undefined
    for (const request of this.#pending.splice(0)) request.reject(reason)
    await batch?.started
    const child = batch?.child
    if (child === undefined) return
    child.setReferenced(true)
    child.stdin.end()
    signalProgram(child.pid, 'SIGTERM', 'program')
    await child.closed.catch(() => undefined)
  }

  /**
   * Does something in which another repository takes the place of this one. Later requests wait for it.
   * @param reason the error of requests that wait already
   */
  async whileReplaced(replace: () => Promise<void>, reason: Error): Promise<void> {
    const held = Promise.withResolvers<void>()
    this.#held = held.promise
    try {
      await this.close(reason)
      await replace()
    } finally {
      this.#held = undefined
      held.resolve()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** git calls an object missing as well when it cannot read the object's file. */
  #missing(oid: string): NotFoundError | CorruptMirrorError {
    const file = path.join(this.#gitDirectory, 'objects', oid.slice(0, 2), oid.slice(2))
    return isCommitSha(oid) && existsSync(file)
      ? new CorruptMirrorError(`the copy of object ${oid} on disk is damaged`)
      : new NotFoundError(`object ${oid} does not exist in the repository`)
  }

  #ask(command: 'info' | 'contents', expression: string): Promise<BatchAnswer> {
    if (expression === '' || expression.length > 8192 || /\p{Cc}/u.test(expression)) {
      throw new InvalidInputError(`${JSON.stringify(expression.slice(0, 100))} names no git object`)
    }
    const { promise, resolve, reject } = Promise.withResolvers<BatchAnswer>()
    this.#send({ line: `${command} ${expression}\n`, attempts: 0, resolve, reject })
    return promise
  }

  #send(request: Request): void {
    const batch = (this.#batch ??= this.#start())
    clearTimeout(this.#idle)
    if (this.#pending.length === 0) batch.child?.setReferenced(true)
    this.#pending.push(request)
    if (batch.child) sendTogether(batch, batch.child, request.line)
  }

  #start(): Batch {
    const batch: Batch = { started: Promise.resolve(), child: undefined, stderr: '', unsent: '' }
    batch.started = this.#connect(batch).catch((error: unknown) => this.#died(batch, error))
    return batch
  }

  async #connect(batch: Batch): Promise<void> {
    await this.#held
    const child = await startChild({
      command: 'git',
      args: ['cat-file', '--batch-command'],
      cwd: this.#gitDirectory,
      environment: gitEnvironment({ gitDirectory: this.#gitDirectory }),
      leadsGroup: false,
      label: 'git cat-file',
    })
    batch.child = child
    const parser = new BatchParser(
      () => this.#pending[0]?.line.startsWith('contents ') ?? false,
      (answer) => {
        if (this.#batch === batch) this.#answered(child, answer)
      },
    )
    child.stdout.on('data', (chunk: Buffer) => parser.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      batch.stderr = (batch.stderr + chunk.toString()).slice(-4096)
    })
    const died = ({ exitCode }: ProgramEnd): void => this.#died(batch, exitCode)
    child.closed.then(died, (error: unknown) => this.#died(batch, error))
    // What was asked while it started; all of it is for this process, as another one has not been started.
    if (this.#batch === batch) child.stdin.write(this.#pending.map(({ line }) => line).join(''))
  }

  #answered(child: StartedProgram, answer: BatchAnswer): void {
    this.#pending.shift()?.resolve(answer)
    if (this.#pending.length > 0) return
    child.setReferenced(false)
    this.#idle = setTimeout(() => {
      if (this.#pending.length > 0 || this.#batch?.child !== child) return
      this.#batch = undefined
      child.stdin.end()
    }, idleMs).unref()
  }

  /** The request at the head is the one that the process died on; those behind it did nothing wrong. */
  #died(batch: Batch, cause: unknown): void {
    if (this.#batch !== batch) return
    this.#batch = undefined
    const [head, ...others] = this.#pending.splice(0)
    if (head === undefined) return
    head.attempts += 1
    if (batch.child === undefined) {
      head.reject(cause)
    } else if (head.attempts > 1) {
      const exitCode = typeof cause === 'number' ? cause : null
      head.reject(classifyGitFailure(batch.stderr, exitCode, { command: 'cat-file' }))
    } else {
      this.#send(head)
    }
    for (const request of others) this.#send(request)
  }
}

/** Requests of one moment are one write, as each write is a call of the system. */
function sendTogether(batch: Batch, { stdin }: StartedProgram, line: string): void {
  if (batch.unsent === '') {
    process.nextTick(() => {
      // The reader may have been closed at the same moment.
      if (stdin.writable) stdin.write(batch.unsent)
      batch.unsent = ''
    })
  }
  batch.unsent += line
}
