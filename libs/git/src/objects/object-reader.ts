import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import path from 'node:path'
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
import { startChild, startFailure } from '../process/start-child.ts'

/** A whole object. */
export type GitObject = { type: ObjectType; bytes: Buffer }

type Request = {
  line: string
  attempts: number
  resolve: (answer: BatchAnswer) => void
  reject: (error: unknown) => void
}

type Batch = { child: ChildProcessWithoutNullStreams; stderr: string }

const label = 'git cat-file'
const idleMs = 30_000

/**
 * Reads objects of one repository through one `git cat-file --batch-command` that stays alive between reads.
 *
 * Requests are pipelined. A process that dies is started again, and each request is given two tries. After 30 s
 * without a request the process ends; it never keeps this process from exiting.
 */
export class ObjectReader implements AsyncDisposable {
  readonly #gitDirectory: string
  #batch: Batch | undefined
  #pending: Request[] = []
  #idle: NodeJS.Timeout | undefined

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

  /** Ends the process; a later request starts a new one. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const batch = this.#batch
    this.#batch = undefined
    for (const request of this.#pending.splice(0)) request.reject(new CanceledError('the reader was closed'))
    if (batch === undefined || batch.child.exitCode !== null || batch.child.signalCode !== null) return
    const ended = once(batch.child, 'close')
    setReferenced(batch.child, true)
    batch.child.kill('SIGTERM')
    await ended
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
    let batch: Batch
    try {
      batch = this.#batch ??= this.#start()
    } catch (error) {
      request.reject(error)
      return
    }
    clearTimeout(this.#idle)
    if (this.#pending.length === 0) setReferenced(batch.child, true)
    this.#pending.push(request)
    batch.child.stdin.write(request.line)
  }

  #start(): Batch {
    const child = startChild({
      command: 'git',
      args: ['cat-file', '--batch-command'],
      cwd: this.#gitDirectory,
      environment: gitEnvironment({ gitDirectory: this.#gitDirectory }),
      detached: false,
      label,
    })
    const batch: Batch = { child, stderr: '' }
    const parser = new BatchParser(
      () => this.#pending[0]?.line.startsWith('contents ') ?? false,
      (answer) => {
        if (this.#batch === batch) this.#answered(batch, answer)
      },
    )
    child.stdout.on('data', (chunk: Buffer) => parser.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      batch.stderr = (batch.stderr + chunk.toString()).slice(-4096)
    })
    // The end of the process is reported by `close`; a write that comes too late adds nothing to it.
    child.stdin.on('error', () => undefined)
    child.once('error', (error) => this.#died(batch, error))
    child.once('close', (code) => this.#died(batch, code))
    return batch
  }

  #answered(batch: Batch, answer: BatchAnswer): void {
    this.#pending.shift()?.resolve(answer)
    if (this.#pending.length > 0) return
    setReferenced(batch.child, false)
    this.#idle = setTimeout(() => {
      if (this.#pending.length > 0 || this.#batch !== batch) return
      this.#batch = undefined
      batch.child.stdin.end()
    }, idleMs).unref()
  }

  /** The request at the head is the one that the process died on; those behind it did nothing wrong. */
  #died(batch: Batch, cause: Error | number | null): void {
    if (this.#batch !== batch) return
    this.#batch = undefined
    const [head, ...others] = this.#pending.splice(0)
    if (head === undefined) return
    head.attempts += 1
    if (cause instanceof Error) {
      head.reject(startFailure(label, cause))
    } else if (head.attempts > 1) {
      head.reject(classifyGitFailure(batch.stderr, cause, { command: 'cat-file' }))
    } else {
      this.#send(head)
    }
    for (const request of others) this.#send(request)
  }
}

function setReferenced(child: ChildProcessWithoutNullStreams, referenced: boolean): void {
  const streams = [child.stdin, child.stdout, child.stderr]
  for (const handle of [child, ...streams.filter((stream) => stream instanceof Socket)]) {
    if (referenced) handle.ref()
    else handle.unref()
  }
}
