import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import valid from 'semver/functions/valid.js'
import type { BuildEnvironment } from '../../source/build-environment.ts'
import type { OriginOf } from '../../source/option-origin.ts'
import { SourceRefs } from './source-refs.ts'
import {
  type ChartDependency,
  hasBuiltDependencies,
  isLocked,
  readChart,
  vendoredCharts,
} from './helm-chart.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { expandGlob, isGlob } from '@wadi/file-trees/path-glob.ts'
import { isBelow, pathWithin, shownPath } from '@wadi/file-trees/repository-path.ts'
import type { HelmOptions } from './helm-option-schema.ts'
import type { RenderPolicy } from '../../source/source.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/** The step that puts a dependency that is not vendored under `charts/` before the chart is rendered. */
export interface DependencyStep {
  /** Directory of the chart that lacks it. */
  readonly chart: string
  /** Directories of the charts to package into it, when it also has vendored ones which a build would drop; else everything is built. */
  readonly packages: readonly string[]
  /** Repositories that have to be known to Helm before. */
  readonly repositories: readonly string[]
  /** The packages that a build comes down to, when there is nothing to choose, check or build below; else none. */
  readonly plainPackages: readonly PlainPackage[]
}

/** A chart that has all its own dependencies under `charts/`, of exactly the version that is asked for. */
export interface PlainPackage {
  readonly directory: string
  /** Name of the file that Helm packs it into. */
  readonly archive: string
}

/** A value set by name, its variables substituted. */
interface HelmParameter {
  readonly option: '--set' | '--set-string'
  readonly name: string
  readonly value: string
}

/** A Helm render with its paths resolved; they are relative to the repository's root. */
export interface ChartRender {
  readonly chartName: string
  /** In the order in which they are needed. */
  readonly dependencySteps: readonly DependencyStep[]
  readonly valueFiles: readonly string[]
  /** Without those that a later one of the same name replaces. */
  readonly parameters: readonly HelmParameter[]
  readonly fileParameters: ReadonlyArray<{ readonly name: string; readonly path: string }>
}

/** Largest file of values, in bytes. */
const maxTextFileBytes = 64 * 1024 * 1024

/** Deepest chain of `file://` dependencies. */
const deepestDependency = 20

/**
 * Finds everything that Helm may read for the chart at `path` and adds it to `inputs`.
 * @throws InvalidInputError for a path that leaves the repository, a URL, a dependency that is neither vendored nor local
 */
export async function planHelm(
  tree: TracingTree,
  path: string,
  options: HelmOptions,
  environment: BuildEnvironment,
  policy: RenderPolicy,
  inputs: InputCollector,
  originOf: OriginOf = () => undefined,
): Promise<ChartRender> {
  await inputs.add(path)
  const steps: DependencyStep[] = []
  await planDependencies(tree, path, policy, inputs, steps, [])
  const { name } = await readChart(tree, path)
  const valueFiles: string[] = []
  const refs = new SourceRefs(tree, environment, originOf)
  const explicit: string[] = []
  for (const [index, file] of (options.valueFiles ?? []).entries()) {
    explicit.push(await refs.resolve(path, file, { what: 'value file', at: ['helm', 'valueFiles', index] }))
  }
  for (const file of explicit) {
    for (const resolved of await matchingFiles(tree, file, options.ignoreMissingValueFiles ?? false)) {
      const given = explicit.some((other) => !isGlob(other) && other === resolved)
      if (valueFiles.includes(resolved) || (given && isGlob(file))) continue
      if (await addFile(inputs, resolved, 'value file', options.ignoreMissingValueFiles ?? false)) {
        await requireText(tree, resolved, inputs)
        valueFiles.push(resolved)
      } else await tree.noteAbsence(resolved)
    }
  }
  const fileParameters: { name: string; path: string }[] = []
  for (const [index, parameter] of (options.fileParameters ?? []).entries()) {
    const at = ['helm', 'fileParameters', index, 'path']
    const resolved = await refs.resolve(path, parameter.path, { what: 'file parameter', at })
    await addFile(inputs, resolved, 'file parameter', false)
    await requireText(tree, resolved, inputs)
    fileParameters.push({ name: parameter.name, path: resolved })
  }
  const parameters = effectiveParameters(options, environment)
  return { chartName: name, dependencySteps: steps, valueFiles, parameters, fileParameters }
}

/** The parameters that apply, without those that a later one of the same name replaces. */
export function effectiveParameters(options: HelmOptions, environment: BuildEnvironment): HelmParameter[] {
  const last = new Map<string, HelmParameter>()
  for (const { name, value = '', forceString = false } of options.parameters ?? []) {
    const option = forceString ? '--set-string' : '--set'
    last.delete(`${option} ${name}`)
    last.set(`${option} ${name}`, { option, name, value: environment.substitute(value) })
  }
  return [...last.values()]
}

