import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { BuildEnvironment, buildVariables } from './build-environment.ts'
import { type DirectoryPlan, planDirectory } from './directory-inputs.ts'
import type { FileTree } from './file-tree.ts'
import type { Tools } from './find-tools.ts'
import { fingerprintOf } from './fingerprint.ts'
import { followPath } from './follow-links.ts'
import { type HelmPlan, planHelm } from './helm-inputs.ts'
import { InputCollector } from './input-collector.ts'
import { findKustomization } from './kustomize-inputs.ts'
import { type KustomizePlan, planKustomize } from './kustomize-plan.ts'
import { childPath, repositoryPath } from './repository-path.ts'
import type { RenderPolicy, RenderSource, SourceOptions } from './source.ts'
import { mergeSourceOverrides } from './source-overrides.ts'
import { type TreeRead, TracingTree } from './tracing-tree.ts'

/** What a source will be rendered with, with its paths resolved. */
type RenderPlan =
  | { readonly renderer: 'helm'; readonly helm: HelmPlan }
  | { readonly renderer: 'kustomize'; readonly kustomize: KustomizePlan }
  | { readonly renderer: 'directory'; readonly directory: DirectoryPlan }

/** What is known of a source at a revision before it is rendered. */
export interface SourceInspection {
  readonly renderer: RenderPlan['renderer']
  /** The source's directory, normalised: `''` is the repository's root. */
  readonly path: string
  /** The options of the Application and of the repository, merged. */
  readonly options: SourceOptions
  /** Whether the Application carries options that are not in git. */
  readonly inlineOptions: boolean
  /** Files and directories that the render can read, sorted. It sees nothing else. */
  readonly inputs: readonly string[]
  /** Build variables really used, sorted: `ARGOCD_APP_REVISION` and so on. */
  readonly variables: readonly string[]
  /** The sha256, in hex, of everything that decides the result. Equal fingerprints, equal manifests. */
  readonly fingerprint: string
  /** The same with the whole repository as input: that of a render which had to be widened. */
  readonly widenedFingerprint: (tree: FileTree) => Promise<string>
  /** Paths looked at with their ids; as long as another commit gives the same ids, this inspection is valid for it. */
  readonly reads: readonly TreeRead[]
  /** What the user should know although nothing is wrong. */
  readonly notices: readonly string[]
  readonly plan: RenderPlan
}

/**
 * Finds out how a source is rendered, with what options and from which files, without rendering it.
 * @throws NotFoundError if the path does not exist at `revision`
 * @throws InvalidInputError for whatever is wrong with path, options, links or references
 */
export async function inspectSource(
  tree: FileTree,
  source: RenderSource,
  revision: string,
  tools: Tools,
  policy: RenderPolicy,
): Promise<SourceInspection> {
  const path = repositoryPath(source.path, 'source path')
  const tracing = new TracingTree(tree)
  const directory = await followPath(tracing, path)
  if (directory === undefined) {
    throw new NotFoundError(`source path "${source.path}" does not exist at revision ${revision}`)
  }
  if (directory.entry.kind !== 'directory') {
    throw new InvalidInputError(
      `source path "${source.path}" is a file at revision ${revision}; name its directory`,
    )
  }
  // The directory's own id would make every change below it a change of this source; what matters is looked at one by one.
  const trace = new TracingTree(tree)
  for (const [link] of directory.links) await trace.entry(link)
  const { options, notices } = await mergeSourceOverrides(trace, path, source)
  const renderer = await chooseRenderer(trace, path, options)
  const environment = new BuildEnvironment(buildVariables(source, revision))
  const inputs = new InputCollector(trace)
  const plan = await planRender(renderer, trace, path, options, environment, tools, policy, inputs)
  for (const name of environment.unknown) {
    notices.push(
      `variable ${name} is not set when hydrating, as a dry commit does not decide it; it was replaced by nothing`,
    )
  }
  const minimal = inputs.minimal()
  const variables = buildVariables(source, revision)
  const parts = {
    renderer,
    toolVersion: renderer === 'directory' ? '' : tools[renderer].version,
    options: [options, renderer === 'kustomize' ? policy.kustomizeBuildOptions : []],
    destinationNamespace:
      renderer === 'helm' && !options.helm?.namespace ? source.destinationNamespace : undefined,
    path,
    variables: environment.used.map((name): [string, string] => [name, variables.get(name) ?? '']),
  }
  return {
    renderer,
    path,
    options,
    inlineOptions: Object.values(source.options).some((value) => value !== undefined),
    inputs: minimal.map((input) => input.path),
    variables: environment.used,
    fingerprint: fingerprintOf({ ...parts, inputs: minimal }),
    widenedFingerprint: async (whole) => {
      const root = await followPath(whole, '')
      return fingerprintOf({ ...parts, inputs: root === undefined ? [] : [root] })
    },
    reads: trace.reads(),
    notices: [...notices, ...inputs.notices],
    plan,
  }
}

async function planRender(
  renderer: RenderPlan['renderer'],
  tree: TracingTree,
  path: string,
  options: SourceOptions,
  environment: BuildEnvironment,
  tools: Tools,
  policy: RenderPolicy,
  inputs: InputCollector,
): Promise<RenderPlan> {
  if (renderer === 'helm') {
    return { renderer, helm: await planHelm(tree, path, options.helm ?? {}, environment, policy, inputs) }
  }
  if (renderer === 'kustomize') {
    const plan = await planKustomize(tree, path, options.kustomize ?? {}, environment, tools, policy, inputs)
    return { renderer, kustomize: plan }
  }
  return {
    renderer,
    directory: await planDirectory(tree, path, options.directory ?? {}, environment, inputs),
  }
}

async function chooseRenderer(
  tree: FileTree,
  path: string,
  options: SourceOptions,
): Promise<RenderPlan['renderer']> {
  const [first, ...others] = (['helm', 'kustomize', 'directory', 'plugin'] as const).filter(
    (key) => options[key] !== undefined,
  )
  if (first !== undefined && others.length > 0) {
    throw new InvalidInputError(
      `source "${path || '.'}" has options of several renderers: ${[first, ...others].join(', ')}; keep one`,
    )
  }
  if (first === 'plugin') {
    throw new InvalidInputError(
      `source "${path || '.'}" names a plugin; plugins need a cmp-server, which renders it in place of this renderer`,
    )
  }
  if (first !== undefined) return first
  if ((await followPath(tree, childPath(path, 'Chart.yaml'))) !== undefined) return 'helm'
  return (await findKustomization(tree, path)) === undefined ? 'directory' : 'kustomize'
}
