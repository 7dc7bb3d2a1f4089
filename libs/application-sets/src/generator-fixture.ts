import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, createRouterTransport } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { templateWorkers } from '@wadi/engines/templates/template-workers.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { toConnectError } from '@wadi/rpc/error-mapping.ts'
import { inMemoryPeer } from '@wadi/rpc/replicas/in-memory-peer-fixture.ts'
import { type ApplicationSet, parseApplicationSet } from './application-set.ts'
import type { ForgeAccess } from './forges/forge-access.ts'
import { ForgeClient } from '@wadi/forges/forge-client.ts'
import { generateApplications } from './generate-applications.ts'
import { runGenerator } from './generators/run-generator.ts'
import { createTemplateWork } from './templates/template-work.ts'
import { type RunSources, startRun } from './generators/start-run.ts'
import { openGuard } from './inputs/input-guard.ts'
import { type InputSources, GeneratorInputs } from './inputs/run-inputs.ts'
import type { ParameterSet } from './params/parameter-set.ts'

/** The repository that answers to every URL. */
export const repoURL = 'https://git.example.com/team/apps.git'

/** A repository as repo-server describes it. */
export interface PeerRepository {
  /** Commits by revision. */
  revisions: Record<string, string>
  treeId: string
  /** The paths that each pattern matches. */
  matches: Record<string, string[]>
  files: Record<string, string | Uint8Array>
  /** The error that calls end with instead of an answer. */
  failure: Error | undefined
  /** The repositories and prefixes that repo-server has credentials for. */
  registered: { repoUrl: string; project?: string; isPrefix?: boolean }[]
}

/** The sources and the context of generators. */
interface GeneratorContext extends RunSources, InputSources {
  store: ResourceStore
  repoServer: InputSources['repoServer'] & Pick<Client<typeof RepoServerService>, 'listRepositories'>
}

/** The context of generators, around a real store and a repo-server that gives a test's answers. */
export interface GeneratorFixture extends AsyncDisposable {
  store: ResourceStore
  context: GeneratorContext
  repository: PeerRepository
  /** The calls to repo-server so far, each as its method and what it asked for. */
  calls: string[]
  /** Stores the Secret of a cluster. */
  addCluster(
    name: string,
    parts?: { server?: string; project?: string } & Partial<Resource['metadata']>,
  ): Promise<void>
  /** Stores a project that permits everything. */
  addProject(name: string): Promise<void>
  /** Returns the parameters that one generator makes. */
  parameters(generator: Record<string, unknown>, spec?: Record<string, unknown>): Promise<ParameterSet[]>
  generate(spec: Record<string, unknown>, metadata?: Record<string, unknown>): Promise<readonly Resource[]>
}

/** Starts what generators work with. */
export async function startGeneratorFixture(
  repository: Partial<PeerRepository> = {},
  forges: Partial<ForgeAccess> = {},
): Promise<GeneratorFixture> {
  await using stack = new AsyncDisposableStack()
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'wadi-generation-')))
  const store = stack.use(openSqliteStore({ file: join(directory.path, 'state.db') }))
  const peer: PeerRepository = {
    revisions: { HEAD: 'c0ffee' },
    treeId: 'tree-1',
    matches: {},
    files: {},
    failure: undefined,
    registered: [],
    ...repository,
  }
  const calls: string[] = []
  const context: GeneratorContext = {
    store,
    repoServer: connectPeer(peer, calls),
    urlPolicy: { allowFile: false, allowPlainHttp: 'loopback' },
    pluginConfigMaps: ['plugin'],
    templateWork: createTemplateWork(templateWorkers()),
    forges: {
      isEnabled: false,
      allowedApis: [],
      client: new ForgeClient({ waitMs: 5_000, answerMs: 10_000 }),
      ...forges,
    },
  }
  const { signal } = new AbortController()
  const begin = (set: ApplicationSet) => {
    const inputs = new GeneratorInputs(context, { refresh: false, guard: openGuard, signal })
    return startRun(set, context, { inputs, account: 'someone', signal })
  }
  const owned = stack.move()
  return {
    store,
    context,
    repository: peer,
    calls,
    addCluster: async (name, { server = `https://${name}`, project, ...metadata } = {}) => {
      await store.create(clusterSecret(name, { server, project }, metadata))
    },
    addProject: async (name) => {
      await store.create({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name, namespace: 'argocd' },
        spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
      })
    },
    parameters: async (generator, spec) => {
      const set = parseApplicationSet(setOf({ generators: [generator], template: {}, ...spec }))
      const run = begin(set)
      const generated = await Promise.all(set.generators.map((entry) => runGenerator(entry, run)))
      return generated.flat().flatMap(({ parameters }) => parameters)
    },
    generate: async (spec, metadata) => {
      const set = parseApplicationSet(setOf(spec, metadata))
      const limits = { applications: 10_000, bytes: 16 * 1024 * 1024 }
      return (await generateApplications(set, begin(set), { limits })).applications
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** An ApplicationSet with a spec. */
export function setOf(
  spec: Record<string, unknown>,
  metadata: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd', ...metadata },
    spec,
  }
}

function clusterSecret(
  name: string,
  { server, project }: { server: string; project: string | undefined },
  { labels, ...metadata }: Partial<Resource['metadata']>,
): Resource {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `cluster-${name.toLowerCase().replaceAll('_', '-')}`,
      namespace: 'argocd',
      ...metadata,
      labels: { 'argocd.argoproj.io/secret-type': 'cluster', ...labels },
    },
    stringData: {
      name,
      server,
      ...(project !== undefined && { project }),
      config: '{"bearerToken":"secret"}',
    },
  }
}

const maxAnswerBytes = 1_000

function connectPeer(peer: PeerRepository, calls: string[]) {
  const listed = (patterns: readonly string[]): Set<string> =>
    new Set(
      patterns.flatMap((pattern) => {
        const found = peer.matches[pattern]
        if (!found) throw toConnectError(new InvalidInputError(`pattern "${pattern}" is unknown`))
        return found
      }),
    )
  const transport = createRouterTransport((router) =>
    router.service(RepoServerService, {
      resolveRevisions: ({ revisions, project, refresh }) => {
        if (peer.failure) throw toConnectError(peer.failure)
        calls.push(`resolve ${revisions.join()} ${project}${refresh ? ' now' : ''}`)
        return {
          revisions: revisions.map((revision) => {
            const sha = peer.revisions[revision] ?? ''
            return { revision, sha, error: sha === '' ? `revision "${revision}" does not exist` : '' }
          }),
        }
      },
      listRepositories: () => ({ repositories: peer.registered }),
      listPaths: ({ kind, includes, excludes, hidden }) => {
        calls.push(`list ${kind} ${includes.join()} -${excludes.join()}${hidden ? ' hidden' : ''}`)
        const paths = [...listed(includes).difference(listed(excludes))].toSorted()
        return { paths, treeId: peer.treeId }
      },
      readFiles: ({ paths }) => {
        calls.push(`read ${paths.join()}`)
        const contents = paths.map((path) => {
          const content = peer.files[path]
          if (content === undefined) throw toConnectError(new NotFoundError(`there is no file "${path}"`))
          return typeof content === 'string' ? Buffer.from(content) : content
        })
        if (Buffer.concat(contents).length > maxAnswerBytes)
          throw toConnectError(new ResourceExhaustedError('too many bytes in one answer'))
        return { contents }
      },
    }),
  )
  return createClient(RepoServerService, inMemoryPeer('repo-server', transport))
}
