import { setTimeout as delay } from 'node:timers/promises'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { policyConfigMap } from '@wadi/rbac/decide/live-policy.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceEvent } from '@wadi/resources/store/resource-store.ts'
import { watchKinds } from '@wadi/resources/store/watch-kinds.ts'
import type { AppsetServiceContext } from '../context.ts'
import { KnownObjects, type NotedChange } from './known-objects.ts'
import { type KnownSet, readsRepository, usesConfigMap, withObserved } from './known-sets.ts'
import { isAskedBy } from './query-subjects.ts'
import { PassScheduler } from './pass-scheduler.ts'
import { reconcileSet, type SetPass } from './reconcile-set.ts'

/** Keeps the Applications of all stored sets what the sets generate, until it is disposed. */
export interface Reconciler extends AsyncDisposable {
  /** Makes all sets that read a repository generate again soon, asking the repository; returns their number. */
  refreshRepository(url: string): number
  /** Has a set generate again as soon as there is room. */
  reconcileNow(namespace: string, name: string): void
}

/** The pace of a reconciler. */
interface ReconcilerPace {
  /** Milliseconds from a change to the pass that it makes, so that changes which come together make one. */
  quietMs: number
  /** Milliseconds from the first failed pass to the next one; twice as many after each further one. */
  firstRetryMs: number
  /** Milliseconds from any failed pass to the next one, at most. */
  maxRetryMs: number
  /** Milliseconds after which a set of another replica is asked for again, as that one may be gone. */
  takeOverMs: number
  /** Passes at the same time. */
  atOnce: number
}

const defaultPace: ReconcilerPace = {
  quietMs: 300,
  firstRetryMs: 1_000,
  maxRetryMs: 180_000,
  takeOverMs: 10_000,
  atOnce: 4,
}

/** Maximum by which timers fire early, so that due work is due when they end. */
const timerSlackMs = 5

const watchedKinds = ['ApplicationSet', 'Application', 'AppProject', 'ConfigMap', 'Secret'].map((kind) => ({
  kind,
}))

/** Starts with a pass over every set that is stored, and so finds everything that was left undone before. */
export function startReconciler(
  context: AppsetServiceContext,
  pace: Partial<ReconcilerPace> = {},
): Reconciler {
  return new SetReconciler(context, { ...defaultPace, ...pace })
}

class SetReconciler implements Reconciler {
  readonly #context: AppsetServiceContext
  readonly #pace: ReconcilerPace
  readonly #end = new AbortController()
  readonly #scheduler: PassScheduler
  readonly #objects = new KnownObjects()
  readonly #sets = new Map<string, KnownSet>()
  readonly #keyByUid = new Map<string, string>()
  readonly #following: Promise<void>

  constructor(context: AppsetServiceContext, pace: ReconcilerPace) {
    this.#context = context
    this.#pace = pace
    this.#scheduler = new PassScheduler((key) => this.#pass(key), pace.atOnce)
    this.#following = this.#follow()
  }

  refreshRepository(url: string): number {
    const repository = repositoryIdentity(url)
    this.#context.inputCache.repositoryChanged(url)
    return this.#requestAll((set) => readsRepository(set, repository))
  }

