// It replaces functions of Node that other modules take at their start.
import { liveInWorld, type Observer, type WorldEnd } from '../world/live-in-world.ts'
import { appsetServiceObjects } from '@wadi/appset-service/stored-objects.ts'
import type { WorldObjects } from '../models/world-objects.ts'
import { decidedVersion } from '@wadi/resources/decided-version.ts'
import { actorNamed } from '../mesh/mesh.ts'
import { processBase } from '../mesh/service-process.ts'
import { type KeptObjects, keptIn } from '../mesh/kept-objects.ts'
import { Network } from '../virtual/network.ts'
import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import { type Actor, randomChoices, Scheduler } from '../virtual/scheduler.ts'
import { VirtualDisk } from '../virtual/virtual-disk.ts'
import { happenToCluster } from '../world/cluster-happenings.ts'
import { Weather } from '../world/weather.ts'
import {
  accessObjects,
  projectOf,
  replicas,
  type SetHappening,
  setOf,
  type SetsPlan,
} from './planned-sets.ts'
import { SetLedger } from './set-ledger.ts'
import { type SetsProcess, startSetsProcess } from './sets-process.ts'

interface RunningReplica {
  readonly actor: Actor
  readonly gone: AbortController
  process?: SetsProcess
}

const restMs = 20 * 60_000
/** The last set that a user applies, again and again until it is accepted. */
const last = { mark: 'last', user: 'anna', size: 4 } as const

/** Two replicas of appset-service that both take the one set for theirs, users who apply it, and an operator who edits it. */
class SetsWorld {
  readonly #plan: SetsPlan
  readonly #observe: Observer
  readonly #kept: KeptObjects
  readonly #ledger = new SetLedger()
  readonly #actors = { store: actorNamed('store') }
  readonly #scheduler: Scheduler
  readonly #weather: Weather
  readonly #running = new Map<string, RunningReplica>()
  readonly #random: Random
  #marks = 0

