import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { statusWithAuthor } from '@wadi/appset-service/access/author.ts'
import type { AppsetServiceContext } from '@wadi/appset-service/context.ts'
import { startGenerationFixture } from '@wadi/appset-service/generation-fixture.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { Enforcer } from '@wadi/rbac/decide/enforcer.ts'
import { readPolicyConfig } from '@wadi/rbac/policy/read-policy-config.ts'
import { startRepoServer } from '@wadi/repo-server/repo-server.ts'
import { repoServerSettings } from '@wadi/repo-server/settings.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { simpleGit } from 'simple-git'

/** A repository with a file for each Application, a repo-server that reads it and an appset-service's parts. */
export interface ApplicationSetsBed extends AsyncDisposable {
  readonly context: AppsetServiceContext
  /** The repository's normalised URL. */
  readonly repository: string
  /** Returns the number of requests for the refs of the git server. */
  refQuestions(): number
  /** Stores a set of an Application for each file of a directory, as if `bench` had been allowed it. */
  storeSet(name: string, directory: string, requeueAfterSeconds: number): Promise<void>
}

const user = 'bench'
const namespace = 'argocd'

/** Starts the parts; the directory `all` has as many files as there are Applications, `one` has one. */
export async function openApplicationSetsBed(
  directory: string,
  applications: number,
): Promise<ApplicationSetsBed> {
  await using resources = new AsyncDisposableStack()
  const root = path.join(directory, 'git')
  await mkdir(root, { recursive: true })
  const server = resources.use(await startGitHttpServer({ root }))
  const { url, directory: bare } = await server.createRepository('environments.git')
  await pushFiles(path.join(directory, 'work'), bare, applications)
  const repoServer = await startReader(resources, directory)
  const fixture = resources.use(await startGenerationFixture())
  const config = readPolicyConfig({ 'policy.csv': `g, ${user}, role:admin` })
  const context = { ...fixture.context, repoServer, policy: { enforcer: new Enforcer(config, []) } }
  const owned = resources.move()
  return {
    context,
    repository: url.replace(/\.git$/, ''),
    refQuestions: () => server.requests.filter((request) => request.path.endsWith('/info/refs')).length,
    storeSet: async (name, inner, requeueAfterSeconds) => {
      const set = setOf(name, { repoURL: url, files: [{ path: `${inner}/*.json` }], requeueAfterSeconds })
      const stored = await fixture.store.create(set)
      const author = { subject: { sub: user, groups: [] }, projects: ['default'], generation: 1 }
      const status = statusWithAuthor(stored, author, fixture.context.seal, new Date())
      await fixture.store.updateStatus({ ...stored, status })
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function pushFiles(workTree: string, bare: string, applications: number): Promise<void> {
  for (const [directory, count] of [['all', applications] as const, ['one', 1] as const]) {
    await mkdir(path.join(workTree, directory), { recursive: true })
    for (let number = 0; number < count; number++) {
      const values = { name: `app-${number}`, team: `team-${number % 20}`, replicas: number % 7 }
      await writeFile(path.join(workTree, directory, `app-${number}.json`), JSON.stringify(values))
    }
  }
  const git = simpleGit(workTree)
  await git.init(['--initial-branch=main'])
  await git.addConfig('user.name', 'Dana Developer').addConfig('user.email', 'dana@example.com')
  await git.add('.')
  await git.commit('Add environments')
  await git.push(bare, 'main')
}

async function startReader(resources: AsyncDisposableStack, directory: string) {
  const keyFile = path.join(directory, 'service.key')
  const env = {
    WADI_LISTEN: '127.0.0.1:0',
    WADI_DATA_DIR: path.join(directory, 'data'),
    WADI_SERVICE_KEY_FILE: keyFile,
    WADI_PLUGIN_SOCKETS: path.join(directory, 'no-plugins'),
    WADI_LOG_LEVEL: 'error',
    WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
    // A remembered answer of repo-server must not hide a question.
    WADI_REVISION_CACHE_TIME: '1s',
  }
  const server = resources.use(await startRepoServer(readSettings(repoServerSettings, { env, argv: [] })))
  return resources.use(
    await createServiceClient(RepoServerService, {
      endpoints: [server.address],
      identity: createServiceIdentity({ key: await loadServiceKey(keyFile), service: 'appset-service' }),
      audience: 'repo-server',
    }),
  )
}

function setOf(name: string, git: Record<string, unknown>): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [{ git: { revision: 'main', ...git } }],
      template: {
        metadata: { name: `${name}-{{ .name }}`, labels: { team: '{{ .team }}' } },
        spec: {
          project: 'default',
          destination: { server: 'https://kubernetes.default.svc', namespace: '{{ .team }}' },
          sourceHydrator: {
            drySource: { repoURL: git['repoURL'], targetRevision: 'main', path: 'apps/{{ .name }}' },
            syncSource: { targetBranch: 'environments/{{ .team }}', path: '{{ .name }}' },
          },
        },
      },
    },
  }
}
