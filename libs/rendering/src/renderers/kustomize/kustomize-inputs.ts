import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import {
  type ConfigFile,
  maxConfigFileBytes,
  placeOfField,
  parseConfigs,
  readConfigFile,
} from '../../source/config-file.ts'
import {
  chartFields,
  chartGenerator,
  chartOf,
  defaultChartHome,
  enableHelm,
  isDownloaded,
  type KustomizationChart,
} from './kustomize-charts.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { childPath, isBelow, pathWithin } from '@wadi/file-trees/repository-path.ts'
import type { RenderPolicy } from '../../source/source.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/** The names that a kustomization may have, in the order in which they are looked for. */
const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']

/** Deepest chain of bases. */
const deepestBase = 50

/** Fields that list files, or directories with a kustomization of their own. */
const resourceFields = ['resources', 'bases', 'components', 'generators', 'transformers', 'validators']
/** Those of them that configure plugins, whose configuration names files in turn. */
const pluginFields = new Set(['generators', 'transformers', 'validators'])
/** Fields that list files. */
const fileFields = ['crds', 'configurations', 'patchesStrategicMerge']
/** Fields whose entries may be YAML that is written in place. */
const inPlaceFields = new Set([...pluginFields, 'patchesStrategicMerge'])
/** Fields that list objects with the path of a file. */
const pathFields = ['patches', 'patchesJson6902', 'replacements']

/** Finds the kustomization of a directory, following links; of several the first one. */
export async function findKustomization(tree: FileTree, directory: string): Promise<string | undefined> {
  const [file] = await kustomizationsIn(tree, directory)
  return file
}

async function kustomizationsIn(tree: FileTree, directory: string): Promise<string[]> {
  const files: string[] = []
  for (const name of kustomizationNames) {
    const found = await followPath(tree, childPath(directory, name))
    if (found !== undefined && found.entry.kind !== 'directory') files.push(childPath(directory, name))
  }
  return files
}

/** Follows a kustomization's references and adds every file that a build may read to `inputs`. */
export class KustomizeInputs {
  /** The kustomizations that were found, each before those that it refers to. */
  readonly kustomizations: string[] = []
  /** The files that Kustomize reads as YAML, those of them apart. */
  readonly yamlFiles = new Set<string>()
  /** The last reference that is fetched over the network, where the operator allows it. */
  remote: string | undefined
  /** True when Kustomize runs Helm for charts. */
  usesHelm = false
  /** The repositories of the charts that are downloaded, where the operator allows it. */
  readonly remoteCharts: string[] = []
  readonly #tree: TracingTree
  readonly #policy: RenderPolicy
  readonly #inputs: InputCollector
  readonly #visited = new Set<string>()

  constructor(tree: TracingTree, policy: RenderPolicy, inputs: InputCollector) {
    this.#tree = tree
    this.#policy = policy
    this.#inputs = inputs
  }

