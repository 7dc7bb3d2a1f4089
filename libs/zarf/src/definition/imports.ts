import { posix } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { composeComponents } from './compose-component.ts'
import { definitionAt, readComponentFile, readDefinition } from './definition-file.ts'
import type { DefinitionFile } from './definition-file.ts'
import { spend } from '../lint/finding.ts'
import type { Budget } from '../lint/finding.ts'
import { failedAt, directoryOf, importPlace, rebased, requireNoCycle } from './import-place.ts'
import { itemsOf, partOf, textOf, withParts } from './located-tree.ts'
import type { PackageFiles } from './package-files.ts'
import { rebaseComponent } from './rebase-component.ts'

/** The architecture and the flavor that decide which components belong to a package. */
export interface Target {
  architecture: string
  /** Empty when none was chosen. */
  flavor: string
}

/** A package with everything that it imports. Paths are from the directory of the package. */
export interface ComposedPackage {
  components: readonly Located[]
  variables: readonly Located[]
  constants: readonly Located[]
  /** Paths of values files, the deepest import first. */
  valuesFiles: readonly Located[]
  /** Paths of the schemas of imported packages. */
  importedSchemas: readonly Located[]
}

/** The most imports that one package may need, those of imported packages included. */
const maxImports = 1000

interface Importing {
  files: PackageFiles
  target: Target
  budget: Budget
  read: Map<string, Promise<DefinitionFile>>
}

/**
 * Brings the components that a package imports into it. Components for another flavor or architecture are left out.
 *
 * @throws InvalidInputError for imports that are not in git, missing or in a cycle.
 * @throws ResourceExhaustedError when there are more than 1,000.
 */
export async function resolveImports(
  files: PackageFiles,
  definition: DefinitionFile,
  target: Target,
): Promise<ComposedPackage> {
  const importing: Importing = {
    files,
    target,
    budget: { left: maxImports },
    read: new Map(),
  }
  const components = itemsOf(partOf(definition.tree, 'components'))
  return definition.version === 'v1alpha1'
    ? composeAlpha(importing, definition, components, [])
    : composeBeta(importing, definition, components, [definition.path])
}

/** True if a component is for the flavor and architecture that a package is rendered for. */
export function isCompatible(component: Located, { architecture, flavor }: Target): boolean {
  const ownArchitecture = textOf(component, 'only', 'cluster', 'architecture')
  const ownFlavor = textOf(component, 'only', 'flavor')
  return (
    (ownArchitecture === '' || ownArchitecture === architecture) && (ownFlavor === '' || ownFlavor === flavor)
  )
}

/** Keeps the first of those items that have the same key. */
function unique(items: readonly Located[], keyOf: (item: Located) => string): Located[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = keyOf(item)
    return !seen.has(key) && seen.add(key)
  })
}

const pathKey = (path: Located): string => posix.normalize(textOf(path))
const nameKey = (item: Located): string => textOf(item, 'name')

async function composeAlpha(
  importing: Importing,
  definition: DefinitionFile,
  components: readonly Located[],
  stack: readonly string[],
): Promise<ComposedPackage> {
  const { tree, path } = definition
  const composed: Located[] = []
  const variables = itemsOf(partOf(tree, 'variables'))
  const constants = itemsOf(partOf(tree, 'constants'))
  const valuesFiles: Located[] = []
  const schemas: Located[] = []
  for (const component of components) {
    if (!isCompatible(component, importing.target)) continue
    const source = partOf(component, 'import', 'path')
    refuseRemote(component)
    if (textOf(source) === '') {
      composed.push(component)
      continue
    }
    const inner = await importAlpha(importing, definition, component, [...stack, path])
    composed.push(composeComponents(inner.component, component, 'v1alpha1'))
    variables.push(...inner.found.variables)
    constants.push(...inner.found.constants)
    valuesFiles.push(...inner.found.valuesFiles.map((file) => rebased(inner.directory, file)))
    schemas.push(...inner.found.importedSchemas.map((file) => rebased(inner.directory, file)))
  }
  return {
    components: composed,
    variables: unique(variables, nameKey),
    constants: unique(constants, nameKey),
    valuesFiles: unique([...valuesFiles, ...itemsOf(partOf(tree, 'values', 'files'))], pathKey),
    importedSchemas: unique(schemas, pathKey),
  }
}

function refuseRemote(component: Located): void {
  const url = partOf(component, 'import', 'url')
  if (url !== undefined && textOf(url) !== '') {
    const path = partOf(component, 'import', 'path')
    if (path !== undefined && textOf(path) !== '') {
      throw new InvalidInputError(
        `component ${textOf(component, 'name')} imports both the path ${textOf(path)} and the url ${textOf(url)}; only one can be set`,
        { at: url.at },
      )
    }
    throw new InvalidInputError(
      `component ${textOf(component, 'name')} imports ${textOf(url)}, which is not in git: ` +
        'add the package to the repository and import it by its path',
      { at: url.at },
    )
  }
}

interface ImportedComponent {
  component: Located
  found: ComposedPackage
  /** From the directory of the importing package. */
  directory: string
}

