import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { BuildEnvironment, buildVariables } from './build-environment.ts'
import { noteCommands } from './composite/command-runner.ts'
import { grantAdvice, grantedNames } from '@wadi/plugins/variables/granted-variables.ts'
import type { FileTree } from './tree/file-tree.ts'
import type { Tools } from './sandbox/find-tools.ts'
import { extendedFingerprint, fingerprintOf } from './fingerprint.ts'
import { followPath } from './tree/follow-links.ts'
import { partPlugins, partTools } from './composite/source-part.ts'
import { type PluginPlan, countingVariables } from './plugin/plugin-plan.ts'
import type { Renderers } from './renderers.ts'
import { repositoryPath } from './tree/repository-path.ts'
import { readsStrictly } from './repository-settings.ts'
import type { RenderPolicy, RenderSource, SourceOptions } from './source.ts'
import { mergeSourceOverrides } from './source-overrides.ts'
import { planSource, usesKustomize } from './source-plan.ts'
import type { SourceInspection, SourcePlan } from './source-inspection.ts'
import { TracingTree } from './tree/tracing-tree.ts'

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
  tools: Renderers,
  policy: RenderPolicy,
  signal?: AbortSignal,
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
  const { options, originOf, layers, notices } = await mergeSourceOverrides(trace, path, source)
  const isStrict = await readsStrictly(trace)
  const build = buildVariables(source, revision)
  const environment = new BuildEnvironment(build)
  const noted = noteCommands(tools.commands)
  const planned = {
    source,
    path,
    options,
    build,
    environment,
    trace,
    tools,
    policy,
    signal,
    trial: source.trial,
    commands: noted.commands,
  }
  const { plan, inputs } = await planSource(planned)
  const minimal = inputs.minimal()
  const { renderer } = plan
  const plugins = 'composite' in plan ? partPlugins(plan.composite.parts) : pluginsOf(plan)
  for (const name of environment.unknown) notices.push(unsetNotice(name, plugins))
  const counting = plugins.flatMap(({ call }) => countingVariables(call, build, environment.used))
  const variables = [...new Set([...environment.used, ...counting])].toSorted()
  const pluginVariables = new Map(plugins.flatMap(({ told }) => [...told]))
  const parts = {
    renderer,
    toolVersion: [
      toolVersion(plan, tools),
      ...(noted.hasRun() ? [await tools.commands?.identity()] : []),
    ].join(' '),
    options: [
      options,
      usesKustomize(plan) ? policy.kustomizeBuildOptions : [],
      ...(source.trial === undefined ? [] : [source.trial]),
      // The record tells on which lines the options are.
      ...layers.map(({ text }) => text).filter((text) => text !== ''),
      ...('composite' in plan && plan.composite.digest !== '' ? [plan.composite.digest] : []),
    ],
    destinationNamespace:
      renderer === 'workload' || (renderer === 'helm' && !options.helm?.namespace)
        ? source.destinationNamespace
        : undefined,
    path,
    variables: [
      ...variables.map((name): [string, string] => [name, build.get(name) ?? '']),
      ...plugins.flatMap(({ plugin, told }) =>
        [...told].map(([name, value]): [string, string] => [`${plugin.name}/${name}`, value]),
      ),
    ],
  }
  const deciding =
    isStrict && renderer !== 'directory' ? { ...parts, options: [...parts.options, 'strict'] } : parts
  const fingerprint = fingerprintOf({ ...deciding, inputs: minimal })
  return {
    renderer,
    path,
    options,
    originOf,
    optionLayers: layers,
    inlineOptions: Object.values(source.options).some((value) => value !== undefined),
    inputs: minimal.map((input) => input.path),
    variables,
    pluginVariables,
    fingerprint,
    repeatKey: fingerprintOf({
      ...parts,
      variables: [],
      inputs: minimal.filter((input) => !plugins.some(({ call }) => call.inputs.includes(input.path))),
    }),
    isStrict,
    hasPlugins: plugins.length > 0,
    widenedFingerprint: async (whole, current) => {
      if (renderer === 'plugin') return extendedFingerprint(fingerprint, current)
      const root = await followPath(whole, '')
      const widened = fingerprintOf({ ...deciding, inputs: root === undefined ? [] : [root] })
      return plugins.length === 0 ? widened : extendedFingerprint(widened, current)
    },
    reads: trace.reads(),
    notices: [...notices, ...parameterWarnings(options), ...inputs.notices, ...planNotices(plan)],
    plan,
  }
}

function unsetNotice(name: string, [plan]: readonly PluginPlan[]): string {
  const notice = `variable ${name} is not available during hydration, so it was replaced with an empty string`
  const isGranted = grantedNames.some((known) => known === name)
  return plan === undefined || !isGranted ? notice : `${notice}; ${grantAdvice(plan.plugin.name, [name])}`
}

function pluginsOf(plan: SourcePlan): PluginPlan[] {
  return plan.renderer === 'plugin' ? [plan.plugin] : []
}

function parameterWarnings({ plugin }: SourceOptions): string[] {
  const warnings = plugin?.parameters?.flatMap((parameter) => parameter.warnings) ?? []
  return warnings.map((warning) => `plugin.${warning}`)
}

function planNotices(plan: SourcePlan): readonly string[] {
  return 'composite' in plan ? plan.composite.notices : []
}

function toolVersion(plan: SourcePlan, tools: Tools): string {
  if ('composite' in plan) {
    return partTools(plan.composite.parts, tools)
      .map(({ name, version }) => `${name} ${version}`)
      .join(' ')
  }
  if (plan.renderer === 'directory') return ''
  if (plan.renderer !== 'plugin') return tools[plan.renderer].version
  const { name, identity } = plan.plugin.plugin
  return `${name} ${identity}`
}
