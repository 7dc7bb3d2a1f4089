import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { PlannedSource } from '../../plan/renderer.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { KustomizeInputs, findKustomization } from './kustomize-inputs.ts'
import { pathWithin } from '@wadi/file-trees/repository-path.ts'
import { assertKnownPair } from './helm-of-kustomize.ts'
import type { KustomizeOptions } from './kustomize-option-schema.ts'

/** A Kustomize build with its options substituted and checked. */
export interface KustomizeBuild {
  /** The kustomization, relative to the repository's root. */
  readonly file: string
  /** That one and all that it and the options refer to. */
  readonly kustomizations: readonly string[]
  /** Other files that are read as YAML. */
  readonly yamlFiles: readonly string[]
  /** A reference that is fetched over the network, if there is one. */
  readonly remote: string | undefined
  /** True when Kustomize runs Helm for charts. */
  readonly usesHelm: boolean
  /** The repositories of charts that are downloaded. */
  readonly remoteCharts: readonly string[]
  readonly options: KustomizeOptions
  /** Advice for the user although nothing is wrong. */
  readonly warnings: readonly string[]
}

/**
 * Finds everything that Kustomize may read for the kustomization at `path`, adds it to `inputs` and prepares the options.
 * @throws InvalidInputError for a missing, absolute or remote reference
 */
export async function planKustomize(
  { trace: tree, environment, tools, policy }: PlannedSource,
  path: string,
  options: KustomizeOptions,
  inputs: InputCollector,
): Promise<KustomizeBuild> {
  const references = new KustomizeInputs(tree, policy, inputs)
  await references.addDirectory(path)
  const file = await findKustomization(tree, path)
  if (file === undefined) throw new InvalidInputError(`"${path || '.'}" has no kustomization`)
  const components: string[] = []
  const isLenient = options.ignoreMissingComponents === true
  for (const component of options.components ?? []) {
    if (isLenient && (await isMissing(tree, pathWithin(path, component, 'kustomize.components')))) continue
    await references.addReference(component, path, [path], () => 'kustomize.components')
    components.push(component)
  }
  for (const patch of options.patches ?? []) {
    if (patch.path !== undefined) {
      await references.addReference(patch.path, path, [path], () => 'kustomize.patches')
    }
  }
  if (references.usesHelm) assertKnownPair(tools)
  const annotations = Object.entries(options.commonAnnotations ?? {}).map(([key, value]) => [
    key,
    options.commonAnnotationsEnvsubst === true ? environment.substitute(value) : value,
  ])
  return {
    file,
    kustomizations: references.kustomizations,
    yamlFiles: [...references.yamlFiles],
    remote: references.remote,
    usesHelm: references.usesHelm,
    remoteCharts: references.remoteCharts,
    warnings: isLenient && components.length > 1 ? [severalComponents(components)] : [],
    options: {
      ...options,
      components,
      commonAnnotations: Object.fromEntries(annotations),
      images: (options.images ?? []).map((image) => environment.substitute(image)),
    },
  }
}

/** Returns whether there is no component: no directory, or one without a kustomization. */
async function isMissing(tree: PlannedSource['trace'], directory: string): Promise<boolean> {
  if ((await followPath(tree, directory)) === undefined) {
    await tree.noteAbsence(directory)
    return true
  }
  return (await findKustomization(tree, directory)) === undefined
}

function severalComponents([first, ...others]: readonly string[]): string {
  return (
    `kustomize.ignoreMissingComponents: Argo CD 3.6.1 builds with the first component that exists alone, ${first}; ` +
    `Wadi builds with ${others.join(', ')} too`
  )
}