async function importAlpha(
  importing: Importing,
  definition: DefinitionFile,
  component: Located,
  stack: readonly string[],
): Promise<ImportedComponent> {
  const source = partOf(component, 'import', 'path') ?? component
  const { at } = source
  const place = importPlace(definition.path, source)
  const file = await definitionAt(importing.files, place).catch(failedAt(at))
  requireNoCycle(stack, file, at)
  spend(importing.budget, `${formatLocation(at)}: the package needs more than ${maxImports} imports`)
  const imported = await readOnce(importing, file, readDefinition)
  if (imported.version !== 'v1alpha1') {
    throw new InvalidInputError(`a v1alpha1 package cannot import from ${file}, which is v1beta1`, { at })
  }
  const name = textOf(component, 'import', 'name') || textOf(component, 'name')
  const relevant = itemsOf(partOf(imported.tree, 'components')).filter(
    (each) => textOf(each, 'name') === name,
  )
  const found = await composeAlpha(importing, imported, relevant, stack)
  const [only, ...others] = found.components
  if (only === undefined) {
    throw new InvalidInputError(`no compatible component named ${name} found in ${file}`, { at })
  }
  if (others.length > 0) {
    throw new InvalidInputError(`multiple components named ${name} found in ${file}`, { at })
  }
  const directory = posix.relative(directoryOf(definition.path), directoryOf(file))
  const own = partOf(imported.tree, 'values', 'schema')
  const schemas = own === undefined || textOf(own) === '' ? [] : [own]
  return {
    component: rebaseComponent(only, directory),
    found: { ...found, importedSchemas: [...schemas, ...found.importedSchemas] },
    directory,
  }
}

async function composeBeta(
  importing: Importing,
  definition: DefinitionFile,
  components: readonly Located[],
  stack: readonly string[],
): Promise<ComposedPackage> {
  const composed: Located[] = []
  const valuesFiles: Located[] = []
  const schemas: Located[] = []
  for (const component of components) {
    if (!isCompatible(component, importing.target)) continue
    const inner = await importBeta(importing, definition, component, stack)
    composed.push(withParts(inner.component, [['import', undefined]]))
    valuesFiles.push(...inner.found.valuesFiles)
    schemas.push(...inner.found.importedSchemas)
  }
  return {
    components: composed,
    variables: [],
    constants: [],
    valuesFiles: unique([...valuesFiles, ...itemsOf(partOf(definition.tree, 'values', 'files'))], pathKey),
    importedSchemas: unique(schemas, pathKey),
  }
}

const nothing: ComposedPackage = {
  components: [],
  variables: [],
  constants: [],
  valuesFiles: [],
  importedSchemas: [],
}

async function importBeta(
  importing: Importing,
  definition: DefinitionFile,
  component: Located,
  stack: readonly string[],
): Promise<ImportedComponent> {
  const [remote] = itemsOf(partOf(component, 'import', 'remote'))
  if (remote !== undefined) {
    throw new InvalidInputError(
      `${textOf(remote, 'url')} is not in git: add the component to the repository and ` +
        'import it by its path',
      { at: remote.at },
    )
  }
  const entries = itemsOf(partOf(component, 'import', 'local'))
  const [first] = entries
  if (first === undefined) {
    return { component, found: nothing, directory: '' }
  }
  const variants: { file: DefinitionFile; component: Located }[] = []
  for (const entry of entries) {
    variants.push(...(await betaVariant(importing, definition, entry, stack)))
  }
  const { at } = first
  const [chosen, ...others] = variants
  if (chosen === undefined) {
    throw new InvalidInputError('no imported component variant is compatible with the package target', { at })
  }
  if (others.length > 0) {
    throw new InvalidInputError(
      'multiple imported component variants are compatible with the package target: ' +
        variants.map(({ file }) => file.path).join(', '),
      { at },
    )
  }
  const { file } = chosen
  const inner = await importBeta(importing, file, chosen.component, [...stack, file.path])
  const directory = posix.relative(directoryOf(definition.path), directoryOf(file.path))
  const own = partOf(file.tree, 'values', 'schema')
  const files = [...inner.found.valuesFiles, ...itemsOf(partOf(file.tree, 'values', 'files'))]
  const schemas = [...(own === undefined || textOf(own) === '' ? [] : [own]), ...inner.found.importedSchemas]
  return {
    component: composeComponents(rebaseComponent(inner.component, directory), component, 'v1beta1'),
    found: {
      ...nothing,
      valuesFiles: files.map((each) => rebased(directory, each)),
      importedSchemas: schemas.map((each) => rebased(directory, each)),
    },
    directory,
  }
}

async function betaVariant(
  importing: Importing,
  definition: DefinitionFile,
  entry: Located,
  stack: readonly string[],
): Promise<{ file: DefinitionFile; component: Located }[]> {
  const source = partOf(entry, 'path') ?? entry
  const { at } = source
  const place = importPlace(definition.path, source)
  requireNoCycle(stack, place, at)
  spend(importing.budget, `${formatLocation(at)}: the package needs more than ${maxImports} imports`)
  const file = await readOnce(importing, place, readComponentFile).catch(failedAt(at))
  const components = itemsOf(partOf(file.tree, 'components'))
  return components
    .filter((component) => isCompatible(component, importing.target))
    .map((component) => ({ file, component }))
}

function readOnce(
  importing: Importing,
  path: string,
  read: (files: PackageFiles, path: string) => Promise<DefinitionFile>,
): Promise<DefinitionFile> {
  let reading = importing.read.get(path)
  if (reading === undefined) {
    reading = read(importing.files, path)
    importing.read.set(path, reading)
  }
  return reading
}
