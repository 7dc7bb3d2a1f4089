// It replaces functions of Node that other modules take at their start.
import { liveInWorld, type Observer, type WorldEnd } from './live-in-world.ts'
import { ForgeCheck } from '../checks/check-forge.ts'
import { EndCheck } from '../checks/check-end.ts'
import { checkMoves } from '../checks/check-moves.ts'
import { checkRecord } from '../checks/check-record.ts'
import { Ledger } from '../checks/ledger.ts'
import { keptIn } from '../mesh/kept-objects.ts'
import { type Beyond, beyondActors, Mesh } from '../mesh/mesh.ts'
import { ForgeServer } from '../models/forge/forge-server.ts'
import { GitServer, type RefMove } from '../models/git/git-server.ts'
import { QueueServer } from '../models/queue/queue-server.ts'
import { Network } from '../virtual/network.ts'
import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import { type Choices, randomChoices, Scheduler, type Step } from '../virtual/scheduler.ts'
import { VirtualDisk } from '../virtual/virtual-disk.ts'
import { happen, type Stage } from './happen.ts'
import { applicationObject, settingsObject } from './objects.ts'
import type { Happening } from './happening.ts'
import { processesOf, warmUpWorld, type WorldPlan } from './plan.ts'
import { Weather } from './weather.ts'

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
  readonly #forgeCheck: ForgeCheck
  readonly #stage: Stage
  readonly #problems: string[] = []
  /** The faults that come to processes after some more of their steps. */
  readonly #deferred: { name: string; steps: number; act: () => void }[] = []
  #moves: RefMove[] = []
  #rounds = 0
  /** The time from which nothing disturbs it. */
  #calmAt = 0

  constructor(plan: WorldPlan, choices: Choices, observe: Observer) {
    this.#plan = plan
    this.#observe = observe
    this.#random = randomOf(seedFor(plan.seed, 'chance'))
    const actors = beyondActors()
    this.#scheduler = new Scheduler(choices, actors.git, (step) => this.#afterStep(step))
    const git = new GitServer((move) => this.#moved(move))
    git.isAtomic = plan.isAtomic
    const redis = new QueueServer(() => this.#scheduler.now)
    this.#ledger = new Ledger(git, plan)
    const weather = new Weather(this.#scheduler, randomOf(seedFor(plan.seed, 'weather')))
    const network = new Network(this.#scheduler, weather.fate)
    const way = { scheduler: this.#scheduler, network, fate: weather.fate, actor: actors.store }
    const kept = keptIn(plan.objects, way)
    for (const kind of ['HydratedBranch', 'Application']) {
      kept.objects.onChange(kind, ({ resource }) => {
        this.#problems.push(...checkRecord(this.#ledger, resource))
      })
    }
    kept.objects.onChange('HydratedBranch', ({ resource }) => this.#forgeCheck.recorded(resource))
    const forge = new ForgeServer(git, (asked) => this.#problems.push(...this.#forgeCheck.afterWrite(asked)))
    this.#beyond = { git, redis, store: kept.objects, forge, actors }
    this.#forgeCheck = new ForgeCheck(this.#ledger, forge)
    this.#endCheck = new EndCheck(this.#ledger, this.#beyond, this.#forgeCheck)
    const names = processesOf(plan)
    const mesh = new Mesh({
      scheduler: this.#scheduler,
      network,
      fate: weather.fate,
      renderFate: weather.renderFate,
      beyond: this.#beyond,
      kept,
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
      forgeCheck: this.#forgeCheck,
      disk: new VirtualDisk(this.#scheduler),
      cluster: kept.cluster,
      restartAfter: (name, milliseconds) => {
        this.#scheduler.after(milliseconds, actors.git, `${name} is started again`, () => mesh.start(name))
      },
      afterSteps: (name, steps, act) => void this.#deferred.push({ name, steps, act }),
    }
  }

  /** Lives until all is as it must be or something is wrong. */
  async live(): Promise<WorldEnd> {
    const end = await liveInWorld({
      scheduler: this.#scheduler,
      random: this.#random,
      disk: this.#stage.disk,
      observe: this.#observe,
      problems: this.#problems,
      begin: () => this.#begin(),
      isOver: () => this.#isOver(),
    })
    return { ...end, rounds: this.#rounds }
  }

  #begin(): void {
    const { beyond, mesh } = this.#stage
    const all = this.#plan.applications.map(({ name }) => name)
    happen(this.#stage, { kind: 'dry commit', changes: all, isAnnounced: false, isBroken: false })
    beyond.store.create(settingsObject(this.#plan))
    for (const application of this.#plan.applications) {
      const base = application.promotion && `refs/heads/${application.promotion.base}`
      if (base !== undefined && !beyond.git.refs.has(base)) beyond.git.move(base, emptyCommit(beyond.git))
      beyond.store.create(applicationObject(application))
    }
    for (const name of ['repo-server', ...processesOf(this.#plan)]) mesh.start(name)
    this.#beginRound(this.#plan.happenings)
  }

  /** Lets things happen from now on. */
  #beginRound(happenings: WorldPlan['happenings']): void {
    const { beyond } = this.#stage
    const changes = this.#plan.applications.map(({ name }) => name)
    const calmAt = Math.max(0, ...happenings.map(({ at, happening }) => at + durationOf(happening))) + 1_000
    // What others changed or what was refused waits for the next dry commit.
    const last = { kind: 'dry commit', changes, isAnnounced: false, isBroken: false } as const
    const isDone = happenings.every(({ happening }) => ['dry commit', 'crash'].includes(happening.kind))
    this.#deferred.length = 0
    this.#rounds++
    for (const { at, happening } of isDone ? happenings : [...happenings, { at: calmAt, happening: last }]) {
      this.#scheduler.after(at, beyond.actors.git, happening.kind, () => {
        this.#observe(this.#scheduler.now, 'world', describe(happening))
        happen(this.#stage, happening)
      })
    }
    this.#calmAt = this.#scheduler.now + calmAt
  }

  /** True when the world is at rest after its last round, or had the time for it. */
  #isOver(): boolean {
    const { now, steps } = this.#scheduler
    if (now <= this.#calmAt) return false
    const missing = this.#endCheck.problems()
    const next = missing.length === 0 ? this.#plan.later?.[this.#rounds - 1] : undefined
    if (next) this.#beginRound(next)
    if (missing.length === 0) return next === undefined
    const isLate = now > this.#calmAt + restMs || steps > maxSteps
    if (isLate) this.#problems.push(...missing.map((problem) => `at the end, ${problem}`))
    return isLate
  }

  #afterStep({ actor, label, isTimer }: Step): void {
    if (!isTimer) this.#observe(this.#scheduler.now, actor.name, label)
    if (this.#moves.length > 0) {
      this.#problems.push(...checkMoves(this.#ledger, this.#moves))
      this.#moves = []
    }
    if (this.#deferred.length === 0) return
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
}

let warmedUp: Promise<unknown> | undefined

/** Lets a world live. */
export async function liveWorld(
  plan: WorldPlan,
  observe: Observer = () => undefined,
  choices: Choices = randomChoices(randomOf(seedFor(plan.seed, 'order'))),
): Promise<WorldEnd> {
  // Modules that are loaded when they are first needed are read from a disk that is not the world's, so a first world needs them all.
  warmedUp ??= new World(warmUpWorld(), randomChoices(randomOf(0)), () => undefined).live()
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

/** The commit that a branch begins with to which something is promoted. */
function emptyCommit(git: GitServer): string {
  return git.commit(undefined, { 'README.md': 'Deployed from here.\n' }, { message: 'First', seconds: 0 })
}
