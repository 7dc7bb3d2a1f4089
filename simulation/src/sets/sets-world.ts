// It replaces functions of Node that other modules take at their start.
import { enterWorld } from '../virtual/virtual-node.ts'
import { actorNamed } from '../mesh/mesh.ts'
import { processBase } from '../mesh/service-process.ts'
import { storeOf } from '../mesh/store-of.ts'
import { StoreServer } from '../models/store/store-server.ts'
import { Network } from '../virtual/network.ts'
import { randomOf, seedFor } from '../virtual/random.ts'
import { type Actor, randomChoices, Scheduler } from '../virtual/scheduler.ts'
import { VirtualDisk } from '../virtual/virtual-disk.ts'
import { Weather } from '../world/weather.ts'
import type { Observer, WorldEnd } from '../world/world.ts'
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

const restMs = 20 * 60_000
/** The last set that a user applies, again and again until it is accepted. */
const last = { mark: 'last', user: 'anna', size: 4 } as const

/** Two replicas of appset-service that both take the one set for theirs, users who apply it, and an operator who edits it. */
class SetsWorld {
  readonly #plan: SetsPlan
  readonly #observe: Observer
  readonly #store = new StoreServer()
  readonly #ledger = new SetLedger()
  readonly #actors = { store: actorNamed('store') }
  readonly #scheduler: Scheduler
  readonly #weather: Weather
  readonly #running = new Map<string, { actor: Actor; process?: SetsProcess }>()
  #marks = 0

  constructor(plan: SetsPlan, observe: Observer) {
    this.#plan = plan
    this.#observe = observe
    const choices = randomChoices(randomOf(seedFor(plan.seed, 'order')))
    this.#scheduler = new Scheduler(choices, this.#actors.store, ({ actor, label, isTimer }, now) => {
      if (!isTimer) observe(now, actor.name, label)
    })
    this.#weather = new Weather(this.#scheduler, randomOf(seedFor(plan.seed, 'weather')))
  }

  async live(): Promise<WorldEnd> {
    const { problems } = this.#ledger
    await using _ = enterWorld({
      scheduler: this.#scheduler,
      random: randomOf(seedFor(this.#plan.seed, 'chance')),
      disk: new VirtualDisk(this.#scheduler),
      log: (line) => this.#observe(this.#scheduler.now, this.#scheduler.current.name, `logs ${line.trim()}`),
    })
    const failed = (error: unknown): void => void problems.push(`a process ends: ${String(error)}`)
    process.on('unhandledRejection', failed)
    try {
      const calmAt = this.#begin()
      while (problems.length === 0 && !this.#isDone(calmAt) && (await this.#scheduler.step()));
    } finally {
      process.off('unhandledRejection', failed)
    }
    return { problems, steps: this.#scheduler.steps, milliseconds: this.#scheduler.now }
  }

  #begin(): number {
    for (const object of accessObjects()) this.#store.create(object)
    this.#store.follow('ApplicationSet', undefined, (event) => this.#ledger.setChanged(event))
    this.#store.follow('Application', undefined, (event) => this.#ledger.applicationChanged(event))
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
    this.#applyOn(replicas[0], set, last.user, () => {
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
    const running: { actor: Actor; process?: SetsProcess } = { actor }
    this.#running.set(replica, running)
    this.#scheduler.after(0, actor, 'starts', () => {
      const store = storeOf(actor, {
        scheduler: this.#scheduler,
        network: new Network(this.#scheduler, this.#weather.fate),
        reads: this.#plan.reads,
        beyond: { store: this.#store, actors: this.#actors },
      })
      startSetsProcess(processBase(actor, 'appset-service'), store).then(
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
        const { user, size, replica } = happening
        const mark = `${user}-${++this.#marks}`
        this.#ledger.mark(mark, projectOf[user])
        return this.#applyOn(replica, setOf(mark, projectOf[user], size), user)
      }
      case 'edit': {
        const stored = this.#store.get('ApplicationSet', 'argocd', 'set')
        const { spec } = setOf(`edit-${++this.#marks}`, happening.project, happening.size)
        if (stored && spec) this.#store.update({ ...stored, spec })
        return undefined
      }
      case 'crash': {
        const { replica, downMs } = happening
        const { actor } = this.#running.get(replica) ?? {}
        if (actor) this.#scheduler.kill(actor)
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
    }
  }

  #applyOn(
    replica: string,
    set: ReturnType<typeof setOf>,
    user: string,
    failed = (): void => undefined,
  ): void {
    const { actor, process } = this.#running.get(replica) ?? {}
    if (!actor || !process) return failed()
    this.#scheduler.deliver(actor, `${user} applies the set`, () => {
      process.apply(set, user).catch((error: unknown) => {
        this.#observe(this.#scheduler.now, actor.name, `${user} is answered: ${String(error)}`)
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
