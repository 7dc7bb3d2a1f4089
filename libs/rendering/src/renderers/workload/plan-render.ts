import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { locationAt, partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { CompositeSource } from '../composite/composite-source.ts'
import { namedRenderer, planSource } from '../../plan/plan-source.ts'
import { renderFields } from '../../plan/render-options.ts'
import type { RenderRequest } from '../../plan/render-request.ts'
import type { PlannedSource } from '../../plan/renderer.ts'
import { optionPins, withPins } from '@wadi/renderer-tools/tool-pins.ts'
import { optionNames } from '../../source/source-options.ts'
import { sharedOverrideFile } from '../../source/option-files.ts'
import { mergeSourceOverrides, partSource } from '../../source/source-overrides.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath, repositoryPath } from '@wadi/file-trees/repository-path.ts'
import { renderPins } from './render-pins.ts'
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