  reconcileNow(namespace: string, name: string): void {
    this.#scheduler.request(keyOf(namespace, name), 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#scheduler[Symbol.asyncDispose]()
    await this.#following
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      try {
        for await (const event of watchKinds(this.#context.store, watchedKinds, signal)) this.#take(event)
      } catch (error) {
        if (signal.aborted) return
        this.#context.events.watchFailed(error)
        // Deletions are not delivered again, so every set must be reconciled.
        this.#objects.clear()
        await delay(this.#pace.firstRetryMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  #take(event: ResourceEvent): void {
    const change = this.#objects.note(event)
    if (!change) return
    const { kind, metadata } = event.resource
    if (kind === 'ApplicationSet') this.#takeSet(event)
    else if (kind === 'Application') this.#takeApplication(change)
    else if (metadata.namespace !== controlPlaneNamespace) return
    else if (kind === 'AppProject') this.#requestAll(() => true)
    else if (kind === 'ConfigMap') this.#takeConfigMap(metadata.name)
    else if (change.before?.isCluster || change.now?.isCluster) {
      this.#requestAll(({ facts }) => facts?.readsClusters === true)
    }
  }

  #takeSet({ type, resource }: ResourceEvent): void {
    const { namespace = '', name, uid = '' } = resource.metadata
    const key = keyOf(namespace, name)
    const known = this.#sets.get(key)
    if (known && (type === 'deleted' || known.uid !== uid)) {
      this.#sets.delete(key)
      this.#keyByUid.delete(known.uid)
    }
    if (type === 'deleted') {
      this.#scheduler.forget(key)
      return
    }
    if (known?.uid !== uid) this.#sets.set(key, newSet(resource))
    this.#keyByUid.set(uid, key)
    this.#scheduler.request(key, this.#pace.quietMs)
  }

  /** The set that owns an Application creates it again, or finds that it does not own it any more. */
  #takeApplication({ before, now }: NotedChange): void {
    for (const owner of new Set([before?.owner, now?.owner])) {
      const key = this.#keyByUid.get(owner ?? '')
      if (key !== undefined) this.#scheduler.request(key, this.#pace.quietMs)
    }
  }

  #takeConfigMap(name: string): void {
    if (name === policyConfigMap) this.#requestAll(() => true)
    this.#context.inputCache.invalidate((key) => isAskedBy(key, name))
    this.#requestAll((set) => usesConfigMap(set, name))
  }

  #requestAll(isWanted: (set: KnownSet) => boolean): number {
    const wanted = [...this.#sets].filter(([, set]) => isWanted(set))
    for (const [key] of wanted) this.#scheduler.request(key, this.#pace.quietMs)
    return wanted.length
  }

  async #pass(key: string): Promise<number | undefined> {
    const set = this.#sets.get(key)
    if (!set) return undefined
    if (!(await this.#context.ownership.owns(key))) return this.#pace.takeOverMs
    const startedAt = performance.now()
    const { signal } = this.#end
    try {
      const pass = await reconcileSet(this.#context, set, signal)
      if (!pass) return undefined
      this.#report(set, pass)
      return this.#next(key, set, pass, startedAt)
    } catch (error) {
      if (signal.aborted) return undefined
      this.#context.events.reconcileFailed(set, error)
      return this.#retry(key, { ...set, failures: set.failures + 1 })
    }
  }

  #report(set: KnownSet, { changed, error }: SetPass): void {
    const { events } = this.#context
    if (error !== undefined) events.reconcileFailed(set, error)
    else if (changed > 0) events.reconciled(set.name, changed)
  }

  #next(
    key: string,
    set: KnownSet,
    { facts, observed, error }: SetPass,
    startedAt: number,
  ): number | undefined {
    const known = { ...withObserved(set, observed, error !== undefined), facts }
    if (error !== undefined) return this.#retry(key, known)
    this.#remember(key, known)
    const dueAt = [...(facts?.requeueMs ?? [])].map(
      ([kind, milliseconds]) => (observed.oldest.get(kind) ?? startedAt) + milliseconds,
    )
    if (dueAt.length === 0) return undefined
    return Math.max(timerSlackMs, Math.min(...dueAt) - performance.now() + timerSlackMs)
  }

  #retry(key: string, set: KnownSet): number {
    this.#remember(key, set)
    const { firstRetryMs, maxRetryMs } = this.#pace
    return Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(set.failures - 1, 30))
  }

  /** A set that was deleted during the pass, or created again, is not known by it. */
  #remember(key: string, set: KnownSet): void {
    if (this.#sets.get(key)?.uid === set.uid) this.#sets.set(key, set)
  }
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

function newSet({ metadata }: Resource): KnownSet {
  const { namespace = '', name, uid = '' } = metadata
  const nothing = { repositories: new Set<string>(), questions: new Map() }
  return { namespace, name, uid, facts: undefined, ...nothing, failures: 0 }
}
