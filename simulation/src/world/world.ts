// It replaces functions of Node that other modules take at their start.
import { enterWorld } from '../virtual/virtual-node.ts'
import { EndCheck } from '../checks/check-end.ts'
import { checkMoves } from '../checks/check-moves.ts'
import { checkRecord } from '../checks/check-record.ts'
import { Ledger } from '../checks/ledger.ts'
import { actorNamed, type Beyond, Mesh } from '../mesh/mesh.ts'
import { GitServer, type RefMove } from '../models/git/git-server.ts'
import { QueueServer } from '../models/queue/queue-server.ts'
import { StoreServer } from '../models/store/store-server.ts'
import { Network } from '../virtual/network.ts'
import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import { type Choices, randomChoices, Scheduler, type Step } from '../virtual/scheduler.ts'
import { VirtualDisk } from '../virtual/virtual-disk.ts'
import { happen, type Stage } from './happen.ts'
import { applicationObject, settingsObject } from './objects.ts'
import { calmWorld, type Happening, processesOf, type WorldPlan } from './plan.ts'
import { Weather } from './weather.ts'

/** The end of a world. */
export interface WorldEnd {
  /** The broken promises, as sentences; none if all held. */
  readonly problems: readonly string[]
  readonly steps: number
  /** The virtual time, in milliseconds. */
  readonly milliseconds: number
}

/** Hears of everything in a world: a step, a log line, a happening. */
export type Observer = (milliseconds: number, actor: string, text: string) => void

/** The virtual time that a world has to come to rest after the last disturbance, in milliseconds. */
const restMs = 40 * 60_000
const maxSteps = 200_000

/** One world: a mesh between models, what happens to it, and what must hold meanwhile. */
class World {
  readonly #plan: WorldPlan
  readonly #observe: Observer
  readonly #random: Random
  readonly #scheduler: Scheduler
  readonly #beyond: Beyond
  readonly #ledger: Ledger
  readonly #endCheck: EndCheck
  readonly #stage: Stage
  readonly #problems: string[] = []
  /** The faults that come to processes after some more of their steps. */
  readonly #deferred: { name: string; steps: number; act: () => void }[] = []
  #moves: RefMove[] = []
  /** The time from which nothing disturbs it. */
  #calmAt = 0