async function matchingFiles(tree: TracingTree, file: string, mayLack: boolean): Promise<string[]> {
  if (!isGlob(file)) return [file]
  const matches = await expandGlob(tree, file)
  if (matches.length === 0 && !mayLack) {
    throw new NotFoundError(
      `value files glob "${shownPath(file)}" matched no files; correct it or set ignoreMissingValueFiles`,
    )
  }
  return matches
}

async function addFile(
  inputs: InputCollector,
  path: string,
  what: string,
  mayLack: boolean,
): Promise<boolean> {
  const found = await inputs.add(path)
  if (found?.entry.kind === 'directory')
    throw new InvalidInputError(`${what} "${shownPath(path)}" is a directory; name a file`)
  if (found === undefined && !mayLack) {
    throw new InvalidInputError(
      `${what} "${shownPath(path)}" does not exist; create it, correct the name or remove it`,
    )
  }
  return found !== undefined
}

/** Helm takes bytes that are not UTF-8 for others. */
async function requireText(tree: TracingTree, path: string, inputs: InputCollector): Promise<void> {
  fileText(await tree.read(await inputs.follow(path), maxTextFileBytes), shownPath(path))
}

async function planDependencies(
  tree: TracingTree,
  chart: string,
  policy: RenderPolicy,
  inputs: InputCollector,
  steps: DependencyStep[],
  chain: readonly string[],
): Promise<void> {
  if (chain.includes(chart) || chain.length > deepestDependency) {
    throw new InvalidInputError(`file:// dependencies loop: ${[...chain, chart].join(' → ')}`)
  }
  const { name, dependencies } = await readChart(tree, chart)
  if (dependencies.length === 0) return
  const isVendored = await vendoredCharts(tree, chart)
  const missing = dependencies.filter((dependency) => !isVendored(dependency.name))
  if (missing.length === 0) return
  const local: string[] = []
  const repositories: string[] = []
  const plainPackages: PlainPackage[] = []
  for (const dependency of missing) {
    if (dependency.repository.startsWith('file://')) {
      const directory = localChart(chart, dependency)
      if ((await inputs.add(directory)) === undefined) {
        throw new InvalidInputError(
          `${dependency.place}: chart ${name} needs ${dependency.name} from "${directory}", which does not exist`,
        )
      }
      await planDependencies(tree, directory, policy, inputs, steps, [...chain, chart])
      local.push(directory)
      const archive = await plainArchive(tree, directory, dependency)
      if (archive !== undefined) plainPackages.push({ directory, archive })
    } else {
      const pinned = valid(dependency.version) !== null || (await isLocked(tree, chart, dependency))
      if (!policy.allowRemoteCharts || !pinned || dependency.repository === '') {
        throw new InvalidInputError(remoteDependency(name, chart, dependency, policy.allowRemoteCharts))
      }
      repositories.push(dependency.repository)
    }
  }
  const partlyVendored = missing.length < dependencies.length && repositories.length === 0
  steps.push({
    chart,
    packages: partlyVendored ? [...new Set(local)] : [],
    repositories: [...new Set(repositories)],
    plainPackages:
      plainPackages.length === dependencies.length && !(await hasBuiltDependencies(tree, chart))
        ? plainPackages
        : [],
  })
}

/** The archive that a build makes of a local chart if it can do nothing else; undefined when Helm must decide. */
async function plainArchive(
  tree: TracingTree,
  directory: string,
  dependency: ChartDependency,
): Promise<string | undefined> {
  const { name, version, dependencies } = await readChart(tree, directory)
  const isPlain =
    (await areVendored(tree, directory, dependencies)) &&
    name === dependency.name &&
    /^[a-zA-Z0-9][\w-]*$/.test(name) &&
    version === dependency.version &&
    valid(version) === version
  return isPlain ? `${name}-${version}.tgz` : undefined
}

/** True if a chart has all these dependencies under `charts/`. */
async function areVendored(
  tree: TracingTree,
  chart: string,
  dependencies: readonly ChartDependency[],
): Promise<boolean> {
  if (dependencies.length === 0) return true
  const isVendored = await vendoredCharts(tree, chart)
  return dependencies.every(({ name }) => isVendored(name))
}

function localChart(chart: string, dependency: ChartDependency): string {
  const given = dependency.repository.slice('file://'.length)
  const what = `${dependency.place}: dependency ${dependency.name}`
  if (given.startsWith('/'))
    throw new InvalidInputError(`${what} "${given}" is absolute; give it relative to the chart`)
  const directory = pathWithin(chart, given, what)
  if (isBelow(chart, directory))
    throw new InvalidInputError(`${what} "${given}" holds the chart that needs it`)
  return directory
}

function remoteDependency(
  name: string,
  chart: string,
  dependency: ChartDependency,
  allowed: boolean,
): string {
  const remedy = `run "helm dependency update ${chart || '.'}" and commit its charts/ directory`
  const problem = allowed
    ? 'is downloaded only when its version is exact or in Chart.lock, and it has a repository'
    : 'would be downloaded, so the same commit could render differently'
  return `${dependency.place}: chart ${name} needs ${dependency.name} ${dependency.version} from "${dependency.repository}", which is not under charts/ and ${problem}; ${remedy}`
}
