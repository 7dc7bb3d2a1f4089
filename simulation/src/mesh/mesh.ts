import { createClient, type Transport } from '@connectrpc/connect'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { hydratorObjects } from '@wadi/hydrator/stored-objects.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { defaultRetryPolicy } from '@wadi/queue/retry-policy.ts'
import { repositoryRoute } from '@wadi/repositories/repository-route.ts'
import { inMemoryReplicas } from '@wadi/rpc/replicas/in-memory-peer-fixture.ts'
import type { ForgeServer } from '../models/forge/forge-server.ts'
import type { GitServer } from '../models/git/git-server.ts'
import { openModelMemory } from '../models/queue/model-memory.ts'
import { ModelQueue, type QueueLink } from '../models/queue/model-queue.ts'
import type { QueueServer } from '../models/queue/queue-server.ts'
import type { WorldObjects } from '../models/world-objects.ts'
import type { Fate, Network } from '../virtual/network.ts'
import type { Actor, Scheduler } from '../virtual/scheduler.ts'
import { repoUrl } from '../world/objects.ts'
import type { RenderFate } from '../world/weather.ts'
import { startCommitServer } from './commit-server-process.ts'
import { startHydrator } from './hydrator-process.ts'
import type { KeptObjects } from './kept-objects.ts'
import { type AskGit, repoServerModel } from './repo-server-model.ts'
import { type Listener, rpcLink } from './rpc-link.ts'
import { listenerOf, type ProcessBase, processBase } from './service-process.ts'

/** The servers beyond the processes, each an actor of its own. */
export interface Beyond {
  readonly git: GitServer
  readonly redis: QueueServer
  readonly store: WorldObjects
  /** The forge of the repository. */
  readonly forge: ForgeServer
  readonly actors: Readonly<Record<'git' | 'redis' | 'store' | 'forge', Actor>>
}

/** Returns the way of a process to the replicas of a service. */
type Connect = (service: string, names: readonly string[]) => Transport

/** The parts of a world that its processes live in. */
export interface Surroundings {
  readonly scheduler: Scheduler
  readonly network: Network
  readonly fate: (from: Actor, to: Actor) => Fate
  readonly renderFate: () => RenderFate
  readonly beyond: Beyond
  readonly kept: KeptObjects
  readonly hydrators: readonly string[]
  readonly commitServers: readonly string[]
  /** False if each hydrator knows of one commit-server alone. */
  readonly areAllKnown: boolean
  /** Starts a process that is none of a hydrator, commit-server or repo-server. */
  readonly startOther?: (base: ProcessBase, gone: AbortSignal, connect: Connect) => Promise<Listener>
  /** The time for which a job stays with a hydrator that gives no sign of life, in milliseconds. */
  readonly holdMs: number
}

const redisRetryMs = 500
const installation = 'simulated-installation'

/** Returns the actors of all servers beyond the processes. */
export function beyondActors(): Beyond['actors'] {
  const [git, redis, store, forge] = [
    actorNamed('git'),
    actorNamed('redis'),
    actorNamed('store'),
    actorNamed('forge'),
  ]
  return { git, redis, store, forge }
}

/** Returns an actor with a clock that is right. */
export function actorNamed(name: string): Actor {
  return { name, isAlive: true, frozenUntil: 0, clockOffset: 0 }
}

interface RunningProcess {
  readonly actor: Actor
  readonly gone: AbortController
  listener?: Listener
}

/** The processes of the mesh, which come and go. */
export class Mesh {
  readonly #around: Surroundings
  readonly #running = new Map<string, RunningProcess>()
  readonly #gateway = actorNamed('gateway')

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** The actor of a process now; undefined while there is none. */
  actor(name: string): Actor | undefined {
    return this.#running.get(name)?.actor
  }