  constructor(plan: WorldPlan, choices: Choices, observe: Observer) {
    this.#plan = plan
    this.#observe = observe
    this.#random = randomOf(seedFor(plan.seed, 'chance'))
    const actors = { git: actorNamed('git'), redis: actorNamed('redis'), store: actorNamed('store') }
    this.#scheduler = new Scheduler(choices, actors.git, (step) => this.#afterStep(step))
    const git = new GitServer((move) => this.#moved(move))
    git.isAtomic = plan.isAtomic
    const redis = new QueueServer(() => this.#scheduler.now)
    this.#ledger = new Ledger(git, plan)
    const store = new StoreServer((object) => this.#problems.push(...checkRecord(this.#ledger, object)))
    this.#beyond = { git, redis, store, actors }
    this.#endCheck = new EndCheck(this.#ledger, this.#beyond)
    const weather = new Weather(this.#scheduler, randomOf(seedFor(plan.seed, 'weather')))
    const names = processesOf(plan)
    const mesh = new Mesh({
      scheduler: this.#scheduler,
      network: new Network(this.#scheduler, weather.fate),
      fate: weather.fate,
      beyond: this.#beyond,
      reads: plan.reads,
      areAllKnown: plan.areAllKnown,
      holdMs: plan.holdMs,
      hydrators: names.filter((name) => name.startsWith('hydrator')),
      commitServers: names.filter((name) => name.startsWith('commit-server')),
    })
    this.#stage = {
      scheduler: this.#scheduler,
      random: this.#random,
      weather,
      beyond: this.#beyond,
      mesh,
      ledger: this.#ledger,
      disk: new VirtualDisk(this.#scheduler),
      restartAfter: (name, milliseconds) => {
        this.#scheduler.after(milliseconds, actors.git, `${name} is started again`, () => mesh.start(name))
      },
      afterSteps: (name, steps, act) => void this.#deferred.push({ name, steps, act }),
    }
  }

  /** Lives until all is as it must be or something is wrong. */
  async live(): Promise<WorldEnd> {
    await using _ = enterWorld({
      scheduler: this.#scheduler,
      random: this.#random,
      disk: this.#stage.disk,
      log: (line) => this.#logged(line),
    })
    const failed = (error: unknown): void => void this.#problems.push(`a process ends: ${stackOf(error)}`)
    process.on('unhandledRejection', failed)
    try {
      this.#begin()
      while (this.#problems.length === 0 && (await this.#continues()));
    } finally {
      process.off('unhandledRejection', failed)
    }
    const { steps, now } = this.#scheduler
    return { problems: this.#problems, steps, milliseconds: now }
  }

  #begin(): void {
    const { beyond, mesh } = this.#stage
    const all = this.#plan.applications.map(({ name }) => name)
    happen(this.#stage, { kind: 'dry commit', changes: all, isAnnounced: false, isBroken: false })
    beyond.store.create(settingsObject(this.#plan))
    for (const application of this.#plan.applications) beyond.store.create(applicationObject(application))
    for (const name of ['repo-server', ...processesOf(this.#plan)]) mesh.start(name)
    const { happenings } = this.#plan
    const calmAt = Math.max(0, ...happenings.map(({ at, happening }) => at + durationOf(happening))) + 1_000
    // What others changed or what was refused waits for the next dry commit.
    const last = { kind: 'dry commit', changes: all, isAnnounced: false, isBroken: false } as const
    const isDone = happenings.every(({ happening }) => ['dry commit', 'crash'].includes(happening.kind))
    for (const { at, happening } of isDone ? happenings : [...happenings, { at: calmAt, happening: last }]) {
      this.#scheduler.after(at, beyond.actors.git, happening.kind, () => {
        this.#observe(this.#scheduler.now, 'world', describe(happening))
        happen(this.#stage, happening)
      })
    }
    this.#calmAt = calmAt
  }

  /** Takes a step; false when the world is at rest, or had the time for it. */
  async #continues(): Promise<boolean> {
    const { now, steps } = this.#scheduler
    if (now > this.#calmAt) {
      const missing = this.#endCheck.problems()
      if (missing.length === 0) return false
      const isOver = now > this.#calmAt + restMs || steps > maxSteps
      if (isOver) this.#problems.push(...missing.map((problem) => `at the end, ${problem}`))
      if (isOver) return false
    }
    return this.#scheduler.step()
  }

  #afterStep({ actor, label, isTimer }: Step): void {
    if (!isTimer) this.#observe(this.#scheduler.now, actor.name, label)
    const moves = this.#moves
    this.#moves = []
    if (moves.length > 0) this.#problems.push(...checkMoves(this.#ledger, moves))
    for (const deferred of this.#deferred.filter(({ name }) => name === actor.name)) {
      if (deferred.steps-- > 0) continue
      this.#deferred.splice(this.#deferred.indexOf(deferred), 1)
      this.#observe(this.#scheduler.now, 'world', `now it happens to ${actor.name}`)
      deferred.act()
    }
  }

  #moved(move: RefMove): void {
    this.#ledger.moved(move)
    this.#moves.push(move)
    const { ref, from = 'nothing', to = 'nothing', isOwn } = move
    const who = isOwn ? 'Wadi' : 'somebody'
    this.#observe(
      this.#scheduler.now,
      'git',
      `${who} moves ${ref} from ${from.slice(0, 7)} to ${to.slice(0, 7)}`,
    )
  }

  #logged(line: string): void {
    const { msg, ...rest }: { msg?: string } = JSON.parse(line)
    const { time: _time, service: _service, ...shown } = { time: '', service: '', ...rest }
    const text = `logs "${msg ?? ''}" ${JSON.stringify(shown)}`
    this.#observe(this.#scheduler.now, this.#scheduler.current.name, text)
  }
}

let warmedUp: Promise<unknown> | undefined

/** Lets a world live. */
export async function liveWorld(
  plan: WorldPlan,
  observe: Observer = () => undefined,
  choices: Choices = randomChoices(randomOf(seedFor(plan.seed, 'order'))),
): Promise<WorldEnd> {
  // Modules that are loaded when they are first needed are read from a disk that is not the world's, so a first world needs them all.
  warmedUp ??= new World(calmWorld, randomChoices(randomOf(0)), () => undefined).live()
  await warmedUp
  return new World(plan, choices, observe).live()
}

/** For so long a happening disturbs a world, in milliseconds. */
function durationOf(happening: Happening): number {
  if (happening.kind === 'clock') return 0
  if ('milliseconds' in happening) return happening.milliseconds
  return happening.kind === 'crash' ? happening.downMs : 0
}

function describe({ kind, ...details }: Happening): string {
  return `${kind} ${JSON.stringify(details)}`
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
