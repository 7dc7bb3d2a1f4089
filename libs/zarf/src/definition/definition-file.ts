import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { fromBeta, fromBetaComponent } from './beta-definition.ts'
import { throwErrors } from '../lint/finding.ts'
import type { Finding } from '../lint/finding.ts'
import { checkDefinition } from './definition-schema.ts'
import { itemsOf, partOf, textOf } from './located-tree.ts'
import { readText } from './package-files.ts'
import type { PackageFiles } from './package-files.ts'

/** The name of the file that defines a package. */
export const definitionName = 'zarf.yaml'

/** A file that defines a package or a component. */
export interface DefinitionFile {
  /** Path from the root of the repository. */
  path: string
  version: 'v1alpha1' | 'v1beta1'
  /** The content in the form of v1alpha1; of a component's file, a package of that one component. */
  tree: Located
}

/**
 * Reads a package definition.
 *
 * @throws NotFoundError when there is none.
 * @throws InvalidInputError with the place of everything that is no valid definition.
 */
export async function readDefinition(files: PackageFiles, path: string): Promise<DefinitionFile> {
  const tree = await readTree(files, path)
  const kind = textOf(tree, 'kind')
  if (kind === 'ZarfInitConfig') {
    throw new InvalidInputError(
      'a ZarfInitConfig sets up a cluster for zarf and cannot be hydrated: use a ZarfPackageConfig',
      { at: { file: path } },
    )
  }
  if (kind !== 'ZarfPackageConfig') {
    throw new InvalidInputError(`kind must be ZarfPackageConfig, and is ${kind === '' ? 'missing' : kind}`, {
      at: { file: path },
    })
  }
  const apiVersion = textOf(tree, 'apiVersion')
  if (apiVersion !== '' && apiVersion !== 'zarf.dev/v1alpha1' && apiVersion !== 'zarf.dev/v1beta1') {
    throw new InvalidInputError(
      `apiVersion ${apiVersion} is not known: use zarf.dev/v1alpha1 or zarf.dev/v1beta1`,
      { at: { file: path } },
    )
  }
  const isBeta = apiVersion === 'zarf.dev/v1beta1'
  const findings: Finding[] = []
  checkDefinition(tree, isBeta ? 'betaPackage' : 'alphaPackage', findings)
  if (isBeta) checkBetaCharts(itemsOf(partOf(tree, 'components')), findings)
  throwErrors(`${path} is not a valid package definition`, findings)
  return { path, version: isBeta ? 'v1beta1' : 'v1alpha1', tree: isBeta ? fromBeta(tree) : tree }
}

/**
 * Reads the file of a component of v1beta1.
 *
 * @throws InvalidInputError with the place of everything that is no valid component.
 */
export async function readComponentFile(files: PackageFiles, path: string): Promise<DefinitionFile> {
  const tree = await readTree(files, path)
  const kind = textOf(tree, 'kind')
  if (kind !== 'ZarfComponentConfig') {
    throw new InvalidInputError(
      'v1beta1 imports must be a ZarfComponentConfig; components cannot be imported from packages',
      { at: { file: path } },
    )
  }
  const findings: Finding[] = []
  checkDefinition(tree, 'betaComponent', findings)
  const component = partOf(tree, 'component')
  if (component !== undefined) checkBetaCharts([component], findings)
  throwErrors(`${path} is not a valid component`, findings)
  return { path, version: 'v1beta1', tree: fromBetaComponent(tree) }
}

const chartSources = ['local', 'git', 'oci', 'helmRepository']

/** Adds a finding for each chart of v1beta1 components that has several sources; it may have none to change an imported one. */
function checkBetaCharts(components: readonly Located[], findings: Finding[]): void {
  for (const chart of components.flatMap((component) => itemsOf(partOf(component, 'charts')))) {
    const sources = chartSources.filter((source) => partOf(chart, source) !== undefined)
    if (sources.length <= 1) continue
    const message = `chart "${textOf(chart, 'name')}" needs exactly one of ${chartSources.join(', ')}, and has ${sources.join(' and ')}`
    findings.push({ severity: 'error', message, at: chart.at })
  }
}

async function readTree(files: PackageFiles, path: string): Promise<Located> {
  return readLocatedYaml(await readText(files, path), path)
}

/** True if a directory holds a package. */
async function isPackage(files: PackageFiles, directory: string): Promise<boolean> {
  const entries = await files.list(directory)
  return entries?.some(({ name, isDirectory }) => name === definitionName && !isDirectory) === true
}

/**
 * Returns the file that an import names: a directory stands for the definition in it.
 *
 * @throws NotFoundError when there is neither.
 */
export async function definitionAt(files: PackageFiles, path: string): Promise<string> {
  const inDirectory = path === '' ? definitionName : `${path}/${definitionName}`
  if (await isPackage(files, path)) {
    return inDirectory
  }
  if (/\.ya?ml$/i.test(path) && (await files.read(path)) !== undefined) {
    return path
  }
  throw new NotFoundError(`unable to access import package path "${path}": there is no ${inDirectory}`)
}