  /** Announces a dry commit to a hydrator, as the gateway does when a webhook comes; nobody hears of it if that fails. */
  announce(branch: string, sha: string): void {
    const { scheduler, hydrators } = this.#around
    scheduler.after(0, this.#gateway, 'a webhook comes', () => {
      const client = createClient(HydratorService, this.connect(this.#gateway, 'hydrator', hydrators))
      client.refreshRepository({ repoUrl, heads: [{ branch, sha }] }).catch(() => undefined)
    })
  }

  /** Starts a process, in a step of its own. */
  start(name: string): void {
    const actor = actorNamed(name)
    const process: RunningProcess = { actor, gone: new AbortController() }
    this.#running.set(name, process)
    this.#around.scheduler.after(0, actor, 'starts', () => {
      if (name.startsWith('hydrator')) void this.#startHydrator(process)
      else if (name.startsWith('commit-server')) process.listener = this.#startCommitServer(process)
      else if (name === 'repo-server') process.listener = this.#startRepoServer(process)
      else void this.#startOther(process)
    })
  }

  /** Kills a process: nothing that it was to do happens any more, and who waits for it learns that it is gone. */
  kill(name: string): void {
    const process = this.#running.get(name)
    if (!process) return
    this.#running.delete(name)
    this.#around.scheduler.kill(process.actor)
    process.gone.abort()
  }

  async #startHydrator(process: RunningProcess): Promise<void> {
    const { actor, gone } = process
    const { kept } = this.#around
    const base = processBase(actor, 'hydrator')
    try {
      const { routes } = await startHydrator(base, {
        store: await kept.open(base, gone.signal, hydratorObjects),
        isInCluster: kept.cluster !== undefined,
        queue: new ModelQueue(this.#queueLink(actor), {
          holdMs: this.#around.holdMs,
          retry: defaultRetryPolicy,
        }),
        memory: openModelMemory((label, ask) =>
          this.#ask(actor, 'redis', label, () => ask(this.#beyond.redis)),
        ),
        repoServer: this.connect(actor, 'repo-server', ['repo-server'], gone.signal),
        commitServer: this.connect(actor, 'commit-server', this.#commitServersOf(actor), gone.signal),
        directory: `/data/${actor.name}`,
        installation,
      })
      process.listener = listenerOf(base, gone.signal, (served) => served.add(HydratorService, routes))
    } catch (error) {
      base.logger.warn({ reason: String(error) }, 'cannot start')
      this.#restartAfterFailure(actor.name)
    }
  }

  async #startOther(process: RunningProcess): Promise<void> {
    const { actor, gone } = process
    const base = processBase(actor, actor.name.replace(/-\d+$/, ''))
    try {
      const connect: Connect = (service, names) => this.connect(actor, service, names, gone.signal)
      const listener = await this.#around.startOther?.(base, gone.signal, connect)
      if (listener) process.listener = listener
    } catch (error) {
      base.logger.warn({ reason: String(error) }, 'cannot start')
      this.#restartAfterFailure(actor.name)
    }
  }

  #commitServersOf({ name }: Actor): readonly string[] {
    const { hydrators, commitServers, areAllKnown } = this.#around
    const known = commitServers[hydrators.indexOf(name) % commitServers.length]
    return areAllKnown || known === undefined ? commitServers : [known]
  }

  /** Starts a process again that could not start, as whoever runs it does. */
  #restartAfterFailure(name: string): void {
    const { scheduler, beyond } = this.#around
    this.kill(name)
    scheduler.after(1_000, beyond.actors.store, `${name} is started again`, () => this.start(name))
  }

  #startCommitServer({ actor, gone }: RunningProcess): Listener {
    const { network, beyond } = this.#around
    const base = processBase(actor, 'commit-server')
    return startCommitServer(base, gone.signal, {
      server: beyond.git,
      directory: `/data/${actor.name}`,
      contact: (label, ask, signal) => network.ask([actor, beyond.actors.git], label, ask, signal),
      askForge: (request, signal) => {
        const label = `${request.method} ${request.url.pathname}`
        return network.ask([actor, beyond.actors.forge], label, () => beyond.forge.answer(request), signal)
      },
    })
  }

  #startRepoServer({ actor, gone }: RunningProcess): Listener {
    const { git } = this.#beyond
    const { renderFate } = this.#around
    const base = processBase(actor, 'repo-server')
    const askGit: AskGit = (label, ask) => this.#ask(actor, 'git', label, () => ask(git))
    const routes = repoServerModel(git, askGit, renderFate)
    return listenerOf(base, gone.signal, (served) => served.add(RepoServerService, routes))
  }

  /** Returns the way of an actor to the replicas of a service. @param fromGone aborts when the actor is gone; undefined for one that stays */
  connect(from: Actor, service: string, names: readonly string[], fromGone?: AbortSignal): Transport {
    const { scheduler, fate } = this.#around
    const transports = names.map((name) => {
      const listener = (): Listener | undefined => this.#running.get(name)?.listener
      return [`http://${name}`, rpcLink({ scheduler, from, fromGone, listener, fate })] as const
    })
    return inMemoryReplicas(service, new Map(transports), repositoryRoute)
  }

  #queueLink(actor: Actor): QueueLink {
    const { scheduler, beyond } = this.#around
    return {
      ask: async (label, ask) => {
        for (;;) {
          try {
            return await this.#ask(actor, 'redis', label, () => ask(beyond.redis))
          } catch (error) {
            if (!(error instanceof UnavailableError)) throw error
            await new Promise((resolve) => setTimeout(resolve, redisRetryMs))
          }
        }
      },
      listen: (listener) =>
        beyond.redis.listen(() => {
          if (actor.isAlive) scheduler.deliver(actor, 'hears of a job', listener)
        }),
    }
  }

  get #beyond(): Beyond {
    return this.#around.beyond
  }

  #ask<Answer>(from: Actor, to: keyof Beyond['actors'], label: string, ask: () => Answer): Promise<Answer> {
    return this.#around.network.ask([from, this.#beyond.actors[to]], label, ask)
  }
}
