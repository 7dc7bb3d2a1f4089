import { isJsonObject } from '@wadi/fields/json-object.ts'
import { placesBelow } from '@wadi/fields/field-places.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { schemaError } from '@wadi/fields/schema-findings.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import type { Parameter } from '@wadi/plugins/parameters/parameter.ts'
import { readParameters } from '@wadi/plugins/parameters/read-parameters.ts'
import { z } from 'zod'

const helm = z.strictObject({
  valueFiles: z.array(z.string()).optional(),
  ignoreMissingValueFiles: z.boolean().optional(),
  values: z.string().optional(),
  valuesObject: z.record(z.string(), z.custom<JsonValue>()).optional(),
  parameters: z
    .array(
      z.strictObject({ name: z.string(), value: z.string().optional(), forceString: z.boolean().optional() }),
    )
    .optional(),
  fileParameters: z.array(z.strictObject({ name: z.string(), path: z.string() })).optional(),
  releaseName: z.string().optional(),
  namespace: z.string().optional(),
  version: z.enum(['', 'v3', 'v4'], { error: 'must be v3 or v4' }).optional(),
  kubeVersion: z.string().optional(),
  apiVersions: z.array(z.string()).optional(),
  passCredentials: z.boolean().optional(),
  skipCrds: z.boolean().optional(),
  skipTests: z.boolean().optional(),
  skipSchemaValidation: z.boolean().optional(),
})

const wholeNumber = { error: 'must be a whole number, not negative' }

const patchTarget = z.strictObject({
  group: z.string().optional(),
  version: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  annotationSelector: z.string().optional(),
  labelSelector: z.string().optional(),
})

const kustomize = z.strictObject({
  namePrefix: z.string().optional(),
  nameSuffix: z.string().optional(),
  namespace: z.string().optional(),
  images: z.array(z.string()).optional(),
  replicas: z
    .array(
      z.strictObject({
        name: z.string(),
        count: z.union(
          [z.int().nonnegative(wholeNumber), z.string().regex(/^\d{1,9}$/, wholeNumber)],
          wholeNumber,
        ),
      }),
    )
    .optional(),
  commonLabels: z.record(z.string(), z.string()).optional(),
  forceCommonLabels: z.boolean().optional(),
  labelWithoutSelector: z.boolean().optional(),
  labelIncludeTemplates: z.boolean().optional(),
  commonAnnotations: z.record(z.string(), z.string()).optional(),
  forceCommonAnnotations: z.boolean().optional(),
  commonAnnotationsEnvsubst: z.boolean().optional(),
  patches: z
    .array(
      z.strictObject({
        path: z.string().optional(),
        patch: z.string().optional(),
        target: patchTarget.optional(),
        options: z.record(z.string(), z.boolean()).optional(),
      }),
    )
    .optional(),
  components: z.array(z.string()).optional(),
  ignoreMissingComponents: z.boolean().optional(),
  version: z.string().optional(),
  kubeVersion: z.string().optional(),
  apiVersions: z.array(z.string()).optional(),
})

const jsonnetVariable = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  code: z.boolean().optional(),
})

const directory = z.strictObject({
  recurse: z.boolean().optional(),
  include: z.string().optional(),
  exclude: z.string().optional(),
  disableExtensionFilter: z.boolean().optional(),
  jsonnet: z
    .strictObject({
      extVars: z.array(jsonnetVariable).optional(),
      tlas: z.array(jsonnetVariable).optional(),
      libs: z.array(z.string()).optional(),
    })
    .optional(),
})

const plugin = z.strictObject({
  name: z.string().optional(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string().optional() })).optional(),
  /** Checked where it is read, by `withReadParameters`. */
  parameters: z.custom<readonly Parameter[]>(Array.isArray).optional(),
})

const sourceOptions = z.strictObject({
  helm: helm.optional(),
  kustomize: kustomize.optional(),
  directory: directory.optional(),
  plugin: plugin.optional(),
})

/** The keys of `SourceOptions`. */
export const optionKeys = sourceOptions.keyof().options

