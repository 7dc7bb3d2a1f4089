import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { grantAdvice, grantedNames } from '@wadi/plugins/variables/granted-variables.ts'
import { BuildEnvironment, buildVariables } from '../source/build-environment.ts'
import { noteCommands } from '../plan/command-runner.ts'
import { readCheckoutAttributes } from './checkout-attributes.ts'
import { type FingerprintParts, fingerprintOf } from './fingerprint.ts'
import { namedRenderer, planSource } from '../plan/plan-source.ts'
import type { Plan } from '../plan/plan.ts'
import { type PluginUse, countingVariables } from '../renderers/plugin/plugin-use.ts'
import type { RenderTools } from '../plan/renderer.ts'
import { defaultRenderers } from '../renderers/renderers.ts'
import { readRenderSettings } from '../source/repository-settings.ts'
import type { RenderPolicy, RenderSource } from '../source/source.ts'
import { type SourceInspection, extendedFingerprint } from './source-inspection.ts'
import { optionPins, withPins } from '@wadi/renderer-tools/tool-pins.ts'
import { type MergedOptions, mergeSourceOverrides } from '../source/source-overrides.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { repositoryPath, rootOf } from '@wadi/file-trees/repository-path.ts'
import { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/**
 * Finds out how a source is rendered, with what options and from which files, without rendering it.
 * @throws NotFoundError if the path does not exist at `revision` or no plugin takes a source that asks for one
 * @throws InvalidInputError for whatever is wrong with path, options, links or references
 * @throws UnavailableError if a plugin that has to be asked does not answer, and what plugins throw
 */
export async function inspectSource(
  tree: FileTree,
  source: RenderSource,
  revision: string,
  tools: RenderTools,
  policy: RenderPolicy,
  signal?: AbortSignal,
): Promise<SourceInspection> {
  const path = repositoryPath(source.path, 'source path')
  const trace = await traceDirectory(tree, source, path, revision)
  const renderers = tools.renderers ?? defaultRenderers
  const merged = await mergeSourceOverrides(trace, path, source, renderers)
  const { options, layers } = merged
  const settings = await readRenderSettings(trace)
  const pins = { ...settings.repositoryPins, ...tools.overSettings, ...optionPins(merged) }
  const build = buildVariables(source, revision)
  const environment = new BuildEnvironment(build)
  const noted = noteCommands(tools.commands)
  const { plan, inputs } = await planSource({
    source,
    path,
    options,
    layers,
    named: namedRenderer(path, options, renderers, merged.originOf),
    render: undefined,
    build,
    environment,
    trace,
    tools: await withPins(tools, pins),
    renderers,
    policy,
    trial: source.trial,
    commands: noted.commands,
    signal,
  })
  const { renderer, plugins } = plan
  const variables = usedVariables(plugins, build, environment.used)
  const place = { path, checkoutAttributes: await readCheckoutAttributes(trace, plan.inputs) }
  const deciding = decidingParts(plan, source, merged, {
    ...place,
    tools: await identityOf(plan, noted.hasRun() ? tools.commands : undefined),
    variables: variables.map((name): [string, string] => [name, build.get(name) ?? '']),
  })
  return {
    renderer,
    ...place,
    renderers,
    ...optionFacts(source, merged, environment),
    inputs: plan.inputs,
    variables,
    pluginVariables: reportedBy(plugins),
    ...fingerprints(plan, deciding, inputs.minimal(), settings.isStrict),
    ...settings,
    pins,
    hasPlugins: plugins.length > 0,
    reads: trace.reads(),
    warnings: warningsOf(merged, environment, inputs, plan),
    plan,
  }
}

/** Returns the versions that decide the bytes, with that of the service that ran commands for the plan. */
async function identityOf({ identity }: Plan, commands: RenderTools['commands']): Promise<string> {
  return commands === undefined ? identity : `${identity} ${await commands.identity()}`
}

const noVariables: ReadonlyMap<string, string> = new Map()

/** The variables that plugins receive; the same empty map for all sources without, as thousands of inspections are kept. */
function reportedBy(plugins: readonly PluginUse[]): ReadonlyMap<string, string> {
  return plugins.length === 0 ? noVariables : new Map(plugins.flatMap(({ reported }) => [...reported]))
}

/** Returns the facts about the options of a source. */
function optionFacts(
  source: RenderSource,
  { options, originOf, layers }: MergedOptions,
  { unknown: unsetVariables }: BuildEnvironment,
): Pick<SourceInspection, 'options' | 'originOf' | 'optionLayers' | 'inlineOptions' | 'unsetVariables'> {
  const inlineOptions = Object.values(source.options).some((value) => value !== undefined)
  return { options, originOf, optionLayers: layers, inlineOptions, unsetVariables }
}

/** Follows the links to a source's directory, and notes them alone: its own id would make every change below it one of this source. */
async function traceDirectory(
  tree: FileTree,
  source: RenderSource,
  path: string,
  revision: string,
): Promise<TracingTree> {
  const directory = await followPath(new TracingTree(tree), path)
  if (directory === undefined) {
    throw new NotFoundError(`source path "${source.path}" does not exist at revision ${revision}`)
  }
  if (directory.entry.kind !== 'directory') {
    throw new InvalidInputError(
      `source path "${source.path}" is a file at revision ${revision}; name its directory`,
    )
  }
  const trace = new TracingTree(tree)
  for (const [link] of directory.links) await trace.entry(link)
  return trace
}

/** The build variables that decide a result, sorted: those that were used and those that plugins see. */
function usedVariables(
  plugins: readonly PluginUse[],
  build: ReadonlyMap<string, string>,
  used: readonly string[],
): string[] {
  const counting = plugins.flatMap(({ call }) => countingVariables(call, build, used))
  return [...new Set([...used, ...counting])].toSorted()
}

/** Everything but the inputs that decides a result. */
function decidingParts(
  { renderer, plugins, policyOptions, digest, seesNamespace }: Plan,
  { trial, destinationNamespace, forFlux = false }: RenderSource,
  { options, layers }: MergedOptions,
  used: Pick<FingerprintParts, 'path' | 'variables'> &
    Pick<SourceInspection, 'checkoutAttributes'> & { readonly tools: string },
): DecidingParts {
  const reported = plugins.flatMap(({ plugin, reported: variables }) =>
    Array.from(variables, ([name, value]): [string, string] => [`${plugin.name}/${name}`, value]),
  )
  return {
    renderer,
    toolVersion: used.tools,
    options: [
      options,
      policyOptions,
      ...(trial === undefined ? [] : [trial]),
      // The record has the warnings for it.
      ...(forFlux ? ['flux'] : []),
      // And for them.
      ...used.checkoutAttributes.map(({ text }) => text),
      // The record has the lines on which the options are.
      ...layers.map(({ text }) => text).filter((text) => text !== ''),
      ...(digest === '' ? [] : [digest]),
    ],
    destinationNamespace: seesNamespace ? destinationNamespace : undefined,
    path: used.path,
    variables: [...used.variables, ...reported],
  }
}

type DecidingParts = Omit<FingerprintParts, 'inputs' | 'options'> & { readonly options: readonly unknown[] }

function fingerprints(
  plan: Plan,
  parts: DecidingParts,
  inputs: FingerprintParts['inputs'],
  isStrict: boolean,
): Pick<SourceInspection, 'fingerprint' | 'repeatKey' | 'widenedFingerprint'> {
  const { plugins, repeatability } = plan
  const isDoubted = isStrict && repeatability !== undefined
  const deciding = isDoubted ? { ...parts, options: [...parts.options, 'strict'] } : parts
  const fingerprint = fingerprintOf({ ...deciding, inputs })
  const own = inputs.filter(({ path }) => !plugins.some(({ call }) => call.inputs.includes(path)))
  return {
    fingerprint,
    repeatKey: fingerprintOf({ ...parts, variables: [], inputs: own }),
    widenedFingerprint: widening(plan, fingerprint, { ...deciding, inputs }),
  }
}

/**
 * Returns the function that computes the fingerprint of a widened render. Of the inputs it keeps only those outside the
 * repository: most have none.
 */
function widening(
  { mayMissInputs, plugins }: Plan,
  fingerprint: string,
  { inputs, ...deciding }: DecidingParts & Pick<FingerprintParts, 'inputs'>,
): SourceInspection['widenedFingerprint'] {
  const hasPlugins = plugins.length > 0
  const beside = inputs.filter(({ path }) => rootOf(path) !== '')
  return async (whole, revision) => {
    const root = mayMissInputs ? await followPath(whole, '') : undefined
    const widest = root === undefined ? beside : [root, ...beside]
    const widened = mayMissInputs ? fingerprintOf({ ...deciding, inputs: widest }) : fingerprint
    return hasPlugins ? extendedFingerprint(widened, revision) : widened
  }
}

function unsetWarning(name: string, [use]: readonly PluginUse[]): string {
  const warning = `variable ${name} is not available during hydration, so it was replaced with an empty string`
  const isGranted = grantedNames.some((known) => known === name)
  return use === undefined || !isGranted ? warning : `${warning}; ${grantAdvice(use.plugin.name, [name])}`
}

/** Returns the warnings about the options, the inputs and the plan. */
function warningsOf(
  merged: MergedOptions,
  { unknown }: BuildEnvironment,
  inputs: InputCollector,
  plan: Plan,
): string[] {
  const ofParameters = merged.options.plugin?.parameters?.flatMap((parameter) => parameter.warnings) ?? []
  return [
    ...merged.warnings,
    ...unknown.map((name) => unsetWarning(name, plan.plugins)),
    ...ofParameters,
    ...inputs.warnings,
    ...plan.warnings,
  ]
}
