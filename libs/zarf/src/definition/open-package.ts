import { locatedFields } from '@wadi/params/values/located-fields.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { definitionName, readDefinition } from './definition-file.ts'
import type { Finding } from '../lint/finding.ts'
import { isCompatible, resolveImports } from './imports.ts'
import type { Target } from './imports.ts'
import { itemsOf, mapTexts, partOf, textOf } from './located-tree.ts'
import type { PackageFiles } from './package-files.ts'
import { composedTree } from '../templates/template-objects.ts'
import { validatePackage } from './validate-package.ts'
import { readZarfConfig } from './zarf-config.ts'
import type { ZarfConfig } from './zarf-config.ts'
import { readPackage } from './read-package.ts'
import type { ZarfPackage } from './zarf-package.ts'

/** The settings of `x-wadi` in a package. */
interface HydrateSettings {
  /** The given state of the cluster. */
  state: Located | undefined
  /** True if the package wants its actions to run in a sandbox. */
  wantsActions: boolean
  /** True if the order of components becomes sync waves. */
  syncWaves: boolean
}

/** A package that was read with everything beside it. */
export interface OpenPackage {
  package: ZarfPackage
  config: ZarfConfig
  settings: HydrateSettings
}

/** Reads a package, its imports and its configuration; findings get what Zarf's validation refuses. */
export async function openPackage(
  files: PackageFiles,
  directory: string,
  flavor: string | undefined,
  findings: Finding[],
): Promise<OpenPackage> {
  const path = directory === '' ? definitionName : `${directory}/${definitionName}`
  const config = await readZarfConfig(files, directory, findings)
  const definition = await readDefinition(files, path)
  const architecture = textOf(definition.tree, 'metadata', 'architecture') || 'amd64'
  const target = { architecture, flavor: flavor ?? config.flavor }
  const composed = await resolveImports(files, definition, target)
  const written = itemsOf(partOf(definition.tree, 'components'))
  noteIncompatible(written, composed.components, target, config.path, findings)
  const fill = (tree: Located, component?: string): Located =>
    fillTemplates(tree, config, architecture, component, findings)
  const filled = {
    components: composed.components.map((component) => fill(component, textOf(component, 'name'))),
    variables: composed.variables.map((variable) => fill(variable)),
    constants: composed.constants.map((constant) => fill(constant)),
    valuesFiles: composed.valuesFiles.map((file) => fill(file)),
    importedSchemas: composed.importedSchemas,
  }
  const tree = composedTree(definition.tree, filled, architecture)
  const zarfPackage = readPackage(tree, directory, filled)
  validatePackage(zarfPackage, findings)
  return { package: zarfPackage, config, settings: readSettings(partOf(tree, 'x-wadi')) }
}

/** Says of components for another flavor or architecture, without a variant for the wanted one, that they are left out. */
function noteIncompatible(
  written: readonly Located[],
  composed: readonly Located[],
  target: Target,
  configPath: string,
  findings: Finding[],
): void {
  const present = new Set(composed.map((component) => textOf(component, 'name')))
  for (const component of written) {
    const name = textOf(component, 'name')
    if (isCompatible(component, target) || present.has(name)) continue
    const flavor = textOf(component, 'only', 'flavor')
    const isOtherFlavor = flavor !== '' && flavor !== target.flavor
    const reason = isOtherFlavor
      ? `flavor ${flavor} and is left out: to include it, set package.create.flavor in ${configPath}`
      : `${textOf(component, 'only', 'cluster', 'architecture')} and is left out: to include it, set metadata.architecture`
    findings.push({ severity: 'warning', message: `component ${name} is for ${reason}`, at: component.at })
  }
}

const template = /###ZARF_(?:PKG_(?:TMPL|VAR)_([A-Z0-9_]+)|PKG_ARCH|COMPONENT_NAME)###/g

function fillTemplates(
  tree: Located,
  { createSet }: ZarfConfig,
  architecture: string,
  component: string | undefined,
  findings: Finding[],
): Located {
  return mapTexts(tree, (text, at) =>
    text.replace(template, (written: string, name: string | undefined) => {
      if (name === undefined) {
        return written === '###ZARF_PKG_ARCH###' ? architecture : (component ?? written)
      }
      const setting = createSet.get(name)
      if (setting === undefined) {
        const message = `package template ${written} has no value: set package.create.set.${name} in zarf-config.yaml`
        findings.push({ severity: 'error', message, at })
      }
      return setting?.value ?? written
    }),
  )
}

function readSettings(tree: Located | undefined): HydrateSettings {
  if (tree === undefined) return { state: undefined, wantsActions: false, syncWaves: false }
  const fields = locatedFields()
  fields.known(tree, ['state', 'actions', 'syncWaves'], 'x-wadi.')
  const actions = partOf(tree, 'actions')
  if (actions !== undefined && actions.value !== 'skip' && actions.value !== 'sandbox') {
    fields.wrong('x-wadi.actions', 'x-wadi.actions must be skip or sandbox', actions)
  }
  return {
    state: partOf(tree, 'state'),
    wantsActions: actions?.value === 'sandbox',
    syncWaves: fields.boolean(tree, 'syncWaves', 'x-wadi.') === true,
  }
}
