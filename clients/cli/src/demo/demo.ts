import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { writeContext } from '../connection/context-file.ts'
import { listAt } from '@wadi/fields/json-fields.ts'
import { connectToServer, type ServerConnection } from '../connection/server-connection.ts'
import { tableText } from '../output/table.ts'
import { createDemoRepository, type DemoRepository } from './demo-repository.ts'
import { type DemoProgress, waitForDrySha } from './demo-progress.ts'
import type { SampleApplication } from './sample-repository.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'

/** A running demo: a git server, the mesh and the sample repository between them. */
export interface Demo extends AsyncDisposable {
  /** Shows a first hydration and a change to one region; returns the promises that were not kept. */
  run(): Promise<string[]>
  /** Returns advice on commands to try while it is up. */
  nextSteps(): string
}

const user = 'wadi'

/**
 * Starts everything that the demo needs in a temporary directory; disposal stops it and removes the directory.
 * @param wadi the command as users type it
 */
export async function openDemo(
  print: (text: string) => void,
  wadi: string,
  signal: AbortSignal,
): Promise<Demo> {
  await using resources = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'wadi-demo-'))
  resources.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  const password = randomBytes(12).toString('base64url')
  const server = resources.use(await startGitHttpServer({ users: { [user]: password } }))
  const repository = await createDemoRepository(server, directory)
  print(`A git server with a password serves ${repository.url}, a sample dry monorepo.\n`)
  const mesh = resources.use(
    await startMesh({
      dataDirectory: join(directory, 'data'),
      listen: '127.0.0.1:0',
      environment: {
        WADI_LOG_LEVEL: 'error',
        WADI_LOG_FORMAT: 'text',
        // The demo's git server.
        WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
      },
    }),
  )
  const config = join(directory, 'config')
  const { host } = new URL(mesh.address)
  await writeContext(
    { name: 'demo', server: host, token: mesh.adminToken, plaintext: true, current: true },
    join(config, 'config'),
  )
  print(`The services are up; the API is at ${mesh.address}.\n\n`)
  const flags = {
    server: host,
    authToken: mesh.adminToken,
    plaintext: true,
    httpRetryMax: 0,
    loglevel: 'error',
  } as const
  const connection = await connectToServer(flags, {}, 'applications', 'repositories')
  const owned = resources.move()
  return {
    run: () => showHydration(repository, connection, password, print, signal),
    nextSteps: () =>
      nextSteps(repository, { wadi, config, data: join(directory, 'data'), console: mesh.address }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function showHydration(
  repository: DemoRepository,
  connection: ServerConnection<'applications' | 'repositories'>,
  password: string,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const credentials = { repoUrl: repository.url, username: user, password }
  await connection.repositories.createRepository({ ...credentials, name: 'platform' }, { signal })
  await connection.repositories.createRepository({ ...credentials, write: true }, { signal })
  const { applications } = repository
  const progress = { connection, applications, print, signal }
  const [first = ''] = await repository.commits('main')
  print(`Creating ${applications.length} applications; dry commit ${first.slice(0, 7)} is hydrated:\n`)
  for (const application of applications) {
    await connection.applications.createApplication(
      { application: applicationObject(application, repository.url) },
      { signal },
    )
  }
  const times = await waitForDrySha(progress, first)
  print(`\n${await hydrationTable(progress, first, times)}\n`)
  print(await warningsText(progress))
  const before = await heads(repository)
  const change = await repository.changeOneRegion()
  print(`A developer pushes ${change.sha.slice(0, 7)} "${change.what}":\n`)
  const changed = applications.find(({ name }) => name === 'prod-east')
  for (const { name } of firstOfEachBranch(applications)) {
    await connection.applications.hydrateApplication({ name }, { signal })
  }
  await waitForDrySha(progress, change.sha)
  const after = await heads(repository)
  const [head = ''] = after.get('environments/prod') ?? []
  const files = await repository.changedFiles(head)
  print(`\nOne commit on environments/prod, which changed:\n${files.map((file) => `  ${file}\n`).join('')}`)
  return brokenPromises(applications, { before, after, files, region: changed?.syncPath ?? '' })
}

interface Changes {
  readonly before: ReadonlyMap<string, readonly string[]>
  readonly after: ReadonlyMap<string, readonly string[]>
  /** Those of the last commit. */
  readonly files: readonly string[]
  readonly region: string
}

function brokenPromises(
  applications: readonly SampleApplication[],
  { before, after, files, region }: Changes,
): string[] {
  const grown = (branch: string) => (after.get(branch)?.length ?? 0) - (before.get(branch)?.length ?? 0)
  const manifest = pathInside(region, hydratedFiles.manifest)
  const applicationsOf = (branch: string) => applications.filter((one) => one.branch === branch).length
  const promises: [string, boolean][] = [
    [
      // One as a rule; on a slow machine the first is made before the last Application is there.
      'each branch starts with at most one hydrated commit for each application',
      [...before].every(([branch, { length }]) => length > 0 && length <= applicationsOf(branch)),
    ],
    ['the change makes one commit on environments/prod', grown('environments/prod') === 1],
    [
      'the change makes no commit on the other branches',
      grown('environments/dev') + grown('environments/test') === 0,
    ],
    [
      `only files of ${region} change`,
      files.every((file) => file === hydratedFiles.metadata || file.startsWith(`${region}/`)),
    ],
    [`${manifest} changes`, files.includes(manifest)],
  ]
  return promises.flatMap(([promise, kept]) => (kept ? [] : [promise]))
}

async function heads(repository: DemoRepository): Promise<Map<string, string[]>> {
  const branches = new Set(repository.applications.map(({ branch }) => branch))
  return new Map(
    await Promise.all(
      [...branches].map(async (branch) => [branch, await repository.commits(branch)] as const),
    ),
  )
}

async function hydrationTable(
  { connection, applications, signal }: DemoProgress,
  drySha: string,
  times: Map<string, number>,
): Promise<string> {
  const rows = await Promise.all(
    applications.map(async ({ name, branch }) => {
      const { manifest, hydratedSha } = await connection.applications.getManifests({ name }, { signal })
      const objects = manifest.split(/^---$/mu).filter((text) => text.trim() !== '').length
      const seconds = ((times.get(name) ?? 0) / 1000).toFixed(1)
      return [name, branch, drySha.slice(0, 7), hydratedSha.slice(0, 7), String(objects), `${seconds}s`]
    }),
  )
  return tableText(['APPLICATION', 'BRANCH', 'DRY-SHA', 'HYDRATED-SHA', 'OBJECTS', 'TIME'], rows)
}

/** The warnings of the applications, for example about values without effect. */
async function warningsText({ connection, applications, signal }: DemoProgress): Promise<string> {
  const texts = await Promise.all(
    applications.map(async ({ name }) => {
      const { application = {} } = await connection.applications.getApplication({ name }, { signal })
      const warnings = listAt(application, 'status', 'sourceHydrator', 'warnings')
      return warnings.flatMap((warning) => (typeof warning === 'string' ? [`${name}: ${warning}\n`] : []))
    }),
  )
  const lines = texts.flat()
  return lines.length === 0 ? '' : `${lines.join('')}\n`
}

function firstOfEachBranch(applications: SampleApplication[]): SampleApplication[] {
  return applications.filter(
    (one, index) => applications.findIndex(({ branch }) => branch === one.branch) === index,
  )
}

function applicationObject({ name, path, branch, syncPath, namespace }: SampleApplication, repoURL: string) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: controlPlaneNamespace },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace },
      sourceHydrator: {
        drySource: { repoURL, targetRevision: 'main', path },
        syncSource: { targetBranch: branch, path: syncPath },
      },
    },
  }
}

function nextSteps(
  { url, workTree }: DemoRepository,
  { wadi, config, data, console }: { wadi: string; config: string; data: string; console: string },
): string {
  return `
The demo keeps running. The web console is at ${console}; sign in as admin with the password that this prints:
  ${wadi} admin initial-password --data ${data}
In another terminal, try:
  export WADI_CONFIG_DIR=${config}
  ${wadi} app list
  ${wadi} app get prod-east
  ${wadi} app history prod-east
  ${wadi} app manifests prod-east
  ${wadi} explain --repo ${workTree} apps/shop/prod
  $EDITOR ${workTree}/environments/test/east/values.yaml
  git -C ${workTree} commit -am "Try something" && git -C ${workTree} push origin main
  ${wadi} app hydrate test-east --wait
  git -C ${workTree} fetch origin && git -C ${workTree} log -p -1 origin/environments/test
The repository is ${url}. Ctrl-C stops everything and removes it.
`
}
