import { FieldReader } from '@wadi/fields/field-reader.ts'
import { flatParameters } from '../params/flat-parameters.ts'
import type { ParameterSet, ParameterValues } from '../params/parameter-set.ts'
import type { GeneratorRun } from './generator-run.ts'
import { callPlugin, type PluginRequest } from './plugin-call.ts'
import { readPluginConfiguration, requirePlugin } from './plugin-configuration.ts'
import { withTemplatedValues } from './templated-values.ts'

/**
 * One parameter set for each map that a plugin returns, which is a server with the one method that Argo CD's plugins
 * have. `generator.input.parameters` is what it was given; the default engine gets all of it flat.
 * @throws PermissionDeniedError for a plugin that is not allowed; what asking it throws
 */
export async function pluginParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const reader = new FieldReader(path)
  const configMapRef = reader.object(fields, 'configMapRef', '') ?? {}
  const name = reader.requiredString(configMapRef, 'name', 'configMapRef.')
  const parameters = reader.object(reader.object(fields, 'input', '') ?? {}, 'parameters', 'input.') ?? {}
  reader.throwFindings()
  requirePlugin(name, run)
  const found = await askPlugin(name, { applicationSetName: run.setName, input: { parameters } }, run)
  const given = { generator: { input: { parameters } } }
  const sets: ParameterSet[] = []
  for (const [index, object] of found.entries()) {
    await run.pace()
    const values = run.isGoTemplate
      ? { ...object, ...given }
      : Object.fromEntries([...flatParameters(object), ...flatParameters(given)])
    const set = { origin: `${path}: output.parameters[${index}] of the plugin ${name}`, values }
    run.budget.add(sets, await withTemplatedValues(set, fields['values'], run))
  }
  return sets
}

/** The answer of a plugin, for which it is asked once in a run, its configuration being read each time. */
function askPlugin(
  name: string,
  request: PluginRequest,
  { kind, inputs, store }: GeneratorRun,
): Promise<ParameterValues[]> {
  return inputs.answer({
    key: { kind, subjects: [name, request] },
    ask: async (signal) => callPlugin(await readPluginConfiguration(name, store), request, signal),
  })
}
