import { prefixedVariables } from '@wadi/plugins/parameters/parameter-variables.ts'
import { parametersJson } from '@wadi/plugins/parameters/parameters-json.ts'
import type { BuildEnvironment } from '../../source/build-environment.ts'
import type { PluginVariable } from './plugins.ts'
import type { PluginOptions } from './plugin-option-schema.ts'

/**
 * Returns the variables of a plugin's commands, in Argo CD's order: the build variables, those of the Application,
 * `plugin.env` as `ARGOCD_ENV_<name>`, the parameters as JSON and as `PARAM_…`.
 * @param options undefined for a source without a `plugin` block, which has neither `plugin.env` nor parameters
 */
export function pluginVariables(
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
export function withVariables(
  variables: readonly PluginVariable[],
  others: ReadonlyMap<string, string>,
): PluginVariable[] {
  return variables.map(({ name, value }) => ({ name, value: others.get(name) ?? value }))
}
