import type { Location } from '@wadi/errors/location.ts'
import type { Located } from '@wadi/params/values/value.ts'

/** A path that is written in a package, from the directory of the package. */
export interface WrittenPath {
  path: string
  at: Location
}

/** The mapping of a value from a package to a chart. */
export interface ChartValue {
  sourcePath: string
  targetPath: string
  excludePaths: readonly string[]
  at: Location
}

/** A chart of a component. */
export interface Chart {
  name: string
  namespace: string
  /** Empty when the release has the chart's name. */
  releaseName: string
  /** Empty when the chart has a URL. */
  localPath: string
  url: string
  version: string
  valuesFiles: readonly WrittenPath[]
  templatedValuesFiles: readonly WrittenPath[]
  variables: readonly { name: string; path: string; at: Location }[]
  values: readonly ChartValue[]
  validatesSchema: boolean
  at: Location
}

/** Manifests of a component. */
export interface ManifestSet {
  name: string
  namespace: string
  files: readonly WrittenPath[]
  kustomizations: readonly WrittenPath[]
  allowsAnyDirectory: boolean
  enablesPlugins: boolean
  isTemplate: boolean
  at: Location
}

/** A file or directory of a component. */
export interface ZarfFile {
  source: WrittenPath
  target: string
  isTemplate: boolean
  at: Location
}

/** The value or variable that takes the output of an action. */
export interface SetValue {
  /** Path with a dot in front. */
  key: string
  type: 'string' | 'json' | 'yaml'
  /** True if it is written in the form of the proposal, `path: a.b`. */
  isProposalForm: boolean
  at: Location
}

/** When an action runs. */
export type ActionStage = 'before' | 'after' | 'onSuccess' | 'onFailure'

/** An action of a component. */
export interface Action {
  stage: ActionStage
  /** Empty for an action that waits. */
  cmd: string
  /** The name of the action in messages. */
  label: string
  isTemplate: boolean
  /** Texts that are templated, if the action is. */
  templates: readonly string[]
  dir: string
  env: readonly string[]
  /** The time limit of each try, in seconds; 0 for none. */
  maxTotalSeconds: number
  setValues: readonly SetValue[]
  setVariables: readonly { name: string; isSensitive: boolean; at: Location }[]
  at: Location
}

/** A component. */
export interface Component {
  name: string
  description: string
  isRequired: boolean
  isDefault: boolean
  /** True if nothing says if the component is required. */
  isUndecided: boolean
  /** Empty when the component is in none. */
  group: string
  /** Empty when the component is for every operating system. */
  system: string
  charts: readonly Chart[]
  manifests: readonly ManifestSet[]
  files: readonly ZarfFile[]
  /** Actions of onDeploy. */
  actions: readonly Action[]
  /** The number of actions of other operations. */
  otherActions: number
  images: readonly string[]
  repos: readonly string[]
  dataInjections: number
  healthChecks: number
  /** The tree as written, for checks. */
  tree: Located
}

/** A variable or constant. */
export interface PackageVariable {
  name: string
  /** Its purpose. */
  description: string
  /** The default of a variable or the value of a constant. */
  value: string
  /** True if a default is written, even an empty one. */
  hasValue: boolean
  pattern: string
  isPrompted: boolean
  isSensitive: boolean
  isFile: boolean
  autoIndent: boolean
  at: Location
}

/** A package with its imports. */
export interface ZarfPackage {
  name: string
  /** The directory of the definition, from the root of the repository. */
  directory: string
  components: readonly Component[]
  variables: readonly PackageVariable[]
  constants: readonly PackageVariable[]
  valuesFiles: readonly WrittenPath[]
  /** The package's own schema first. */
  schemas: readonly WrittenPath[]
  /** The definition, its imports resolved, in the form of v1alpha1. */
  tree: Located
}
