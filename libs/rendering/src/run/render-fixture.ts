import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { dropEmptyAnnotations } from '@wadi/manifests/empty-annotations.ts'
import { type JsonValue, toJson } from '@bufbuild/protobuf'
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt'
import type { ExplainedSource } from '@wadi/protocol/gen/wadi/parameters/v1/explanation_pb.ts'
import { openContainment } from '@wadi/containment/containment.ts'
import { pathDirectories } from '@wadi/containment/find-program.ts'
import { openOwnedDirectory } from '@wadi/containment/owned-directory.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { sortManifests } from '@wadi/manifests/sort-manifests.ts'
import { afterAllTests } from '@wadi/testing/process-end.ts'
import { runProgram } from '@wadi/testing/run-program.ts'
import { type Tools, findTools } from '@wadi/renderer-tools/find-tools.ts'
import { DirectoryFixture } from '@wadi/file-trees/directory-fixture.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { inspectSource } from '../inspection/inspect-source.ts'
import type { SourceInspection } from '../inspection/source-inspection.ts'
import { ManifestWorkers } from './manifests/manifest-workers.ts'
import { PackagedCharts } from './cache/packaged-charts.ts'
import { type Plugins, noPlugins } from '../renderers/plugin/plugins.ts'
import { defaultRenderLimits, renderSource } from './render-source.ts'
import type { RenderTools } from '../plan/renderer.ts'
import type { RenderContext, Rendered, RenderLimits, RenderedSource } from './render-run.ts'
import type { RenderPolicy, RenderSource, SourceOptions } from '../source/source.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'

/** A commit's id for tests. */
export const testRevision = '0123456789abcdef0123456789abcdef01234567'

const owned = new AsyncDisposableStack()
afterAllTests(() => owned.disposeAsync())

/** The containment of renderers in tests, with the protections of this machine. */
export const testContainment = owned.use(
  await openContainment({
    directory: owned.use(await openOwnedDirectory('wadi-containment-')).path,
    memoryBytes: 1024 ** 3,
    programDirectories: pathDirectories(process.env['PATH']),
    hidden: [],
    warn: () => undefined,
  }),
)

/** One thread for all fixtures of the process: to start one for each test takes longer than most renders. */
const testWorkers = owned.use(new ManifestWorkers({ threads: 1 }))

/** Spares a tool that ends at once its garbage collection, a quarter of its time. */
const bareEnvironment = { GOGC: 'off' }

/** Nothing is allowed beyond the repository. */
export const strictPolicy: RenderPolicy = {
  allowRemoteBases: false,
  allowRemoteCharts: false,
  kustomizeBuildOptions: [],
}

/** The renderers for tests, unpacked once for all of them. */
export async function testTools(): Promise<Tools> {
  return await findTools({ cacheDirectory: toolCache })
}

/** A source at `path` with inline options. */
export function testSource(path: string, options: SourceOptions = {}, namespace = ''): RenderSource {
  return {
    path,
    options,
    destinationNamespace: namespace,
    applicationName: 'web',
    instance: { name: 'web', project: 'default' },
    repoUrl: 'https://git.example.com/team/apps.git',
    targetRevision: 'main',
    manifestGeneratePaths: '',
  }
}

/** A repository directory with whatever it takes to render from it. */
export class RenderFixture extends DirectoryFixture {
  readonly sandboxRoot = join(this.root, 'sandboxes')
  readonly workers = testWorkers
  readonly packagedCharts = new PackagedCharts()
  readonly tools: RenderTools

  constructor(tools: Tools, files: Readonly<Record<string, string>>, plugins: Plugins = noPlugins) {
    super(files)
    this.tools = { ...tools, plugins }
    mkdirSync(this.sandboxRoot)
  }

  async inspect(source: RenderSource, policy = strictPolicy): Promise<SourceInspection> {
    return await inspectSource(openDirectoryTree(this.directory), source, testRevision, this.tools, policy)
  }

  async render(
    source: RenderSource,
    limits: Partial<RenderLimits> = {},
    policy = strictPolicy,
  ): Promise<RenderedSource> {
    const tree = openDirectoryTree(this.directory)
    const inspection = await inspectSource(tree, source, testRevision, this.tools, policy)
    return await renderSource(tree, inspection, { ...this.context(source, limits), policy })
  }

  /** Returns the context of a source's render, with nothing allowed beyond the repository. */
  context(source: RenderSource, limits: Partial<RenderLimits> = {}): RenderContext {
    return {
      source,
      revision: testRevision,
      tools: this.tools,
      policy: strictPolicy,
      sandboxRoot: this.sandboxRoot,
      limits: { ...defaultRenderLimits, ...limits },
      containment: testContainment,
      workers: this.workers,
      packagedCharts: this.packagedCharts,
    }
  }

  /** Returns the bare tool's output for the directory itself. */
  async bare(tool: 'helm' | 'kustomize', ...args: string[]): Promise<string[]> {
    const env = { ...bareEnvironment, HOME: this.sandboxRoot, PATH: '' }
    const output = await runProgram([...this.tools[tool].command, ...args], { cwd: this.directory, env })
    return sortedTexts(output, tool)
  }

  /** Runs recorded commands as a person would, with the tools instead of their names, and returns the last one's manifests. */
  async replay(commands: readonly string[]): Promise<string[]> {
    const script = [
      `helm() { ${this.tools.helm.command.join(' ')} "$@"; }`,
      `kubectl() { ${this.tools.kustomize.command[0] ?? ''} "$@"; }`,
      ...commands,
    ].join('\n')
    const env = { ...bareEnvironment, HOME: this.sandboxRoot, PATH: '/usr/bin:/bin' }
    const output = await runProgram(['/bin/sh', '-ec', script], { cwd: this.directory, env })
    return sortedTexts(output, 'replay')
  }
}

/** The parameters that a render reports, with their values as JSON. */
export function reportedParameters({ record }: Rendered): {
  of: string
  path: string
  value: JsonValue
  from: ExplainedSource | undefined
  beats: { value: JsonValue }[]
}[] {
  return record.parameters.map(({ of, path, value, from, beats }) => ({
    of,
    path,
    value: jsonOf(value),
    from,
    beats: beats.map((source) => ({ value: jsonOf(source.value) })),
  }))
}

function jsonOf(value: Value | undefined): JsonValue {
  return value === undefined ? null : toJson(ValueSchema, value)
}

/** The objects of a text as manifests hold them. */
function sortedTexts(text: string, file: string): string[] {
  const manifests = parseManifests(text, { file })
  for (const manifest of manifests) dropEmptyAnnotations(manifest)
  return sortManifests(manifests).map((manifest) => manifestToJson(manifest))
}
