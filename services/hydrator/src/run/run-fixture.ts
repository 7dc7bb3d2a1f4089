import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { type Client, createClient, createRouterTransport, type ServiceImpl } from '@connectrpc/connect'
import { loadTemplateEngine } from '@wadi/engines/templates/template.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import {
  BranchPositionSchema,
  CommitServerService,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { lanesByProject } from '../lanes/lane-of.ts'
import { RunPlaces } from '../lanes/run-places.ts'
import { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutate, type ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { openSingleMemory } from '@wadi/queue/shared-memory.ts'
import type { ReplicatedClient } from '@wadi/rpc/create-client.ts'
import { inMemoryPeer } from '@wadi/rpc/replicas/in-memory-peer-fixture.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { Announcements } from '../watch/announcements.ts'
import { RepositoryNews } from '../watch/repository-news.ts'
import { ApplicationIndex, type Member } from '../applications/application-index.ts'
import { createHydratorEvents } from '../events.ts'
import { readOperatorSettings } from '../operator-settings.ts'
import { beginOutcome } from './begin-outcome.ts'
import type { ObservedGroup } from './branch-run.ts'
import { withRunLog } from './log/log-events.ts'
import { RunHistory } from './log/run-history.ts'
import { RunLog } from './log/run-log.ts'
import { BranchRecords } from './report/branch-records.ts'
import { Known } from './reuse/known.ts'
import { groupsOf } from './observe/groups.ts'
import { operatorViews } from './operator-view.ts'
import type { RunContext } from './run-context.ts'
import type { RunInProgress } from './run-outcome.ts'
import { SharedCalls } from './reuse/shared-calls.ts'

/** The dry and hydrated repository of the tests. */
export const repoURL = 'https://git.example.com/team/apps.git'

/** Id of the installation of the tests. */
export const ownInstallation = 'this-installation'

/** The parts of an Application that a test changes. */
interface ApplicationParts {
  namespace?: string
  annotations?: Record<string, string>
  project?: string
  destination?: Record<string, string>
  drySource?: Record<string, unknown>
  syncSource?: Record<string, unknown>
  hydrateTo?: { targetBranch: string }
}

/** An Application that is hydrated from `apps/<name>` of `main` to `<name>` of `env/dev`. */
export function application(name: string, parts: ApplicationParts = {}): Resource {
  const { namespace = 'argocd', annotations = {}, project = 'default', hydrateTo } = parts
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace, annotations },
    spec: {
      project,
      destination: parts.destination ?? { server: 'https://kubernetes.default.svc', namespace: 'web' },
      sourceHydrator: {
        drySource: { repoURL, targetRevision: 'main', path: `apps/${name}`, ...parts.drySource },
        syncSource: { targetBranch: 'env/dev', path: name, ...parts.syncSource },
        ...(hydrateTo && { hydrateTo }),
      },
    },
  }
}

/** A ConfigMap or AppProject of the control plane. */
export function controlPlaneObject(kind: string, name: string, content: Partial<Resource>): Resource {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'argocd' }, ...content }
}

/** Stand-ins for the other services; a call without an answer is an error. */
export interface Peers {
  repoServer?: Partial<ServiceImpl<typeof RepoServerService>>
  commitServer?: Partial<ServiceImpl<typeof CommitServerService>>
  forges?: Partial<ServiceImpl<typeof ForgeService>>
}

/** A hydrator's parts around a real store. */
export interface RunFixture extends AsyncDisposable {
  store: ResourceStore
  context: RunContext
  /** Reads the Applications again. */
  reload(): Promise<void>
  /** Directory of what is known. */
  directory: string
  /** Stores objects and reads the Applications again. */
  add(...resources: Resource[]): Promise<void>
  /** Asks for a hydration of an Application with Argo CD's annotation. */
  request(name: string, request: 'normal' | 'hard'): Promise<void>
  members(branch?: string): readonly Member[]
  /** A run of a branch as it is after its observation; `observed` is what the test wants of each of its groups. */
  run(parts?: { branch?: string; key?: string; observed?: Partial<ObservedGroup> }): Promise<RunInProgress>
}