  constructor(plan: SetsPlan, observe: Observer) {
    this.#plan = plan
    this.#observe = observe
    this.#random = randomOf(seedFor(plan.seed, 'chance'))
    const choices = randomChoices(randomOf(seedFor(plan.seed, 'order')))
    this.#scheduler = new Scheduler(choices, this.#actors.store, ({ actor, label, isTimer }, now) => {
      if (!isTimer) observe(now, actor.name, label)
    })
    this.#weather = new Weather(this.#scheduler, randomOf(seedFor(plan.seed, 'weather')))
    const { fate } = this.#weather
    const network = new Network(this.#scheduler, fate)
    this.#kept = keptIn(plan.objects, {
      scheduler: this.#scheduler,
      network,
      fate,
      actor: this.#actors.store,
    })
  }

  live(): Promise<WorldEnd> {
    let calmAt = 0
    return liveInWorld({
      scheduler: this.#scheduler,
      random: this.#random,
      disk: new VirtualDisk(this.#scheduler),
      observe: this.#observe,
      problems: this.#ledger.problems,
      begin: () => void (calmAt = this.#begin()),
      isOver: () => this.#isDone(calmAt),
    })
  }

  get #store(): WorldObjects {
    return this.#kept.objects
  }

  #begin(): number {
    for (const object of accessObjects()) this.#store.create(object)
    this.#store.onChange('ApplicationSet', (event) => this.#ledger.setChanged(event))
    this.#store.onChange('Application', (event) => this.#ledger.applicationChanged(event))
    for (const replica of replicas) this.#start(replica)
    const { happenings } = this.#plan
    for (const { at, happening } of happenings) {
      this.#scheduler.after(at, this.#actors.store, happening.kind, () => this.#happen(happening))
    }
    const ends = happenings.map(
      ({ at, happening }) => at + ('milliseconds' in happening ? happening.milliseconds : 5_000),
    )
    const calmAt = Math.max(...ends) + 1_000
    this.#ledger.mark(last.mark, projectOf[last.user])
    this.#scheduler.after(calmAt, this.#actors.store, 'the last set', () => this.#applyLast())
    return calmAt
  }

  #applyLast(): void {
    const set = setOf(last.mark, projectOf[last.user], last.size)
    this.#ledger.end()
    // Whoever may not change the set of somebody else begins a new one.
    const stored = this.#store.get('ApplicationSet', 'argocd', 'set')
    if (stored) this.#store.delete(stored)
    for (const application of this.#store.list('Application')) this.#store.delete(application)
    this.#applyOn(replicas[0], set, { user: last.user, seen: '' }, () => {
      this.#scheduler.after(2_000, this.#actors.store, 'the last set again', () => this.#applyLast())
    })
  }

  #isDone(calmAt: number): boolean {
    const { now } = this.#scheduler
    if (now <= calmAt) return false
    const marks = this.#ledger.marks()
    const isAsWanted = marks.size === last.size && [...marks.values()].every((mark) => mark === last.mark)
    if (isAsWanted) return true
    if (now < calmAt + restMs) return false
    this.#ledger.problems.push(`at the end, the Applications are ${JSON.stringify([...marks])}`)
    return true
  }

  #start(replica: string): void {
    const actor = actorNamed(replica)
    const running: RunningReplica = { actor, gone: new AbortController() }
    this.#running.set(replica, running)
    this.#scheduler.after(0, actor, 'starts', () => {
      const base = processBase(actor, 'appset-service')
      const opened = this.#kept.open(base, running.gone.signal, appsetServiceObjects)
      opened
        .then((store) => startSetsProcess(base, store))
        .then(
          (process) => Object.assign(running, { process }),
          () =>
            this.#scheduler.after(1_000, this.#actors.store, `${replica} starts again`, () =>
              this.#start(replica),
            ),
        )
    })
  }

  #happen(happening: SetHappening): void {
    this.#observe(this.#scheduler.now, 'world', JSON.stringify(happening))
    switch (happening.kind) {
      case 'apply': {
        const { user, size, replica, seenMs } = happening
        const mark = `${user}-${++this.#marks}`
        const stored = seenMs === undefined ? undefined : this.#store.get('ApplicationSet', 'argocd', 'set')
        const seen = stored ? decidedVersion(stored) : ''
        this.#ledger.mark(mark, projectOf[user], seen)
        this.#scheduler.after(seenMs ?? 0, this.#actors.store, `${user} has seen the set`, () => {
          this.#applyOn(replica, setOf(mark, projectOf[user], size), { user, seen })
        })
        return undefined
      }
      case 'edit': {
        const stored = this.#store.get('ApplicationSet', 'argocd', 'set')
        const { spec } = setOf(`edit-${++this.#marks}`, happening.project, happening.size)
        if (stored && spec) this.#store.patch(stored, { spec })
        return undefined
      }
      case 'crash': {
        const { replica, downMs } = happening
        const running = this.#running.get(replica)
        if (running) {
          this.#scheduler.kill(running.actor)
          running.gone.abort()
        }
        this.#scheduler.after(downMs, this.#actors.store, `${replica} is started again`, () =>
          this.#start(replica),
        )
        return undefined
      }
      case 'freeze': {
        const { actor } = this.#running.get(happening.replica) ?? {}
        if (actor) actor.frozenUntil = this.#scheduler.now + happening.milliseconds
        return undefined
      }
      case 'losses':
        return this.#weather.lose(happening.rate, happening.milliseconds)
      case 'partition':
        return this.#weather.part(happening.replica, 'store', happening.milliseconds)
      default:
        if (this.#kept.cluster) happenToCluster(this.#kept.cluster, this.#scheduler, this.#random, happening)
    }
  }

  #applyOn(
    replica: string,
    set: ReturnType<typeof setOf>,
    by: Parameters<SetsProcess['apply']>[1],
    failed = (): void => undefined,
  ): void {
    const { actor, process } = this.#running.get(replica) ?? {}
    if (!actor || !process) return failed()
    this.#scheduler.deliver(actor, `${by.user} applies the set`, () => {
      process.apply(set, by).catch((error: unknown) => {
        this.#observe(this.#scheduler.now, actor.name, `${by.user} is answered: ${String(error)}`)
        failed()
      })
    })
    return undefined
  }
}

/** Lets a world of sets live. */
export async function liveSets(plan: SetsPlan, observe: Observer = () => undefined): Promise<WorldEnd> {
  return new SetsWorld(plan, observe).live()
}