/** Trial values. They override those that developers have in git; those of operators override them. */
export interface TrialValues {
  /** Texts of values files; the path is for messages. */
  readonly valuesFiles: ReadonlyArray<{ readonly path: string; readonly text: string }>
  /** Texts such as `app.replicas=3`. */
  readonly setValues: readonly string[]
}

/** The renderer's options of a source: the sub-objects `helm`, `kustomize`, `directory` and `plugin` of Argo CD's ApplicationSource. */
export type SourceOptions = z.infer<typeof sourceOptions>

/** Options of `source.helm`. */
export type HelmOptions = z.infer<typeof helm>

/** Options of `source.kustomize`. */
export type KustomizeOptions = z.infer<typeof kustomize>

/** Options of `source.directory`. */
export type DirectoryOptions = z.infer<typeof directory>

/** Options of `source.plugin`; its parameters are in the one form that every way of writing them is brought to. */
export type PluginOptions = z.infer<typeof plugin>

/** What a plugin may receive of the Application beside its destination. */
export interface ApplicationInstance {
  /** With its namespace in front (`team_web`) unless it is the one of Wadi's own objects. */
  readonly name: string
  readonly project: string
  /** The variables that a recorded render received: they override everything else. Only set when repeating one. */
  readonly recorded?: Readonly<Record<string, string>>
}

/** What is rendered: a place in a repository with its options, and what the result may depend on beside the files. */
export interface RenderSource {
  /** Values to try out; absent unless a person does. */
  readonly trial?: TrialValues
  /** Directory in the repository; `''` and `.` mean its root. */
  readonly path: string
  /** The options that the Application carries inline; those in git are merged over them. */
  readonly options: SourceOptions
  /** Whether the options are those of flags that somebody tries out, not an Application's; by default they are not. */
  readonly triesOptions?: boolean
  /** `spec.destination.namespace`, `''` when not given; Helm alone uses it. */
  readonly destinationNamespace: string
  /** Chooses `.argocd-source-<applicationName>.yaml` and nothing else: the name never reaches a renderer. */
  readonly applicationName: string
  /** What plugins receive of the Application if their operator grants it. */
  readonly instance: ApplicationInstance
  readonly repoUrl: string
  readonly targetRevision: string
  /**
   * The annotation `argocd.argoproj.io/manifest-generate-paths`: what a plugin's output depends on beside the source's
   * directory, separated by `;`. `''` for the whole repository. Plugins alone use it.
   */
  readonly manifestGeneratePaths: string
}

/** What the operator allows; nothing in a repository or an Application can widen it. */
export interface RenderPolicy {
  /** Whether a kustomization may name bases and files by URL. They are fetched at render time, so the result may change without a commit. */
  readonly allowRemoteBases: boolean
  /** Whether Helm dependencies may be downloaded when their version is exact or locked. */
  readonly allowRemoteCharts: boolean
  /** Options given to every `kustomize build`, of `--enable-helm` and `--load-restrictor=LoadRestrictionsNone`. */
  readonly kustomizeBuildOptions: readonly string[]
}

/**
 * Reads options as they stand in an Application: every field known, every type right, parameters of a plugin normalised.
 * @throws InvalidInputError that names every wrong field
 */
export function parseSourceOptions(value: unknown, places: FieldPlaces): SourceOptions {
  return checkSourceOptions(withReadParameters(value, places), places)
}

/**
 * Replaces `plugin.parameters`, however they are written, by the form of `SourceOptions`; nothing else is looked at.
 * @throws InvalidInputError that names the parameter by its index
 */
export function withReadParameters(value: unknown, places: FieldPlaces): unknown {
  if (!isJsonObject(value) || !isJsonObject(value['plugin'])) return value
  const { parameters } = value['plugin']
  if (parameters === undefined) return value
  const read = readParameters(parameters, placesBelow(places, 'plugin', 'parameters'))
  return { ...value, plugin: { ...value['plugin'], parameters: read } }
}

/**
 * The same check for options whose plugin parameters have been read.
 * @throws InvalidInputError that names every wrong field
 */
export function checkSourceOptions(value: unknown, places: FieldPlaces): SourceOptions {
  const parsed = sourceOptions.safeParse(value)
  if (parsed.success) return parsed.data
  throw schemaError(sourceOptions, value, parsed.error, places)
}