/** A group whose dry repository has no commit. */
const unread = { verification: undefined, drySha: '', version: '', unresolved: undefined, credentials: '' }

/** Starts the parts of a hydrator that a run needs. */
export async function startRunFixture(
  peers: Peers = {},
  status = { operations: false, yieldsToArgoCd: false },
  reuse = new Reuse(),
): Promise<RunFixture> {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(await mkdtempDisposable(join(tmpdir(), 'wadi-run-')))
  const store = stack.use(openSqliteStore({ file: join(scratch.path, 'state.db') }))
  const directory = join(scratch.path, 'known')
  const { repoServer, commitServer, forges } = connectPeers(peers)
  const logger = createLogger({ service: 'hydrator', level: 'error', format: 'json' })
  const runs = new RunLog(new RunHistory(join(scratch.path, 'runs'), openSingleMemory()))
  const context: RunContext = {
    store,
    runs,
    index: newIndex(),
    repoServer,
    commitServer,
    forges,
    shared: new SharedCalls(repoServer, commitServer, reuse),
    operatorViews: operatorViews(store, status.yieldsToArgoCd),
    announcements: new Announcements(),
    news: new RepositoryNews(),
    rendering: new RunPlaces(5, 'rendering', lanesByProject('')),
    templates: loadTemplateEngine,
    known: new Known(directory, openSingleMemory(), reuse),
    records: new BranchRecords(store, openSingleMemory()),
    status,
    installation: ownInstallation,
    events: withRunLog(createHydratorEvents(logger, createMetrics('hydrator')), runs),
  }
  const members = (branch = 'env/dev'): readonly Member[] => context.index.members(branchKey(repoURL, branch))
  const reload = async (): Promise<void> => {
    const once = new AbortController()
    context.index = newIndex()
    await context.index.follow(store, once.signal, () => once.abort())
  }
  const owned = stack.move()
  return {
    store,
    context,
    reload,
    directory,
    members,
    request: async (name, request) => {
      await mutate(store, 'Application', 'argocd', name, (current) => {
        const annotations = { ...current.metadata.annotations, 'argocd.argoproj.io/refresh': request }
        return { ...current, metadata: { ...current.metadata, annotations } }
      })
      await reload()
    },
    add: async (...resources) => {
      for (const resource of resources) await store.create(resource)
      await reload()
    },
    run: async ({ branch = 'env/dev', key = branchKey(repoURL, branch), observed } = {}) => {
      const run = {
        key,
        repoUrl: repoURL,
        branch,
        project: 'default',
        hard: false,
        settings: await readOperatorSettings(store, status.yieldsToArgoCd),
        before: undefined,
        foreign: undefined,
        installation: ownInstallation,
        destination: { headSha: '', error: '', credentials: '' },
        control: { projects: new Map(), clusters: '' },
        position: create(BranchPositionSchema),
        known: undefined,
        groups: groupsOf(context.index.members(key), []).map((group) => {
          const { drySha, version, verification, ...rest } = { ...unread, ...group, ...observed }
          const sources = group.sources.map((source) => ({ ...source, drySha, version, verification }))
          return { ...rest, drySha, version, verification, sources }
        }),
        failures: new Map(),
        renderers: 'helm v4, kustomize v5',
        tools: 'helm v4, kustomize v5',
        defaultTools: {},
      }
      return { run, outcome: beginOutcome(run) }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function newIndex(): ApplicationIndex {
  return new ApplicationIndex({ onChange: () => undefined, onInvalid: () => undefined })
}

function connectPeers({ repoServer = {}, commitServer = {}, forges = {} }: Peers): {
  repoServer: ReplicatedClient<typeof RepoServerService>
  commitServer: Client<typeof CommitServerService>
  forges: Client<typeof ForgeService>
} {
  const inMemory = createRouterTransport((router) => {
    router.service(RepoServerService, repoServer)
    router.service(CommitServerService, commitServer)
    router.service(ForgeService, forges)
  })
  const transport = inMemoryPeer('peers', inMemory)
  return {
    repoServer: Object.assign(createClient(RepoServerService, transport), { replicas: async () => 1 }),
    commitServer: createClient(CommitServerService, transport),
    forges: createClient(ForgeService, transport),
  }
}
