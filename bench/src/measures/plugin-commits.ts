import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import { openContainment } from '@wadi/containment/containment.ts'
import { pathDirectories } from '@wadi/containment/find-program.ts'
import { openPlugins } from '@wadi/plugin-client/open-plugins.ts'
import { SourceSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import { defaultRenderLimits } from '@wadi/rendering/run/render-source.ts'
import { RenderCache } from '@wadi/rendering/run/cache/render-cache.ts'
import { SourceRenderer } from '@wadi/repo-server/sources/source-renderer.ts'
import { type CmpServerBed, openCmpServerBed } from '../cmp-server-bed.ts'
import type { Effort } from '../effort.ts'
import { atMost, information, type Measurement } from '../measurement.ts'

const repoURL = 'https://git.example.com/team/plugins.git'
const policy = { allowRemoteBases: false, allowRemoteCharts: false, kustomizeBuildOptions: [] }
const cacheBytes = 1024 ** 3
const ballastBytes = 1024 ** 2
/** Runs of an application that was never rendered: the second one shows whether the plugin is repeatable. */
const runsAtFirst = 2

const standardApplications = 200

/** The costs of the applications of one commit. */
interface Work {
  readonly archives: number
  /** The size of the packed files, before compression. */
  readonly bytes: number
  readonly runs: number
  readonly seconds: number
}

/** Counts what the applications of one repository make their plugin do, in a first commit and in one that changes one of them. */
export async function measurePluginCommits(
  directory: string,
  effort: Effort,
  tools: Tools,
): Promise<Measurement[]> {
  const applications = effort.applications(standardApplications)
  await using bed = await openCmpServerBed(directory, 'cat', { generate: { command: ['cat', 'app.json'] } })
  const whole = await renderTwoCommits(directory, 'whole', applications, { tools, bed, generatePaths: '' })
  const named = await renderTwoCommits(directory, 'named', applications, { tools, bed, generatePaths: '.' })
  const name = `plugins, ${applications} applications`
  return [
    atMost(`${name}, archives`, whole.first.archives, 'archives', 1, workText(whole.first)),
    // Archives of named paths are put together from parts, of which each is packed once.
    atMost(
      `${name}, packed with manifest-generate-paths`,
      named.first.bytes / whole.first.bytes,
      '× one archive',
      1,
      workText(named.first),
    ),
    atMost(`${name}, runs`, whole.first.runs, 'runs', runsAtFirst * applications, workText(whole.first)),
    atMost(
      `${name}, one changed, manifest-generate-paths`,
      named.second.runs,
      'runs',
      1,
      workText(named.second),
    ),
    information(`${name}, manifest-generate-paths`, named.first.seconds, 's', workText(named.first)),
    information(`${name}, one changed`, whole.second.seconds, 's', workText(whole.second)),
  ]
}

async function renderTwoCommits(
  directory: string,
  name: string,
  applications: number,
  { tools, bed, generatePaths }: { tools: Tools; bed: CmpServerBed; generatePaths: string },
): Promise<{ first: Work; second: Work }> {
  await using owned = new AsyncDisposableStack()
  const plugins = owned.use(await openPlugins({ socketDirectory: bed.sockets }))
  const work = path.join(directory, name)
  const files = path.join(work, 'files')
  const sandboxRoot = path.join(work, 'sandboxes')
  await mkdir(sandboxRoot, { recursive: true })
  const renderer = new SourceRenderer({
    renderers: { ...tools, plugins },
    gitVariables: async () => [],
    policy,
    limits: defaultRenderLimits,
    sandboxRoot,
    containment: owned.use(
      await openContainment({
        directory: path.join(work, 'containment'),
        memoryBytes: 1024 ** 3,
        programDirectories: pathDirectories(process.env['PATH']),
        hidden: [],
        warn: () => undefined,
      }),
    ),
    cache: owned.use(new RenderCache(path.join(work, 'renders'), cacheBytes)),
    workers: owned.use(new ManifestWorkers()),
    parallelism: 0,
  })
  const paths = Array.from({ length: applications }, (_, index) => `apps/app-${index}`)
  const sources = paths.map((source, index) =>
    renderer.readSource(
      repoURL,
      create(SourceSchema, {
        path: source,
        optionsJson: '{"plugin":{"name":"cat"}}',
        applicationName: `app-${index}`,
        manifestGeneratePaths: generatePaths,
      }),
    ),
  )
  const { signal } = new AbortController()
  const renderCommit = async (revision: string): Promise<Work> => {
    const before = { ...plugins.stats }
    const started = performance.now()
    const tree = openDirectoryTree(files)
    const rendered = await Promise.all(
      sources.map((source) => renderer.render({ tree, source, revision, project: '' }, false, signal)),
    )
    const seconds = (performance.now() - started) / 1000
    const wrong = rendered.find(({ manifests }) => manifests.length !== 1)
    if (wrong !== undefined) throw new Error(`an application has ${wrong.manifests.length} manifests`)
    const { archivesBuilt, bytesPacked, runs } = plugins.stats
    return {
      archives: archivesBuilt - before.archivesBuilt,
      bytes: bytesPacked - before.bytesPacked,
      runs: runs - before.runs,
      seconds,
    }
  }
  for (const [index, source] of paths.entries()) await writeApplication(files, source, `app-${index}`)
  await writeFile(path.join(files, 'ballast.bin'), randomBytes(ballastBytes))
  const first = await renderCommit('1'.repeat(40))
  await writeApplication(files, paths[0] ?? '', 'changed')
  return { first, second: await renderCommit('2'.repeat(40)) }
}

async function writeApplication(files: string, source: string, name: string): Promise<void> {
  await mkdir(path.join(files, source), { recursive: true })
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
  await writeFile(path.join(files, source, 'app.json'), JSON.stringify(manifest))
}

function workText({ archives, runs, seconds }: Work): string {
  return `${archives} archives, ${runs} runs, ${seconds.toFixed(2)} s`
}