  get #allowsHelm(): boolean {
    return this.#policy.kustomizeBuildOptions.includes(enableHelm)
  }

  /** Adds the kustomization of `directory` and whatever it refers to. @throws InvalidInputError if there is none */
  async addDirectory(directory: string, chain: readonly string[] = []): Promise<void> {
    if (chain.length > deepestBase || chain.includes(directory)) {
      throw new InvalidInputError(`kustomizations loop: ${[...chain, directory].join(' → ')}`)
    }
    if (this.#visited.has(directory)) return
    this.#visited.add(directory)
    // The directory's id covers every file in it, so an unchanged directory costs one read.
    await this.#tree.entry(await this.#inputs.follow(directory))
    const [file, ...others] = await kustomizationsIn(this.#tree, directory)
    if (file === undefined) {
      throw new InvalidInputError(
        `"${directory || '.'}" has no ${kustomizationNames.join(', ')}; create one or correct the path`,
      )
    }
    if (others.length > 0) {
      throw new InvalidInputError(`${[file, ...others].join(' and ')} are in one directory; keep one of them`)
    }
    await this.#inputs.add(file)
    this.kustomizations.push(file)
    const config = await readConfigFile(this.#tree, await this.#inputs.follow(file), file)
    if (!isJsonObject(config.value))
      throw new InvalidInputError(`${file}:1: a kustomization must be an object`)
    await this.#addReferences(config, config.value, directory, [...chain, directory])
  }

  async #addReferences(
    config: ConfigFile,
    kustomization: Record<string, unknown>,
    directory: string,
    chain: readonly string[],
  ): Promise<void> {
    await this.#addCharts(config, kustomization, directory, chain)
    const add = async (
      reference: unknown,
      field: readonly PropertyKey[],
      isContent = false,
    ): Promise<void> => {
      if (typeof reference === 'string')
        await this.addReference(reference, directory, chain, () => placeOfField(config, field), isContent)
    }
    for (const field of [...resourceFields, ...fileFields]) {
      for (const [index, reference] of listOf(kustomization[field]).entries()) {
        if (typeof reference === 'string' && inPlaceFields.has(field) && isWrittenInPlace(reference)) {
          if (pluginFields.has(field)) await this.#addPluginFiles(reference, config.file, directory, chain)
          continue
        }
        await add(reference, [field, index])
        if (pluginFields.has(field) && typeof reference === 'string') {
          await this.#addPluginConfiguration(pathWithin(directory, reference, field), directory, chain)
        }
      }
    }
    for (const field of pathFields) {
      for (const [index, item] of listOf(kustomization[field]).entries()) {
        if (isJsonObject(item)) await add(item['path'], [field, index, 'path'])
      }
    }
    for (const field of ['configMapGenerator', 'secretGenerator']) {
      for (const [index, item] of listOf(kustomization[field]).entries()) {
        if (isJsonObject(item)) await this.#addGenerator(item, (path) => add(path, [field, index], true))
      }
    }
    if (isJsonObject(kustomization['openapi']))
      await add(kustomization['openapi']['path'], ['openapi', 'path'])
  }

  async #addCharts(
    config: ConfigFile,
    kustomization: Record<string, unknown>,
    directory: string,
    chain: readonly string[],
  ): Promise<void> {
    for (const field of chartFields) {
      if (kustomization[field] === undefined) continue
      if (!this.#allowsHelm) {
        throw new InvalidInputError(
          `${placeOfField(config, [field])}: ${field} needs the build option ${enableHelm}, which the operator has not allowed; use a Helm source instead`,
        )
      }
      for (const [index, entry] of listOf(kustomization[field]).entries()) {
        if (!isJsonObject(entry)) continue
        const chart = chartOf(entry, kustomization['helmGlobals'])
        await this.#addChart(chart, directory, chain, placeOfField(config, [field, index]))
      }
    }
  }

  async #addChart(
    chart: KustomizationChart,
    directory: string,
    chain: readonly string[],
    place: string,
  ): Promise<void> {
    this.usesHelm = true
    await this.#inputs.add(pathWithin(directory, chart.home, `${place}: chartHome`))
    if (await isDownloaded(this.#tree, directory, chart, this.#policy, place))
      this.remoteCharts.push(chart.repository)
    for (const file of chart.valuesFiles) {
      if (typeof file === 'string') await this.addReference(file, directory, chain, () => place)
    }
  }

  /**
   * Adds what one reference of a kustomization names, relative to its directory.
   * @param isContent whether a file is taken as it is, and not read as YAML
   */
  async addReference(
    reference: string,
    directory: string,
    chain: readonly string[],
    place: () => string,
    isContent = false,
  ): Promise<void> {
    if (isRemote(reference) && !(await this.#isLocalDirectory(directory, reference))) {
      this.remote = reference
      if (this.#policy.allowRemoteBases) return
      throw new InvalidInputError(
        `${place()}: "${reference}" is fetched from elsewhere, so the same commit could render differently; copy it into the repository`,
      )
    }
    if (reference.startsWith('/')) {
      throw new InvalidInputError(
        `${place()}: "${reference}" is absolute; give it relative to the kustomization`,
      )
    }
    const path = pathWithin(directory, reference, `${place()}:`)
    const target = await followPath(this.#tree, path)
    if (target?.entry.kind === 'directory') {
      if (isBelow(directory, path)) {
        throw new InvalidInputError(`${place()}: "${reference}" holds the kustomization that names it`)
      }
      await this.addDirectory(path, chain)
    } else if (target === undefined) {
      throw new InvalidInputError(
        `${place()}: "${path}" does not exist; create it, correct the name or remove it`,
      )
    } else {
      await this.#inputs.add(path)
      if (!isContent) this.yamlFiles.add(path)
    }
  }

  /** True if a reference that looks like an address is a directory to Kustomize, as `app.git` may be; a repository of GitHub never is. */
  async #isLocalDirectory(directory: string, reference: string): Promise<boolean> {
    if (/:\/\/|[?&\\]|^[^/]+@|^(?:www\.)?github\.com[/:][^/]+\/./i.test(reference)) return false
    const found = await followPath(this.#tree, pathWithin(directory, reference, 'reference'))
    return found?.entry.kind === 'directory'
  }

  async #addPluginConfiguration(file: string, directory: string, chain: readonly string[]): Promise<void> {
    const found = await followPath(this.#tree, file)
    // Among what a directory of generators builds may be one of charts.
    if (found?.entry.kind === 'directory' && this.#allowsHelm) {
      this.usesHelm = true
      await this.#inputs.add(childPath(directory, defaultChartHome))
    }
    if (found === undefined || found.entry.kind === 'directory') return
    const text = (await this.#tree.read(found.target, maxConfigFileBytes)).toString()
    await this.#addPluginFiles(text, file, directory, chain)
  }

  async #addGenerator(item: Record<string, unknown>, add: (path: unknown) => Promise<void>): Promise<void> {
    for (const file of listOf(item['files'])) {
      if (typeof file === 'string') await add(file.slice(file.indexOf('=') + 1))
    }
    for (const file of [item['env'], ...listOf(item['envs'])]) if (file !== '') await add(file)
  }

  /** Adds the files that the configuration of a plugin names: the plugins of Kustomize have them under a few keys. */
  async #addPluginFiles(
    text: string,
    file: string,
    directory: string,
    chain: readonly string[],
  ): Promise<void> {
    const add = async (path: unknown): Promise<void> => {
      if (typeof path === 'string') await this.addReference(path, directory, chain, () => file)
    }
    for (const { value } of parseConfigs(text, file)) {
      if (!isJsonObject(value)) continue
      if (value['kind'] === chartGenerator && this.#allowsHelm) {
        await this.#addChart(chartOf(value), directory, chain, file)
        continue
      }
      for (const path of listOf(value['paths'])) await add(path)
      for (const item of [value, ...listOf(value['replacements'])])
        if (isJsonObject(item)) await add(item['path'])
      await this.#addGenerator(value, add)
    }
  }
}

/** True if an entry is YAML and not the name of a file: it has several lines, or is one list or object. */
function isWrittenInPlace(entry: string): boolean {
  return /\n|^\s*[[{]/.test(entry)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** True if a reference leads out of the repository over the network, by the forms that Kustomize accepts. */
function isRemote(reference: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*::?\/?\/?[^/]*[/@]/i.test(reference) ||
    /^[^/]+@[^/]+:/.test(reference) ||
    /^(github\.com|gitlab\.com|bitbucket\.org|www\.github\.com)[/:]/i.test(reference) ||
    /[?&](ref|version|timeout|submodules)=/.test(reference) ||
    /^[a-z0-9-]+(\.[a-z0-9-]+)+\/.+\/\/|\.git(\/|\?|$)/i.test(reference)
  )
}
