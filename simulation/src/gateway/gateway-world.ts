// It replaces functions of Node that other modules take at their start.
import { liveInWorld, type Observer, type WorldEnd } from '../world/live-in-world.ts'
import { gatewayObjects } from '@wadi/api-gateway/stored-objects.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { type KeptObjects, keptIn } from '../mesh/kept-objects.ts'
import { actorNamed, beyondActors, Mesh } from '../mesh/mesh.ts'
import { valueFile } from '../mesh/repo-server-model.ts'
import { ForgeServer } from '../models/forge/forge-server.ts'
import { GitServer } from '../models/git/git-server.ts'
import { QueueServer } from '../models/queue/queue-server.ts'
import { Network } from '../virtual/network.ts'
import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import { randomChoices, Scheduler } from '../virtual/scheduler.ts'
import { VirtualDisk } from '../virtual/virtual-disk.ts'
import { happenToCluster } from '../world/cluster-happenings.ts'
import { Weather } from '../world/weather.ts'
import { accessObjects, policyOf, rulesOf } from './access-objects.ts'
import { GatewayLedger } from './gateway-ledger.ts'
import { startGateway } from './gateway-process.ts'
import {
  applications,
  type GatewayHappening,
  type GatewayPlan,
  gateways,
  projects,
  type UserRequest,
  users,
} from './planned-gateway.ts'
import { applicationOf, UserCalls } from './user-calls.ts'

/** The time for which a gateway may not have heard of a change: a file tells soon, a connection to a cluster may have to be found broken first. */
const lagMs = { file: 30_000, cluster: 90_000 } as const
const restMs = 20 * 60_000
const pauseMs = 2_000

/** The requests that must be answered in the end, by every gateway, for the Applications that their users may write. */
const lastRequests = gateways.flatMap((gateway): UserRequest[] => [
  { user: 'anna', gateway, application: 'app-1', action: { kind: 'label', isSeen: false }, thinkMs: 0 },
  { user: 'paul', gateway, application: 'app-2', action: { kind: 'set', isSeen: true }, thinkMs: 0 },
  { user: 'paul', gateway, application: 'app-2', action: { kind: 'move', isSeen: true }, thinkMs: 0 },
])
/** The requests that nobody may have carried out. */
const forbiddenRequests = gateways.flatMap((gateway): UserRequest[] => [
  { user: 'anna', gateway, application: 'app-2', action: { kind: 'label', isSeen: false }, thinkMs: 0 },
  { user: 'paul', gateway, application: 'app-1', action: { kind: 'set', isSeen: false }, thinkMs: 0 },
])

/** Two gateways with one store, a commit-server and a dry repository, users with different rights, and an operator who changes those. */
class GatewayWorld {
  readonly #plan: GatewayPlan
  readonly #observe: Observer
  readonly #random: Random
  readonly #actors = beyondActors()
  readonly #scheduler: Scheduler
  readonly #weather: Weather
  readonly #git = new GitServer((move) => this.#ledger.refMoved(move))
  readonly #kept: KeptObjects
  readonly #ledger: GatewayLedger
  readonly #mesh: Mesh
  readonly #answered = new Set<UserRequest>()
  #firstSha = ''
  #marks = 0
  #lastAt = Infinity

