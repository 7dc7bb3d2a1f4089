import { create } from '@bufbuild/protobuf'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import {
  type Run,
  type RunDirectory,
  RunDirectorySchema,
  type RunEvent,
  RunSchema,
  type RunSource,
  type RunStep,
  RunStepSchema,
} from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import type { Directory } from '../branch-run.ts'
import type { DirectoryErrors } from '../directory-errors.ts'

const maxSteps = 100
const maxDirectories = 100
const maxEvents = 20
const maxTextLength = 2_000

/** The part of a rendered directory that is logged. */
interface LoggedDirectory {
  directory: Directory
  error: string
  cached: boolean
}

/** The log of a run that is under way. */
export class ActiveRun {
  readonly #started = performance.now()
  readonly #startedAt = new Date()
  readonly #queuedMs: number
  readonly #steps: RunStep[] = []
  readonly #directories = new Map<string, RunDirectory>()
  readonly #events: RunEvent[] = []
  #total = 0
  #hasCommitted = false

  /** @param queuedMs how long the branch waited in the queue; undefined if that is not known */
  constructor(queuedMs: number | undefined) {
    this.#queuedMs = Math.round(queuedMs ?? 0)
  }

  /** True once there is something to tell, even if no manifests changed. */
  get hasEvents(): boolean {
    return this.#events.length > 0
  }

  /** True once it is known that there is something to do. */
  get hasBegun(): boolean {
    return this.#steps.length > 1
  }

  /** True once a commit changed manifests. */
  get hasCommitted(): boolean {
    return this.#hasCommitted
  }

  /** Takes a step of the run. @param drySha empty for a step of the branch */
  async step<Output>(name: string, drySha: string, work: () => Promise<Output>): Promise<Output> {
    const begun = performance.now()
    const afterMilliseconds = Math.round(begun - this.#started)
    const step = create(RunStepSchema, { name, drySha, afterMilliseconds, milliseconds: -1 })
    this.#steps.push(step)
    if (this.#steps.length > maxSteps) this.#steps.shift()
    try {
      return await work()
    } catch (error) {
      step.error = shortText(errorMessage(error))
      throw error
    } finally {
      step.milliseconds = Math.round(performance.now() - begun)
    }
  }

  /** Adds the directories of a group that has something to do. */
  expects(directories: number): void {
    this.#total += directories
  }

  /** Notes the errors of Applications that are not rendered. */
  rejected(drySha: string, { failures }: DirectoryErrors, directories: readonly Directory[]): void {
    for (const { application, message } of failures) {
      const isOf = ({ members }: Directory) => members.some(({ name }) => name === application)
      const path = directories.find(isOf)?.path ?? ''
      // Each dry commit of a run rejects again.
      const applications = new Set(this.#directories.get(path)?.applications).add(application)
      this.#put({
        path,
        applications: [...applications],
        result: 'failed',
        error: shortText(message),
        drySha,
      })
    }
  }

  /** Passes rendered directories on and notes each. */
  async *watched<Rendered extends LoggedDirectory>(
    drySha: string,
    rendered: AsyncIterable<Rendered>,
  ): AsyncGenerator<Rendered> {
    for await (const one of rendered) {
      const { directory, error, cached } = one
      const { path, members } = directory
      const applications = members.map(({ name }) => name)
      const result = error !== '' ? 'failed' : cached ? 'cached' : 'rendered'
      this.#put({ path, applications, result, error: shortText(error), drySha })
      yield one
    }
  }

  /** Notes which directories a commit changed. */
  committed(changedPaths: readonly string[]): void {
    this.#hasCommitted ||= changedPaths.length > 0
    for (const path of changedPaths) {
      const directory = this.#directories.get(path)
      if (directory) directory.isChanged = true
    }
  }

  event(event: RunEvent): void {
    this.#events.push(event)
    if (this.#events.length > maxEvents) this.#events.shift()
  }

  /** Returns the run as it is now. */
  record(ended: Pick<Run, 'outcome' | 'message' | 'isHard' | 'hydratedSha'> & { sources: RunSource[] }): Run {
    const all = [...this.#directories.values()].toSorted((one, other) => rankOf(one) - rankOf(other))
    const count = (result: string) => all.filter((directory) => directory.result === result).length
    return create(RunSchema, {
      ...ended,
      id: this.#startedAt.getTime().toString(36),
      message: shortText(ended.message),
      startedAt: this.#startedAt.toISOString(),
      milliseconds: Math.round(performance.now() - this.#started),
      queuedMilliseconds: this.#queuedMs,
      steps: this.#steps,
      total: this.#total,
      rendered: count('rendered'),
      cached: count('cached'),
      failed: count('failed'),
      skipped: Math.max(0, this.#total - all.length),
      directories: all.slice(0, maxDirectories),
      directoriesLeftOut: Math.max(0, all.length - maxDirectories),
      events: this.#events,
    })
  }

  #put(directory: Omit<RunDirectory, '$typeName' | 'isChanged'>): void {
    this.#directories.set(directory.path, create(RunDirectorySchema, directory))
  }
}

function rankOf({ result, isChanged }: RunDirectory): number {
  if (result === 'failed') return 0
  return isChanged ? 1 : 2
}

function shortText(text: string): string {
  return shortened(text, maxTextLength)
}
