import { Float } from '@wadi/params/values/value.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { ComposedPackage } from './imports.ts'
import { flagOf, itemsOf, partOf, textOf, textsOf } from './located-tree.ts'
import type {
  Action,
  ActionStage,
  Chart,
  Component,
  ManifestSet,
  SetValue,
  PackageVariable,
  WrittenPath,
  ZarfFile,
  ZarfPackage,
} from './zarf-package.ts'

/** Reads a package of which the shape was checked. */
export function readPackage(tree: Located, directory: string, composed: ComposedPackage): ZarfPackage {
  const schema = partOf(tree, 'values', 'schema')
  const own = schema === undefined || textOf(schema) === '' ? [] : [schema]
  return {
    name: textOf(tree, 'metadata', 'name'),
    directory,
    components: composed.components.map(readComponent),
    variables: composed.variables.map((variable) => readVariable(variable, 'default')),
    constants: composed.constants.map((constant) => readVariable(constant, 'value')),
    valuesFiles: composed.valuesFiles.map(writtenPath),
    schemas: [...own, ...composed.importedSchemas].map(writtenPath),
    tree,
  }
}

function writtenPath(located: Located): WrittenPath {
  return { path: textOf(located), at: located.at }
}

function pathsAt(tree: Located, key: string): WrittenPath[] {
  return itemsOf(partOf(tree, key)).map(writtenPath)
}

function readVariable(tree: Located, valueKey: string): PackageVariable {
  return {
    name: textOf(tree, 'name'),
    value: textOf(tree, valueKey),
    hasValue: partOf(tree, valueKey) !== undefined,
    pattern: textOf(tree, 'pattern'),
    isPrompted: flagOf(tree, 'prompt'),
    isSensitive: flagOf(tree, 'sensitive'),
    isFile: textOf(tree, 'type') === 'file',
    description: textOf(tree, 'description'),
    autoIndent: flagOf(tree, 'autoIndent'),
    at: tree.at,
  }
}

function readComponent(tree: Located): Component {
  const actions = partOf(tree, 'actions')
  return {
    name: textOf(tree, 'name'),
    description: textOf(tree, 'description'),
    isRequired: flagOf(tree, 'required'),
    isDefault: flagOf(tree, 'default'),
    isUndecided: partOf(tree, 'required') === undefined,
    group: textOf(tree, 'group'),
    system: textOf(tree, 'only', 'localOS'),
    charts: itemsOf(partOf(tree, 'charts')).map(readChart),
    manifests: itemsOf(partOf(tree, 'manifests')).map(readManifest),
    files: itemsOf(partOf(tree, 'files')).map(readFile),
    actions: readActions(partOf(actions, 'onDeploy')),
    otherActions:
      readActions(partOf(actions, 'onCreate')).length + readActions(partOf(actions, 'onRemove')).length,
    images: [
      ...textsOf(tree, 'images'),
      ...itemsOf(partOf(tree, 'imageArchives')).flatMap((archive) => textsOf(archive, 'images')),
    ],
    repos: textsOf(tree, 'repos'),
    dataInjections: itemsOf(partOf(tree, 'dataInjections')).length,
    healthChecks: itemsOf(partOf(tree, 'healthChecks')).length,
    tree,
  }
}

function readChart(tree: Located): Chart {
  return {
    name: textOf(tree, 'name'),
    namespace: textOf(tree, 'namespace'),
    releaseName: textOf(tree, 'releaseName'),
    localPath: textOf(tree, 'localPath'),
    url: textOf(tree, 'url'),
    version: textOf(tree, 'version'),
    valuesFiles: pathsAt(tree, 'valuesFiles'),
    templatedValuesFiles: pathsAt(tree, 'templatedValuesFiles'),
    variables: itemsOf(partOf(tree, 'variables')).map((variable) => ({
      name: textOf(variable, 'name'),
      path: textOf(variable, 'path'),
      at: variable.at,
    })),
    values: itemsOf(partOf(tree, 'values')).map((value) => ({
      sourcePath: textOf(value, 'sourcePath'),
      targetPath: textOf(value, 'targetPath'),
      excludePaths: textsOf(value, 'excludePaths'),
      at: value.at,
    })),
    validatesSchema: partOf(tree, 'schemaValidation')?.value !== false,
    at: tree.at,
  }
}

