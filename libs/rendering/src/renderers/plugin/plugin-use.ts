import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'
import { prefixedVariables } from '@wadi/plugins/parameters/parameter-variables.ts'
import type { Parameter } from '@wadi/plugins/parameters/parameter.ts'
import { parametersJson } from '@wadi/plugins/parameters/parameters-json.ts'
import { type BuildEnvironment, revisionVariables } from '../../source/build-environment.ts'
import type { RenderPolicy, RenderSource } from '../../source/source.ts'
import { choosePlugin } from './plugin-choice.ts'
import { addPluginInputs, pathsWithoutLinks } from './plugin-inputs.ts'
import type { PluginOptions } from './plugin-option-schema.ts'
import type { Plugin, PluginCall, Plugins, PluginVariable } from './plugins.ts'
import { reportedVariables } from './reported-variables.ts'

/** A plugin's render with everything that the plugin receives. */
export interface PluginUse {
  readonly plugin: Plugin
  /** The variables of the Application and its cluster that it receives; a part of the call's variables. */
  readonly reported: ReadonlyMap<string, string>
  /** Those that the options set. */
  readonly parameters: readonly Parameter[]
  /** Credentials are not among the variables. */
  readonly call: Omit<PluginCall, 'tree' | 'signal' | 'deadline'>
}

/** A source that may be a plugin's. */
interface PluginSource {
  readonly source: RenderSource
  /** The source's directory, normalised. */
  readonly path: string
  /** Its `plugin` block; undefined for a source without options of any renderer. */
  readonly options: PluginOptions | undefined
  readonly build: ReadonlyMap<string, string>
  readonly environment: BuildEnvironment
  readonly trace: TracingTree
  readonly inputs: InputCollector
  readonly plugins: Plugins
  readonly policy: Pick<RenderPolicy, 'pluginTarExclude'>
  readonly signal: AbortSignal | undefined
}

/**
 * Finds the plugin that renders a source, and adds what it may see to `inputs`; undefined if no plugin matches the source,
 * which is not an error without a `plugin` block. Errors are those of `choosePlugin`.
 */
export async function findPlugin(asked: PluginSource): Promise<PluginUse | undefined> {
  const { path, options, trace, inputs, plugins, signal } = asked
  const { pluginTarExclude: leftOut = [] } = asked.policy
  const collect = async (): Promise<string[]> => {
    await addPluginInputs(trace, path, asked.source.manifestGeneratePaths, inputs)
    return pathsWithoutLinks(inputs.minimal())
  }
  let collected: Promise<string[]> | undefined
  const callOf = async (
    plugin: Plugin,
    reported = reportedVariables(plugin, asked.source),
  ): Promise<PluginUse['call']> => {
    collected ??= collect()
    const variables = pluginVariables(asked.build, options, asked.environment, reported)
    return { inputs: await collected, path, variables, leftOut }
  }
  const match = async (plugin: Plugin): Promise<boolean> =>
    await plugin.match({ ...(await callOf(plugin)), tree: trace.untraced, ...(signal && { signal }) })
  const plugin = await choosePlugin({ tree: trace, path, options, plugins, leftOut, match, signal })
  if (plugin === undefined) return undefined
  const reported = reportedVariables(plugin, asked.source)
  return { plugin, reported, parameters: options?.parameters ?? [], call: await callOf(plugin, reported) }
}

/**
 * Names of the build variables that a plugin's result depends on, sorted.
 *
 * A plugin gets all of them and nobody knows which it uses. If it sees the whole repository, which nearly every commit
 * changes, all are included. With the annotation its author says that the listed paths decide the result, and to include the
 * revision would still render every source at every commit; so it is included only where it is seen: in a value of
 * `plugin.env`, or in the manifests, for which `renderSource` widens the fingerprint. The others cost nothing.
 */
export function countingVariables(
  { inputs }: PluginUse['call'],
  build: ReadonlyMap<string, string>,
  used: readonly string[],
): string[] {
  const seesAll = inputs.includes('')
  return [...build.keys()]
    .filter((name) => seesAll || used.includes(name) || !name.startsWith('ARGOCD_APP_REVISION'))
    .toSorted()
}

/** The same for a commit in which everything that it was made from is the same. */
export function useAtRevision(use: PluginUse, revision: string): PluginUse {
  const variables = withVariables(use.call.variables, revisionVariables(revision))
  return { ...use, call: { ...use.call, variables } }
}

/**
 * Returns the variables of a plugin's commands, in Argo CD's order: the build variables, those of the Application,
 * `plugin.env` as `ARGOCD_ENV_<name>`, the parameters as JSON and as `PARAM_…`.
 * @param options undefined for a source without a `plugin` block, which has neither `plugin.env` nor parameters
 */
function pluginVariables(
  build: ReadonlyMap<string, string>,
  options: PluginOptions | undefined,
  environment: BuildEnvironment,
  reported: ReadonlyMap<string, string>,
): PluginVariable[] {
  const variables = [...build, ...reported].map(([name, value]) => ({ name, value }))
  if (options === undefined) return variables
  const { env = [], parameters = [] } = options
  return [
    ...variables,
    ...env.map(({ name, value = '' }) => ({
      name: `ARGOCD_ENV_${name}`,
      value: environment.substitute(value, reported),
    })),
    { name: 'ARGOCD_APP_PARAMETERS', value: parametersJson(parameters) },
    ...prefixedVariables(parameters),
  ]
}

/** The same variables, some of them with other values. */
function withVariables(
  variables: readonly PluginVariable[],
  others: ReadonlyMap<string, string>,
): PluginVariable[] {
  return variables.map(({ name, value }) => ({ name, value: others.get(name) ?? value }))
}