  constructor(plan: GatewayPlan, observe: Observer) {
    this.#plan = plan
    this.#observe = observe
    this.#random = randomOf(seedFor(plan.seed, 'chance'))
    const choices = randomChoices(randomOf(seedFor(plan.seed, 'order')))
    this.#scheduler = new Scheduler(choices, this.#actors.store, ({ actor, label, isTimer }, now) => {
      if (!isTimer) observe(now, actor.name, label)
    })
    const scheduler = this.#scheduler
    this.#ledger = new GatewayLedger(this.#git, () => scheduler.now, lagMs[plan.objects])
    this.#weather = new Weather(scheduler, randomOf(seedFor(plan.seed, 'weather')))
    const { fate, renderFate } = this.#weather
    const network = new Network(scheduler, fate)
    this.#kept = keptIn(plan.objects, { scheduler, network, fate, actor: this.#actors.store })
    const redis = new QueueServer(() => scheduler.now)
    const forge = new ForgeServer(this.#git)
    this.#mesh = new Mesh({
      scheduler,
      network,
      fate,
      renderFate,
      beyond: { git: this.#git, redis, store: this.#kept.objects, forge, actors: this.#actors },
      kept: this.#kept,
      areAllKnown: true,
      holdMs: 30_000,
      hydrators: [],
      commitServers: ['commit-server-1'],
      startOther: async (base, gone, connect) =>
        startGateway(base, gone, {
          store: await this.#kept.open(base, gone, gatewayObjects),
          repoServer: connect('repo-server', ['repo-server']),
          commitServer: connect('commit-server', ['commit-server-1']),
          hydrator: connect('hydrator', ['hydrator-1']),
        }),
    })
  }

  live(): Promise<WorldEnd> {
    return liveInWorld({
      scheduler: this.#scheduler,
      random: this.#random,
      disk: new VirtualDisk(this.#scheduler),
      observe: this.#observe,
      problems: this.#ledger.problems,
      begin: () => this.#begin(),
      isOver: () => this.#isOver(),
    })
  }

  #begin(): void {
    const { objects } = this.#kept
    const values = applications.map((name) => [`apps/${name}/${valueFile}`, 'first'])
    this.#commit(Object.fromEntries(values))
    this.#firstSha = this.#git.refs.get('refs/heads/main') ?? ''
    for (const object of accessObjects()) objects.create(object)
    objects.onChange('Application', (event) => this.#ledger.applicationChanged(event))
    this.#setAccess('paul', 'anna')
    for (const name of ['repo-server', 'commit-server-1', ...gateways]) this.#mesh.start(name)
    const { happenings, objects: place } = this.#plan
    for (const { at, happening } of happenings) {
      this.#scheduler.after(at, this.#actors.store, happening.kind, () => this.#happen(happening))
    }
    const ends = happenings.map(
      ({ at, happening }) => at + ('milliseconds' in happening ? happening.milliseconds : 5_000),
    )
    const calmAt = Math.max(...ends) + 1_000
    this.#scheduler.after(calmAt, this.#actors.store, 'the last rights', () =>
      this.#setAccess('anna', 'paul'),
    )
    this.#lastAt = calmAt + lagMs[place]
    this.#scheduler.after(this.#lastAt, this.#actors.store, 'the last requests', () => this.#askLast())
  }

  /** Gives each user a project, and each project an Application. */
  #setAccess(devUser: string, prodUser: string): void {
    for (const user of users) {
      this.#setRight(user, 'dev', user === devUser)
      this.#setRight(user, 'prod', user === prodUser)
    }
    for (const project of projects) this.#setRules(project, true)
    for (const name of applications) this.#setProject(name)
  }

  /** Puts an Application where it is in the beginning and in the end. */
  #setProject(name: string): void {
    this.#edit(name, name === 'app-2' ? 'prod' : 'dev')
  }

  #askLast(): void {
    for (const request of forbiddenRequests) void this.#ask(request)
    for (const request of lastRequests) void this.#askUntilAnswered(request)
  }

  async #askUntilAnswered(request: UserRequest): Promise<void> {
    while (!(await this.#ask(request))) {
      await this.#pause(pauseMs)
      // Some request from before may have deleted or moved it late.
      this.#setProject(request.application)
    }
    this.#answered.add(request)
  }

  #isOver(): boolean {
    if (this.#answered.size === lastRequests.length) return true
    if (this.#scheduler.now < this.#lastAt + restMs) return false
    const missing = lastRequests.filter((request) => !this.#answered.has(request))
    this.#ledger.problems.push(`at the end, nothing came of ${JSON.stringify(missing)}`)
    return true
  }

  /** Returns true if a request was carried out, as its user knows. */
  async #ask(request: UserRequest): Promise<boolean> {
    const { user, gateway, thinkMs } = request
    const calls = new UserCalls(this.#mesh.connect(actorNamed(user), 'api-gateway', [gateway]), user)
    try {
      const seen = await calls.see(request, this.#firstSha)
      await this.#pause(thinkMs)
      const mark = `${user}-${++this.#marks}`
      const sent = { ...request, mark, seen, at: this.#scheduler.now }
      this.#ledger.sent(sent)
      await calls.send(sent, this.#firstSha)
      return true
    } catch (error) {
      this.#observe(this.#scheduler.now, user, `is answered: ${String(error)}`)
      return false
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#scheduler.after(milliseconds, this.#actors.store, 'a user thinks', resolve)
    })
  }

  #happen(happening: GatewayHappening): void {
    this.#observe(this.#scheduler.now, 'world', JSON.stringify(happening))
    switch (happening.kind) {
      case 'request':
        return void this.#ask(happening)
      case 'rights':
        return this.#setRight(happening.user, happening.project, happening.has)
      case 'rules':
        return this.#setRules(happening.project, happening.isOpen)
      case 'edit':
        return this.#edit(happening.application, happening.project)
      case 'removal': {
        const stored = this.#stored('Application', happening.application)
        if (stored) this.#ledger.asOperator(() => this.#kept.objects.delete(stored))
        return undefined
      }
      case 'dry commit':
        return this.#commit({ [`apps/${happening.application}/${valueFile}`]: `at ${this.#scheduler.now}` })
      case 'crash': {
        const { process, downMs } = happening
        this.#mesh.kill(process)
        this.#scheduler.after(downMs, this.#actors.store, `${process} is started again`, () => {
          this.#mesh.start(process)
        })
        return undefined
      }
      case 'freeze': {
        const actor = this.#mesh.actor(happening.process)
        if (actor) actor.frozenUntil = this.#scheduler.now + happening.milliseconds
        return undefined
      }
      case 'losses':
        return this.#weather.lose(happening.rate, happening.milliseconds)
      case 'partition':
        return this.#weather.part(happening.process, happening.from, happening.milliseconds)
      default:
        if (this.#kept.cluster) happenToCluster(this.#kept.cluster, this.#scheduler, this.#random, happening)
    }
  }

  #setRight(user: string, project: string, has: boolean): void {
    this.#ledger.setRight(user, project, has)
    const stored = this.#stored('ConfigMap', 'argocd-rbac-cm')
    if (stored) this.#kept.objects.patch(stored, { data: policyOf(this.#ledger.rights) })
  }

  #setRules(project: string, isOpen: boolean): void {
    this.#ledger.setOpen(project, isOpen)
    const stored = this.#stored('AppProject', project)
    if (stored) this.#kept.objects.patch(stored, { spec: rulesOf(isOpen) })
  }

  #edit(name: string, project: (typeof projects)[number]): void {
    const stored = this.#stored('Application', name)
    if (stored?.spec?.['project'] === project) return
    this.#ledger.asOperator(() => {
      if (stored) this.#kept.objects.patch(stored, { spec: { project } })
      else this.#kept.objects.create(applicationOf(name, project, 'operator'))
    })
  }

  #commit(files: Readonly<Record<string, string>>): void {
    const seconds = Math.floor(this.#scheduler.wallClock / 1000)
    const head = this.#git.refs.get('refs/heads/main')
    this.#git.move('refs/heads/main', this.#git.commit(head, files, { message: 'By hand', seconds }))
  }

  #stored(kind: string, name: string): Resource | undefined {
    return this.#kept.objects.get(kind, 'argocd', name)
  }
}

/** Lets a world of gateways live. */
export async function liveGateway(plan: GatewayPlan, observe: Observer = () => undefined): Promise<WorldEnd> {
  return new GatewayWorld(plan, observe).live()
}
