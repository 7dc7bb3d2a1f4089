import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { formatLocation, locationAt, partOf } from '@wadi/params/located.ts'
import { toJson } from '@wadi/params/value-json.ts'
import type { Located } from '@wadi/params/value.ts'
import type { CompositePlan, PlannedComposite } from './composite-plan.ts'
import { planDirectory } from './directory-inputs.ts'
import { followPath } from './follow-links.ts'
import { planHelm } from './helm-inputs.ts'
import { InputCollector } from './input-collector.ts'
import { jsonMergePatch } from './json-merge-patch.ts'
import { planKustomize } from './kustomize-plan.ts'
import { isPackage, planPackageSource } from './package-plan.ts'
import { packageOptions, refuseUnknown } from './render-package-options.ts'
import { repositoryPath } from './repository-path.ts'
import { type RenderSource, type SourceOptions, checkSourceOptions, fieldPath } from './source.ts'
import { mergeSourceOverrides } from './source-overrides.ts'
import type { SourcePart } from './source-part.ts'
import { chosenRenderer, detectTool } from './tool-choice.ts'
import { isWorkload } from './workload-files.ts'

/** What takes the place of a `Render`: parts, or a directory of workloads that is still to be planned. */
type RenderPlan = Omit<CompositePlan, 'path'> | { readonly workload: PlannedComposite }

const fields = ['path', 'helm', 'kustomize', 'directory', 'package']

/**
 * Plans what a stamped `Render` names: a chart, an overlay, a directory, a package or another workload of the same
 * commit. Its options win over those that the directory has in `.argocd-source.yaml`.
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
  const target = { ...planned, path }
  const { options, notices } = await renderOptions(planned, spec, path)
  const chosen = chosenRenderer(path, options)
  if (await isPackage(trace, path)) {
    if (chosen !== undefined) throw unfit(spec, path, 'a package', chosen)
    return await planPackageSource(target, inputs, packageOptions(partOf(spec, 'package')))
  }
  if (partOf(spec, 'package') !== undefined) {
    throw new InvalidInputError(
      `${formatLocation(spec.at)}: Render: spec.package is for packages, and "${path}" has no zarf.yaml`,
    )
  }
  if (chosen === 'plugin') throw unfit(spec, path, 'what Render names', chosen)
  const renderer = chosen ?? (await detectTool(trace, path))
  if (renderer === 'directory' && chosen === undefined && (await isWorkload(trace, path))) {
    return { workload: target }
  }
  const own = new InputCollector(trace)
  const tool = await planTool(target, renderer, options, namespace, own)
  const partInputs = own.minimal().map((input) => input.path)
  for (const input of partInputs) await inputs.add(input)
  const label = path || '.'
  const placement = { namespace, syncWave: undefined }
  const basics = { label, placement, path, inputs: partInputs, finish: (output: string) => output }
  const part: SourcePart =
    tool.renderer === 'directory' ? { ...tool, label, placement } : { ...basics, ...tool }
  return { parts: [part], notices: [...notices, ...own.notices], parameters: [], files: [] }
}

type ToolPlan<Part = SourcePart> = Part extends SourcePart
  ? Omit<Part, 'label' | 'placement' | 'path' | 'inputs' | 'finish'>
  : never

async function planTool(
  { path, trace, environment, tools, policy }: PlannedComposite,
  renderer: 'helm' | 'kustomize' | 'directory',
  given: SourceOptions,
  namespace: string,
  inputs: InputCollector,
): Promise<Exclude<ToolPlan, { renderer: 'text' }>> {
  if (renderer === 'helm') {
    const options = { ...given.helm, namespace: given.helm?.namespace || namespace }
    const helm = await planHelm(trace, path, options, environment, policy, inputs)
    return { renderer, helm, options, valuesTexts: [] }
  }
  if (renderer === 'kustomize') {
    const options = given.kustomize ?? {}
    const kustomize = await planKustomize(trace, path, options, environment, tools, policy, inputs)
    return { renderer, kustomize }
  }
  const directory = await planDirectory(trace, path, given.directory ?? {}, environment, inputs)
  return { renderer, directory }
}

/** The options of the directory with those of the `Render` over them. */
async function renderOptions(
  { trace }: PlannedComposite,
  spec: Located,
  path: string,
): Promise<{ options: SourceOptions; notices: readonly string[] }> {
  const merged = await mergeSourceOverrides(trace, path, { ...unnamedSource, path })
  const patch: { [key: string]: JsonValue } = {}
  for (const key of ['helm', 'kustomize', 'directory']) {
    const part = partOf(spec, key)
    if (part !== undefined) patch[key] = toJson(part.value)
  }
  const locate = (field: readonly PropertyKey[]): string =>
    `${formatLocation(locationAt(spec, field.map(String)))}: Render: spec.${fieldPath(field)}`
  return {
    options: checkSourceOptions(jsonMergePatch(merged.options, patch), locate),
    notices: merged.notices,
  }
}

const unnamedSource: RenderSource = {
  path: '',
  options: {},
  destinationNamespace: '',
  applicationName: '',
  repoURL: '',
  targetRevision: '',
  manifestGeneratePaths: '',
}

function unfit({ at }: Located, path: string, what: string, renderer: string): InvalidInputError {
  return new InvalidInputError(
    `${formatLocation(at)}: Render: "${path}" is ${what} and has options of ${renderer}; remove them`,
  )
}
