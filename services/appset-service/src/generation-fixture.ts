import assert from 'node:assert/strict'
import { parseApplicationSet } from '@wadi/application-sets/application-set.ts'
import type { ForgeAccess } from '@wadi/application-sets/forges/forge-access.ts'
import {
  type GeneratorFixture,
  type PeerRepository,
  setOf,
  startGeneratorFixture,
} from '@wadi/application-sets/generator-fixture.ts'
import { openGuard } from '@wadi/application-sets/inputs/input-guard.ts'
import { createKeyedLock } from '@wadi/concurrency/keyed-lock.ts'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { followPolicy } from '@wadi/rbac/decide/live-policy.ts'
import { ownershipAmong } from '@wadi/rpc/replicas/ownership.ts'
import { createServiceIdentity } from '@wadi/rpc/service-identity.ts'
import { applicationNamespaces, isFollowed } from '@wadi/state/application-namespaces.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { createGenerationSlots } from './access/generation-slots.ts'
import { applicationsOf } from './applications-of-set.ts'
import type { AppsetServiceContext } from './context.ts'
import { createAppsetServiceEvents } from './events.ts'
import { openGeneratedCache } from './generated-cache.ts'
import { GeneratorInputCache } from './reconcile/generator-input-cache.ts'

/** The parts of an appset-service around a real store and a repo-server that answers what a test says. */
export interface GenerationFixture extends GeneratorFixture {
  context: AppsetServiceContext
}

/** Starts the parts of an appset-service. */
export async function startGenerationFixture(
  repository: Partial<PeerRepository> = {},
  limits: Partial<AppsetServiceContext['limits']> = {},
  forges: Partial<ForgeAccess> = {},
): Promise<GenerationFixture> {
  await using stack = new AsyncDisposableStack()
  const generators = stack.use(await startGeneratorFixture(repository, forges))
  const { store } = generators
  const logger = createLogger({ service: 'appset-service', level: 'error', format: 'json' })
  const identity = createServiceIdentity({ key: Buffer.alloc(32), service: 'appset-service' })
  const context: AppsetServiceContext = {
    ...generators.context,
    policy: stack.use(await followPolicy(store, (error) => assert.fail(error))),
    seal: identity.sealFor('test'),
    generationSlots: createGenerationSlots(4, generators.context.templateWork),
    deletionLimits: { share: 50, count: 5 },
    setLock: createKeyedLock(),
    permitsNamespace: isFollowed(applicationNamespaces(['team-*'])),
    ownership: ownershipAmong('appset-service', [], { listen: '127.0.0.1:0' }),
    limits: { applications: 10_000, bytes: 16 * 1024 * 1024, milliseconds: 60_000, ...limits },
    cache: openGeneratedCache(new Reuse()),
    inputCache: stack.use(new GeneratorInputCache(10_000)),
    events: createAppsetServiceEvents(logger, createMetrics('appset-service')),
  }
  const { signal } = new AbortController()
  const owned = stack.move()
  return {
    ...generators,
    context,
    generate: async (spec, metadata) =>
      applicationsOf(parseApplicationSet(setOf(spec, metadata)), context, {
        guard: openGuard,
        account: 'someone',
        signal,
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
