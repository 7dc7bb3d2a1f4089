import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import { formatLocation, locationAt, partOf } from '@wadi/params/values/located.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import type { CompositePlan, PlannedComposite } from '../composite/composite-plan.ts'
import { planDirectory } from '../directory/directory-inputs.ts'
import { followPath } from '../tree/follow-links.ts'
import { InputCollector } from '../tree/input-collector.ts'
import { jsonMergePatch } from '../json-merge-patch.ts'
import { planKustomize } from '../kustomize/kustomize-plan.ts'
import { isPackage, planPackageSource } from '../package/package-plan.ts'
import { renderedOptionLayers } from '../parameters/option-trees.ts'
import { kustomizationTrees } from '../parameters/kustomization-trees.ts'
import { directoryTree } from '../parameters/plain-trees.ts'
import { packageOptions, refuseUnknown } from './render-object-package.ts'
import { planRenderedChart } from './render-object-chart.ts'
import { planRenderedPlugin } from './render-object-plugin.ts'
import { childPath, repositoryPath } from '../tree/repository-path.ts'
import { type RenderSource, type SourceOptions, checkSourceOptions, fieldPath } from '../source.ts'
import { mergeSourceOverrides, sharedOverrideFile } from '../source-overrides.ts'
import type { SourcePart } from '../composite/source-part.ts'
import { chosenRenderer, detectTool } from '../tool-choice.ts'
import { isWorkload } from './workload-files.ts'

/** What takes the place of a `Render`: parts, or a directory of workloads that is still to be planned, and where it is named. */
type RenderPlan =
  | Omit<CompositePlan, 'path' | 'digest'>
  | { readonly workload: PlannedComposite; readonly place: string }

const fields = ['path', 'helm', 'kustomize', 'directory', 'plugin', 'package']

/**
 * Plans what a stamped `Render` names: a chart, an overlay, a directory, a package or another workload of the same
 * commit, or what a plugin takes. Its options win over those that the directory has in `.argocd-source.yaml`.
 * @param namespace that of the workload; for objects that name none
 * @throws InvalidInputError naming the place of a field that is wrong, or what is wrong with the source
 */
export async function planRender(
  planned: PlannedComposite,
  render: Located,
  namespace: string,
  inputs: InputCollector,
): Promise<RenderPlan> {
  const { trace } = planned
  const spec = partOf(render, 'spec') ?? render
  refuseUnknown(spec, fields, 'Render: spec')
  const given = partOf(spec, 'path')
  if (typeof given?.value !== 'string') {
    throw new InvalidInputError(`${formatLocation(spec.at)}: Render: spec.path is required`)
  }
  const path = repositoryPath(given.value, `${formatLocation(given.at)}: Render: spec.path`)
  const found = await followPath(trace, path)
  if (found?.entry.kind !== 'directory') {
    throw new InvalidInputError(
      `${formatLocation(given.at)}: Render: spec.path "${given.value}" is no directory of this commit`,
    )
  }
  // Values that are tried out are the workload's.
  const target = { ...planned, path, trial: undefined }
  for (const key of ['helm', 'kustomize', 'directory', 'plugin']) refuseNoMap(spec, key)
  await inputs.add(childPath(path, sharedOverrideFile))
  const merged = await mergeSourceOverrides(trace, path, { ...unnamedSource, path })
  const asked = chosenRenderer(path, { ...merged.options, ...presentOptions(spec) })
  const packaged = partOf(spec, 'package')
  const locate = (field: readonly PropertyKey[]): string =>
    `${formatLocation(locationAt(spec, field.map(String)))}: Render: spec.${fieldPath(field)}`
  const own = new InputCollector(trace)
  const label = path || '.'
  const placement = { namespace, syncWave: undefined }
  const finished = async (
    part: (inputs: readonly string[]) => SourcePart,
    ...trees: ParameterTree[]
  ): Promise<RenderPlan> => {
    const paths = own.minimal().map((input) => input.path)
    for (const input of paths) await (input === '' ? inputs.addRepository() : inputs.add(input))
    return {
      parts: [part(paths)],
      notices: [...merged.notices, ...own.notices],
      parameters: trees.map((each) => ({ ...each, isOfTool: true })),
      files: [],
    }
  }
  if (packaged === undefined && (asked === 'plugin' || asked === undefined)) {
    const { options, layers } = merged
    const planning = { options: options.plugin, layers, spec, locate }
    const taken = await planRenderedPlugin(target, planning, own)
    if (taken !== undefined) {
      return await finished(
        () => ({ renderer: 'plugin', label, placement, plugin: taken.plugin }),
        taken.tree,
      )
    }
  }
  if (await isPackage(trace, path)) {
    if (asked !== undefined) {
      throw new InvalidInputError(
        `${formatLocation(locationAt(spec, [asked]))}: Render: "${path}" is a package and has options of ${asked}; remove them`,
      )
    }
    return await planPackageSource(target, inputs, packageOptions(packaged))
  }
  if (packaged !== undefined) {
    throw new InvalidInputError(
      `${formatLocation(packaged.at)}: Render: spec.package is for packages, and "${path}" has no zarf.yaml`,
    )
  }
  const renderer = asked === undefined || asked === 'plugin' ? await detectTool(trace, path) : asked
  if (renderer === 'directory' && asked === undefined && (await isWorkload(trace, path))) {
    return { workload: target, place: formatLocation(given.derivedFrom?.why.winner.at ?? given.at) }
  }
  const finish = (output: string): string => output
  if (renderer === 'helm') {
    const options = { options: merged.options.helm ?? {}, layers: merged.layers, spec, locate }
    const { chart, trees } = await planRenderedChart(target, options, namespace, own)
    return await finished((paths) => ({ ...chart, label, placement, path, inputs: paths, finish }), ...trees)
  }
  const { environment, tools, policy } = target
  const ofRender = partOf(spec, renderer)
  const patch = ofRender === undefined ? {} : { [renderer]: toJson(ofRender.value) }
  const options = checkSourceOptions(jsonMergePatch(merged.options, patch), locate)
  const layers = renderedOptionLayers(merged.layers, spec, renderer)
  if (renderer === 'kustomize') {
    const kustomize = await planKustomize(
      trace,
      path,
      options.kustomize ?? {},
      environment,
      tools,
      policy,
      own,
    )
    return await finished(
      (paths) => ({ renderer, kustomize, label, placement, path, inputs: paths, finish }),
      ...(await kustomizationTrees(trace, kustomize, layers)),
    )
  }
  const directory = await planDirectory(trace, path, options.directory ?? {}, environment, own)
  return await finished(() => ({ renderer, directory, label, placement }), directoryTree(layers))
}

/** The renderers that a `Render` has options of, whatever they are. */
function presentOptions(spec: Located): SourceOptions {
  const present = (['helm', 'kustomize', 'directory', 'plugin'] as const).filter(
    (key) => partOf(spec, key) !== undefined,
  )
  return Object.fromEntries(present.map((key) => [key, {}]))
}

function refuseNoMap(spec: Located, key: string): void {
  const part = partOf(spec, key)
  if (part === undefined || isValueMap(part.value)) return
  throw new InvalidInputError(`${formatLocation(part.at)}: Render: spec.${key} must be a map`)
}

const unnamedSource: RenderSource = {
  path: '',
  options: {},
  destinationNamespace: '',
  applicationName: '',
  instance: { name: '', project: '' },
  repoURL: '',
  targetRevision: '',
  manifestGeneratePaths: '',
}
