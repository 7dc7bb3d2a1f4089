import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath, repositoryPath } from '@wadi/file-trees/repository-path.ts'
import { namesNoHelm, type ToolName, toolNames } from '@wadi/hydration/tool-versions.ts'
import { locationAt, partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { optionPins, type ToolPin, toolPin, type ToolPins, withPins } from '@wadi/renderer-tools/tool-pins.ts'
import { namedRenderer, planSource } from '../../plan/plan-source.ts'
import { renderFields } from '../../plan/render-options.ts'
import type { RenderRequest } from '../../plan/render-request.ts'
import type { PlannedSource } from '../../plan/renderer.ts'
import { sharedOverrideFile } from '../../source/option-files.ts'
import { optionNames } from '../../source/source-options.ts'
import { mergeSourceOverrides, partSource } from '../../source/source-overrides.ts'
import type { CompositeSource } from '../composite/composite-source.ts'
import type { WorkloadNesting } from './workload-nesting.ts'

/** The parts that replace a `Render`. */
export type RenderedParts = Omit<CompositeSource, 'path'>

/**
 * Plans what a stamped `Render` names: a directory of the same commit, by the renderer that takes it. Its options win
 * over those that the directory has in `.argocd-source.yaml`.
 * @param namespace that of the workload; for objects that name none
 * @throws InvalidInputError naming the place of a field that is wrong, or what is wrong with the source
 */
export async function planRender(
  planned: PlannedSource,
  render: Located,
  namespace: string,
  nesting: WorkloadNesting,
): Promise<RenderedParts> {
  const { trace, renderers, inputs, signal } = planned
  const spec = partOf(render, 'spec') ?? render
  const others = renderers.filter(({ hasRenderOptions }) => hasRenderOptions).map(({ name }) => name)
  const optionKeys = optionNames(renderers)
  renderFields.known(spec, ['path', ...optionKeys, ...others], 'spec.')
  const { path, place } = await namedDirectory(planned, spec)
  for (const key of optionKeys) {
    const given = partOf(spec, key)
    if (given !== undefined) renderFields.isObject(given, `spec.${key}`)
  }
  await inputs.add(childPath(path, sharedOverrideFile))
  const merged = await mergeSourceOverrides(trace, path, { ...partSource, path }, renderers)
  const { options, layers, originOf } = merged
  const present = optionKeys.filter((key) => partOf(spec, key) !== undefined)
  const given = Object.fromEntries(present.map((key) => [key, {}]))
  const named = namedRenderer(path, { ...options, ...given }, renderers, originOf)
  const optionPlaces: FieldPlaces = {
    subject: 'Render',
    above: 'spec.',
    at: (steps) => locationAt(spec, steps.map(String)),
  }
  const pins = renderPins(optionPins(merged), spec)
  const { plan, inputs: own } = await planSource({
    ...planned,
    path,
    tools: await withPins(planned.tools, pins),
    // Values that are tried out are the workload's.
    trial: undefined,
    options,
    layers,
    named: [...named, ...others.filter((name) => partOf(spec, name) !== undefined)],
    render: { spec, optionPlaces, namespace, place, nesting },
  })
  for (const input of plan.inputs) await (input === '' ? inputs.addRepository() : inputs.add(input))
  if (plan.composite !== undefined) return plan.composite
  const inspection = { path, options, originOf, optionLayers: layers }
  const trees = await plan.parameters.explain({ tree: trace, inspection, signal })
  return {
    parts: [{ plan, pins, label: path || '.', placement: { namespace, syncWave: undefined } }],
    warnings: [...merged.warnings, ...own.warnings],
    parameters: trees.map((each) => ({ ...each, isOfTool: true })),
    files: [],
    digest: '',
  }
}

async function namedDirectory(
  { trace }: PlannedSource,
  spec: Located,
): Promise<Pick<RenderRequest, 'place'> & { readonly path: string }> {
  const written =
    renderFields.string(spec, 'path', 'spec.') ?? renderFields.requiredString(spec, 'path', 'spec.')
  const given = partOf(spec, 'path') ?? spec
  const path = repositoryPath(written, `${formatLocation(given.at)}: Render: spec.path`)
  const found = await followPath(trace, path)
  if (found?.entry.kind !== 'directory') {
    throw new InvalidInputError(`Render: spec.path "${written}" is not a directory of this commit`, {
      at: given.at,
    })
  }
  return { path, place: formatLocation(given.derivedFrom?.why.winner.at ?? given.at) }
}

/**
 * Returns the versions that render what a `Render` names: those that it asks for itself and those of the directory.
 * @throws InvalidInputError for what is not one exact version, and naming both places of two that differ
 */
function renderPins(directory: ToolPins, spec: Located): ToolPins {
  const pins = { ...directory }
  for (const name of toolNames) {
    const written = ownVersion(spec, name)
    // A null removes what the directory says, as in every option of a Render.
    if (written?.value === null) delete pins[name]
    if (written === undefined || written.value === null) continue
    if (name === 'helm' && typeof written.value === 'string' && namesNoHelm(written.value)) continue
    const own = toolPin(written.value, `spec.${name}.version`, written.at, 'operator')
    refuseAnother(own, pins[name])
    pins[name] = own
  }
  return pins
}

function ownVersion(spec: Located, name: ToolName): Located | undefined {
  const options = partOf(spec, name)
  return options && partOf(options, 'version')
}

function refuseAnother(own: ToolPin, other: ToolPin | undefined): void {
  if (other === undefined || other.version === own.version) return
  const place = other.at === undefined ? '' : `${formatLocation(other.at)}: `
  throw new InvalidInputError(
    `Render: ${own.path} is ${own.version}, but ${place}${other.path} is ${other.version}; remove one of them`,
    { at: own.at, path: own.path },
  )
}
