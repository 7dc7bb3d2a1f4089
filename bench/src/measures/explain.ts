import type { FileEntry, FileTree } from '@wadi/file-trees/file-tree.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { explainSource } from '@wadi/rendering/parameters/explain/explain-source.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { inspectSource } from '@wadi/rendering/inspection/inspect-source.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { isBelow } from '@wadi/file-trees/repository-path.ts'
import type { RenderPolicy, RenderSource } from '@wadi/rendering/source/source.ts'
import type { Effort } from '../effort.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'
import { generateMonorepo } from '../monorepo/generate-monorepo.ts'
import type { MonorepoApplication } from '../monorepo/monorepo-application.ts'

const standardApplications = 1_000

/** Applications that are explained one by one, spread over the repository. */
const sampleSize = 40

/** The maximum share of one application in the cost of all, in applications. */
const bar = 10

const policy: RenderPolicy = { allowRemoteBases: false, allowRemoteCharts: false, kustomizeBuildOptions: [] }

/**
 * Explains the values of single applications of a monorepo, then those of all, and compares what was looked at and the time
 * that it took. No explanation may open a file of another application.
 */
export async function measureExplain(
  directory: string,
  effort: Effort,
  tools: Tools,
): Promise<Measurement[]> {
  const applications = await generateMonorepo({
    directory,
    applications: effort.applications(standardApplications),
  })
  const explain = async (application: MonorepoApplication, tree: FileTree): Promise<readonly string[]> => {
    const source = sourceOf(application)
    const inspection = await inspectSource(tree, source, revision, { ...tools, plugins: noPlugins }, policy)
    await explainSource(tree, inspection)
    return inspection.inputs
  }
  const everything = new CountingTree(openDirectoryTree(directory))
  const whole = await timed(async () => {
    for (const application of applications) await explain(application, everything)
  })
  const step = Math.max(1, Math.floor(applications.length / sampleSize))
  const costs: Cost[] = []
  let most = 0
  let foreign = 0
  for (const application of applications.filter((_, index) => index % step === 0)) {
    const tree = new CountingTree(openDirectoryTree(directory))
    let inputs: readonly string[] = []
    costs.push(
      await timed(async () => {
        inputs = await explain(application, tree)
      }),
    )
    most = Math.max(most, tree.places.size)
    foreign += [...tree.files].filter((file) => isForeign(file, application, applications, inputs)).length
  }
  const one = median(costs)
  const name = `explain one of ${applications.length} applications`
  const share = bar / applications.length
  const looks = `at most ${most} paths looked at, ${everything.places.size} for all`
  return [
    atMost(`${name}, files of others opened`, foreign, 'files', 0, `${costs.length} applications`),
    atMost(`${name}, paths`, most / everything.places.size, '× all', share, looks),
    atMost(
      `${name}, time`,
      one.wall / whole.wall,
      '× all',
      share,
      `${costText(one)}; all: ${costText(whole)}`,
    ),
  ]
}

const revision = '0'.repeat(40)

function sourceOf({ path, name, namespace }: MonorepoApplication): RenderSource {
  return {
    path,
    options: {},
    destinationNamespace: namespace,
    applicationName: name,
    instance: { name, project: 'default' },
    repoUrl: 'https://git.example.com/deployments.git',
    targetRevision: 'main',
    manifestGeneratePaths: '',
  }
}

/** Returns true if a file is of another application, and this one is not made from it. */
function isForeign(
  file: string,
  own: MonorepoApplication,
  applications: readonly MonorepoApplication[],
  inputs: readonly string[],
): boolean {
  const isOurs = [own.path, ...inputs].some((place) => file === place || isBelow(file, place))
  return !isOurs && applications.some(({ path }) => isBelow(file, path))
}

/** Notes what is looked at. */
class CountingTree implements FileTree {
  readonly #tree: FileTree
  /** Paths that were looked at, opened or listed. */
  readonly places = new Set<string>()
  /** Files that were opened. */
  readonly files = new Set<string>()

  constructor(tree: FileTree) {
    this.#tree = tree
  }

  entry(path: string): Promise<FileEntry | undefined> {
    this.places.add(path)
    return this.#tree.entry(path)
  }

  list(path: string): Promise<readonly FileEntry[]> {
    this.places.add(path)
    return this.#tree.list(path)
  }

  read(path: string, maxBytes: number): Promise<Buffer> {
    this.places.add(path)
    this.files.add(path)
    return this.#tree.read(path, maxBytes)
  }
}

async function timed(work: () => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage()
  const started = performance.now()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - started) / 1000, cpu: (user + system) / 1_000_000 }
}