function readManifest(tree: Located): ManifestSet {
  return {
    name: textOf(tree, 'name'),
    namespace: textOf(tree, 'namespace'),
    files: pathsAt(tree, 'files'),
    kustomizations: pathsAt(tree, 'kustomizations'),
    allowsAnyDirectory: flagOf(tree, 'kustomizeAllowAnyDirectory'),
    enablesPlugins: flagOf(tree, 'enableKustomizePlugins'),
    isTemplate: flagOf(tree, 'template'),
    at: tree.at,
  }
}

function readFile(tree: Located): ZarfFile {
  return {
    source: writtenPath(partOf(tree, 'source') ?? tree),
    target: textOf(tree, 'target'),
    isTemplate: flagOf(tree, 'template'),
    at: tree.at,
  }
}

const stages: readonly ActionStage[] = ['before', 'after', 'onSuccess', 'onFailure']
const maxLabelLength = 60

function readActions(set: Located | undefined): Action[] {
  return stages.flatMap((stage) =>
    itemsOf(partOf(set, stage)).map((tree) => readAction(tree, stage, partOf(set, 'defaults'))),
  )
}

function secondsOf(tree: Located | undefined): number | undefined {
  const written = partOf(tree, 'maxTotalSeconds')?.value
  const seconds = written instanceof Float ? written.value : written
  return typeof seconds === 'number' ? Math.max(0, seconds) : undefined
}

function readAction(tree: Located, stage: ActionStage, defaults: Located | undefined): Action {
  const cmd = textOf(tree, 'cmd')
  const wait = partOf(tree, 'wait')
  const cluster = ['kind', 'name', 'namespace', 'condition'].map((key) => textOf(wait, 'cluster', key))
  const network = ['protocol', 'address'].map((key) => textOf(wait, 'network', key))
  const variable = partOf(tree, 'setVariable')
  const shortened = cmd.length > maxLabelLength ? `${cmd.slice(0, maxLabelLength - 3)}...` : cmd
  return {
    stage,
    cmd,
    label:
      textOf(tree, 'description') || (wait === undefined ? shortened.replaceAll('\n', ' ').trim() : 'wait'),
    isTemplate: flagOf(tree, 'template'),
    templates: (wait === undefined ? [cmd] : [...cluster, ...network]).filter((each) => each !== ''),
    dir: textOf(tree, 'dir') || textOf(defaults, 'dir'),
    env: [...textsOf(defaults, 'env'), ...textsOf(tree, 'env')],
    maxTotalSeconds: secondsOf(tree) ?? secondsOf(defaults) ?? 0,
    setValues: itemsOf(partOf(tree, 'setValues')).map(readSetValue),
    setVariables: [
      ...(variable === undefined ? [] : [{ name: textOf(variable), isSensitive: false, at: variable.at }]),
      ...itemsOf(partOf(tree, 'setVariables')).map((each) => ({
        name: textOf(each, 'name'),
        isSensitive: flagOf(each, 'sensitive'),
        at: each.at,
      })),
    ],
    at: tree.at,
  }
}

function readSetValue(tree: Located): SetValue {
  const type = textOf(tree, 'type')
  const key = textOf(tree, 'key')
  const path = textOf(tree, 'path')
  const isProposalForm = key === '' && path !== ''
  return {
    key: isProposalForm && !path.startsWith('.') ? `.${path}` : key || path,
    type: type === 'json' || type === 'yaml' ? type : 'string',
    isProposalForm,
    at: tree.at,
  }
}
