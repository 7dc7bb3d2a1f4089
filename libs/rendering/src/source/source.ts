import type { DirectoryOptions } from '../renderers/directory/directory-option-schema.ts'
import type { HelmOptions } from '../renderers/helm/helm-option-schema.ts'
import type { KustomizeOptions } from '../renderers/kustomize/kustomize-option-schema.ts'
import type { PluginOptions } from '../renderers/plugin/plugin-option-schema.ts'

/** Trial values. They override those that developers have in git; those of operators override them. */
export interface TrialValues {
  /** Texts of values files; the path is for messages. */
  readonly valuesFiles: ReadonlyArray<{ readonly path: string; readonly text: string }>
  /** Texts such as `app.replicas=3`. */
  readonly setValues: readonly string[]
}

/** The options of a source by renderer: sub-objects of Argo CD's ApplicationSource. A new renderer of ours that has options is named here. */
export type SourceOptions = {
  directory?: DirectoryOptions | undefined
  helm?: HelmOptions | undefined
  kustomize?: KustomizeOptions | undefined
  plugin?: PluginOptions | undefined
}

/** The fields of the Application that a plugin may receive, in addition to the destination. */
export interface ApplicationInstance {
  /** With its namespace in front (`team_web`) unless it is the one of Wadi's own objects. */
  readonly name: string
  readonly project: string
  /** The variables that a recorded render received: they override everything else. Only set when repeating one. */
  readonly recorded?: Readonly<Record<string, string>>
}

/** The source of a render: a place in a repository with its options, and further facts that may decide the result. */
export interface RenderSource {
  /** Values to try out; absent unless a person does. */
  readonly trial?: TrialValues
  /** Directory in the repository; `''` and `.` mean its root. */
  readonly path: string
  /** The options that the Application carries inline; those in git are merged over them. */
  readonly options: SourceOptions
  /** True if the options are flags that somebody tries out, not an Application's; false by default. */
  readonly triesOptions?: boolean
  /** `spec.destination.namespace`, `''` when not given; Helm alone uses it. */
  readonly destinationNamespace: string
  /**
   * Chooses `.argocd-source-<applicationName>.yaml` and nothing else: the name never reaches a renderer. With the namespace in front
   * (`team_web`) unless it is the one of Wadi's own objects.
   */
  readonly applicationName: string
  /** The fields of the Application that plugins receive if their operator grants it. */
  readonly instance: ApplicationInstance
  readonly repoUrl: string
  readonly targetRevision: string
  /** The field of `spec.sourceHydrator` that it is, for messages; `drySource` when absent. */
  readonly field?: string
  /**
   * The annotation `argocd.argoproj.io/manifest-generate-paths`: what a plugin's output depends on beside the source's
   * directory, separated by `;`. `''` for the whole repository. Plugins alone use it.
   */
  readonly manifestGeneratePaths: string
  /** True if Flux applies the result, so that warnings name what it refuses or leaves out; by default it does not. */
  readonly forFlux?: boolean
  /** The further Applications that the result is for, named as `applicationName`; none by default. */
  readonly sharedWith?: readonly string[]
}

/** The permissions of the operator, which nothing in a repository or an Application can widen. */
export interface RenderPolicy {
  /**
   * True if a kustomization may name bases and files by URL. They are fetched at render time, so the result may change
   * without a commit.
   */
  readonly allowRemoteBases: boolean
  /** True if Helm dependencies may be downloaded when their version is exact or locked. */
  readonly allowRemoteCharts: boolean
  /** Options given to every `kustomize build`, of `--enable-helm` and `--load-restrictor=LoadRestrictionsNone`. */
  readonly kustomizeBuildOptions: readonly string[]
  /** Patterns of the paths that plugins do not receive, as `LeftOutPaths` takes them; none by default. */
  readonly pluginTarExclude?: readonly string[]
}
