import { fieldsOf, flag, integer, listOf, oneOf, patternText, text, textList, texts } from './shape.ts'
import type { Shape } from './shape.ts'

/** The form of the names of packages and components. */
const name = patternText(/^[a-z0-9][a-z0-9-]*$/)
const variableName = patternText(/^[A-Z0-9_]+$/)
const withoutSlash = patternText(/^[^/\\]*$/)
/** The form of paths of values in mappings. */
const valuePath = patternText(/^(\.|\.[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*)$/)
const excludedPath = patternText(/^\.[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*$/)
const serverSideApply = oneOf('true', 'false', 'auto')
const architecture = oneOf('amd64', 'arm64')
const operatingSystem = oneOf('linux', 'darwin', 'windows')
const stateAccess = listOf(oneOf('registryCredentials', 'gitCredentials', 'agentCerts'))
const anything: Shape = { kind: 'anything' }

const shell = fieldsOf({ windows: text, linux: text, darwin: text })

const wait = fieldsOf({
  cluster: fieldsOf({ 'kind!': text, 'name!': text, namespace: text, condition: text }),
  network: fieldsOf({ 'protocol!': oneOf('tcp', 'http', 'https'), 'address!': text, code: integer }),
})

const variable = {
  'name!': variableName,
  sensitive: flag,
  autoIndent: flag,
  pattern: text,
  type: oneOf('raw', 'file'),
}

const setValueType = oneOf('string', 'json', 'yaml')

const chartValue = fieldsOf({
  'sourcePath!': valuePath,
  'targetPath!': valuePath,
  excludePaths: listOf(excludedPath),
})

const imageArchive = fieldsOf({ 'path!': text, 'images!': textList })

const values = fieldsOf({ files: textList, schema: text })

const versionRequirement = fieldsOf({ 'version!': text, reason: text })

const alphaAction = fieldsOf({
  mute: flag,
  maxTotalSeconds: integer,
  maxRetries: integer,
  dir: text,
  env: textList,
  cmd: text,
  shell,
  setVariable: variableName,
  setVariables: listOf(fieldsOf(variable)),
  setValues: listOf(fieldsOf({ key: text, path: text, value: anything, type: setValueType })),
  description: text,
  wait,
  template: flag,
})

const alphaActions = fieldsOf({
  defaults: fieldsOf({
    mute: flag,
    maxTotalSeconds: integer,
    maxRetries: integer,
    dir: text,
    env: textList,
    shell,
  }),
  before: listOf(alphaAction),
  after: listOf(alphaAction),
  onSuccess: listOf(alphaAction),
  onFailure: listOf(alphaAction),
})

const alphaChart = fieldsOf({
  'name!': text,
  version: text,
  url: text,
  repoName: text,
  gitPath: text,
  localPath: text,
  namespace: text,
  releaseName: text,
  noWait: flag,
  valuesFiles: textList,
  templatedValuesFiles: textList,
  variables: listOf(fieldsOf({ 'name!': variableName, 'description!': text, 'path!': text })),
  values: listOf(chartValue),
  schemaValidation: flag,
  serverSideApply,
})

const alphaManifest = fieldsOf({
  'name!': withoutSlash,
  namespace: text,
  files: textList,
  kustomizeAllowAnyDirectory: flag,
  kustomizations: textList,
  enableKustomizePlugins: flag,
  noWait: flag,
  serverSideApply,
  template: flag,
})

const alphaComponent = fieldsOf({
  'name!': name,
  description: text,
  default: flag,
  required: flag,
  only: fieldsOf({
    localOS: operatingSystem,
    cluster: fieldsOf({ architecture, distros: textList }),
    flavor: text,
  }),
  group: text,
  import: fieldsOf({ name: text, path: text, url: text }),
  manifests: listOf(alphaManifest),
  charts: listOf(alphaChart),
  dataInjections: listOf(
    fieldsOf({
      'source!': text,
      'target!': fieldsOf({ 'namespace!': text, 'selector!': text, 'container!': text, 'path!': text }),
      compress: flag,
    }),
  ),
  files: listOf(
    fieldsOf({
      'source!': text,
      shasum: text,
      'target!': text,
      executable: flag,
      symlinks: textList,
      extractPath: text,
      template: flag,
    }),
  ),
  images: textList,
  imageArchives: listOf(imageArchive),
  repos: textList,
  scripts: fieldsOf({
    showOutput: flag,
    timeoutSeconds: integer,
    retry: flag,
    prepare: textList,
    before: textList,
    after: textList,
  }),
  actions: fieldsOf({ onCreate: alphaActions, onDeploy: alphaActions, onRemove: alphaActions }),
  healthChecks: listOf(fieldsOf({ 'apiVersion!': text, 'kind!': text, 'namespace!': text, 'name!': text })),
  stateAccess,
})

/** A package definition of zarf.dev/v1alpha1. */
export const alphaPackage: Shape = fieldsOf({
  apiVersion: text,
  'kind!': text,
  metadata: fieldsOf({
    'name!': name,
    description: text,
    version: withoutSlash,
    url: text,
    image: text,
    uncompressed: flag,
    architecture: text,
    yolo: flag,
    authors: text,
    documentation: text,
    source: text,
    vendor: text,
    aggregateChecksum: text,
    annotations: texts,
    allowNamespaceOverride: flag,
  }),
  build: anything,
  'components!': listOf(alphaComponent, true),
  constants: listOf(
    fieldsOf({ 'name!': variableName, 'value!': text, description: text, autoIndent: flag, pattern: text }),
  ),
  variables: listOf(fieldsOf({ ...variable, description: text, default: text, prompt: flag })),
  values,
  documentation: texts,
})

const betaAction = fieldsOf({
  silent: flag,
  maxTotalSeconds: integer,
  retries: integer,
  dir: text,
  env: textList,
  cmd: text,
  shell,
  setValues: listOf(fieldsOf({ key: text, path: text, type: setValueType })),
  description: text,
  wait,
  enableTemplating: flag,
})

const betaActions = fieldsOf({
  defaults: fieldsOf({
    silent: flag,
    maxTotalSeconds: integer,
    retries: integer,
    dir: text,
    env: textList,
    shell,
  }),
  before: listOf(betaAction),
  onSuccess: listOf(betaAction),
  onFailure: listOf(betaAction),
})

const gitReference = fieldsOf({ tag: text, branch: text, commit: text })

const betaChart = fieldsOf({
  'name!': text,
  helmRepository: fieldsOf({ name: text, 'url!': text, 'version!': text }),
  git: fieldsOf({ 'url!': text, path: text, 'ref!': gitReference }),
  local: fieldsOf({ 'path!': text }),
  oci: fieldsOf({ 'url!': text, 'ref!': fieldsOf({ tag: text, digest: text }) }),
  namespace: text,
  releaseName: text,
  skipWait: flag,
  valuesFiles: listOf(fieldsOf({ 'path!': text, enableTemplating: flag })),
  values: listOf(chartValue),
  skipSchemaValidation: flag,
  serverSideApply,
})

const betaSpec = {
  import: fieldsOf({
    local: listOf(fieldsOf({ 'path!': text })),
    remote: listOf(fieldsOf({ 'url!': text })),
  }),
  target: fieldsOf({ os: operatingSystem }),
  selector: fieldsOf({ architecture, flavor: text }),
  manifests: listOf(
    fieldsOf({
      'name!': text,
      namespace: text,
      files: textList,
      kustomize: fieldsOf({ files: textList, allowAnyDirectory: flag, enablePlugins: flag }),
      skipWait: flag,
      serverSideApply,
      enableTemplating: flag,
    }),
  ),
  charts: listOf(betaChart),
  files: listOf(
    fieldsOf({
      'source!': text,
      checksum: text,
      'destination!': text,
      executable: flag,
      symlinks: textList,
      extractPath: text,
      enableTemplating: flag,
    }),
  ),
  images: listOf(fieldsOf({ 'name!': text, source: oneOf('registry', 'daemon') })),
  imageArchives: listOf(imageArchive),
  repositories: listOf(fieldsOf({ 'url!': text, ref: gitReference })),
  actions: fieldsOf({ onCreate: betaActions, onDeploy: betaActions, onRemove: betaActions }),
  service: oneOf('registry', 'seed-registry', 'injector', 'agent', 'git-server'),
  stateAccess,
}

/** A package definition of zarf.dev/v1beta1. */
export const betaPackage: Shape = fieldsOf({
  'apiVersion!': text,
  'kind!': text,
  metadata: fieldsOf({
    'name!': name,
    description: text,
    version: text,
    uncompressed: flag,
    architecture: text,
    annotations: texts,
    preventNamespaceOverride: flag,
  }),
  build: anything,
  'components!': listOf(fieldsOf({ 'name!': name, description: text, optional: flag, ...betaSpec }), true),
  values,
  documentation: texts,
})

/** A component of zarf.dev/v1beta1 in a file of its own. */
export const betaComponentConfig: Shape = fieldsOf({
  'apiVersion!': text,
  'kind!': text,
  'metadata!': fieldsOf({ 'name!': name, description: text, version: text, annotations: texts }),
  'component!': fieldsOf(betaSpec),
  values,
  publishData: fieldsOf({
    zarfVersion: text,
    migrations: textList,
    versionRequirements: listOf(versionRequirement),
  }),
})
