import { createKeyedLock } from '@wadi/concurrency/keyed-lock.ts'
import { LRUCache } from 'lru-cache'
import type { Run, RunEvent } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import type { RunInProgress } from '../run-outcome.ts'
import { ActiveRun } from './active-run.ts'
import { endOf } from './run-end.ts'
import type { RunHistory } from './run-history.ts'

/** Branches whose last run without changes is kept, in memory alone: a dry commit may have one on every branch. */
const maxUnchanged = 20_000

/** The time between two reports of a run to other hydrators. */
const reportMs = 1_000

/** The log of the runs of this hydrator, for people: what nothing depends on. */
export class RunLog {
  readonly #history: RunHistory
  readonly #active = new Map<string, ActiveRun>()
  readonly #queued = new Map<string, number>()
  /** Runs that are over and not kept yet. */
  readonly #ended = new Map<string, Run>()
  // With `max` the cache would take its whole memory at the start.
  readonly #unchanged = new LRUCache<string, Run>({ maxSize: maxUnchanged, sizeCalculation: () => 1 })
  readonly #reported = new Map<string, number>()
  readonly #telling = createKeyedLock()

  constructor(history: RunHistory) {
    this.#history = history
  }

  /** Notes how long a branch waited in the queue for its next run. */
  waited(key: string, milliseconds: number): void {
    this.#queued.set(key, milliseconds)
  }

  /** Begins the log of a run, which disposal forgets unless it was ended. */
  begin(key: string): ActiveRun & AsyncDisposable {
    const run = new ActiveRun(this.#queued.get(key))
    this.#queued.delete(key)
    this.#active.set(key, run)
    return Object.assign(run, {
      [Symbol.asyncDispose]: async () => {
        if (this.#active.get(key) === run) this.#active.delete(key)
        if (this.#reported.delete(key)) await this.#tell(key, undefined)
      },
    })
  }

  /** Returns the log of the run of a branch that is under way; undefined for what is no run of the queue, such as a comparison. */
  of(key: string): ActiveRun | undefined {
    return this.#active.get(key)
  }

  /** Takes a step of a run. */
  async step<Output>(
    key: string,
    name: string,
    drySha: string,
    work: () => Promise<Output>,
  ): Promise<Output> {
    const run = this.#active.get(key)
    if (!run || !loggedSteps.has(name)) return work()
    this.#report(key, run)
    return run.step(name, drySha, work)
  }

  event(key: string, event: RunEvent): void {
    this.#active.get(key)?.event(event)
  }

  /** Ends the run of a branch, and keeps its log. */
  async end(all: RunInProgress): Promise<void> {
    const { key } = all.run
    const active = this.#active.get(key)
    if (!active) return
    const run = active.record(endOf(all, active.hasCommitted))
    this.#active.delete(key)
    this.#ended.set(key, run)
    const isQuiet = run.outcome === 'Unchanged' && run.directories.length === 0 && !active.hasEvents
    if (isQuiet) this.#unchanged.set(key, run)
    else await this.#history.add(key, run)
    this.#ended.delete(key)
  }

  /** Ends a run that found nothing to do; its log is kept only if something happened to the branch. */
  async endUnchanged(all: RunInProgress): Promise<void> {
    if (this.#active.get(all.run.key)?.hasEvents === true) await this.end(all)
  }

  /** Forgets the runs of a branch that has no Applications any more. */
  async forget(key: string): Promise<void> {
    this.#unchanged.delete(key)
    await this.#history.forget(key)
  }

  /** Returns the newest runs of a branch, the newest first; one under way may be that of a hydrator that has ended since. */
  async list(key: string): Promise<Run[]> {
    const active = this.#active.get(key)
    const own = active?.hasBegun === true ? running(active) : undefined
    const others = [this.#ended.get(key), this.#unchanged.get(key)]
    const { runs, underWay } = await this.#history.read(key)
    const known = [own ?? underWay, ...others].filter((run) => run !== undefined)
    // A run that ends meanwhile is in two places.
    const all = new Map([...known, ...runs].map((run) => [run.id, run]))
    return [...all.values()].toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1))
  }

  /** Tells other hydrators now and then how far a run is. */
  #report(key: string, run: ActiveRun): void {
    const now = performance.now()
    if (now - (this.#reported.get(key) ?? -Infinity) < reportMs) return
    this.#reported.set(key, now)
    void this.#tell(key, running(run))
  }

  /** One report of a branch follows the other: the last one stays. */
  async #tell(key: string, run: Run | undefined): Promise<void> {
    await this.#telling.run(key, () => this.#history.report(key, run))
  }
}

/** The steps that are logged: the others take no time, or are made of logged ones. A commit reads what is rendered. */
const loggedSteps = new Set(['restore', 'validate', 'inspect', 'commit', 'lookBack', 'report'])

function running(run: ActiveRun): Run {
  return run.record({ outcome: 'Running', message: '', isHard: false, hydratedSha: '', sources: [] })
}
