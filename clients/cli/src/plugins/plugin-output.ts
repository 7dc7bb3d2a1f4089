import { toJson } from '@bufbuild/protobuf'
import type { JsonObject } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { PluginSchema } from '@wadi/protocol/gen/wadi/plugins/v1/plugins_pb.ts'
import type { Plugin } from '@wadi/protocol/gen/wadi/plugins/v1/plugins_pb.ts'
import { typeText, valueText } from '../parameters/parameter-text.ts'
import { printable } from '../output/printable.ts'
import { structuredText } from '../output/structured-output.ts'
import { blockLine, tableText } from '../output/table.ts'

/** The output formats of a list of plugins; undefined for a short table. */
export type PluginListFormat = 'wide' | 'name' | 'json' | 'yaml' | undefined

const headers = ['NAME', 'DISCOVERY', 'PARAMETERS', 'STATUS', 'MESSAGE']

/** Returns what `plugin list` prints. */
export function pluginListText(plugins: readonly Plugin[], format: PluginListFormat): string {
  if (format === 'name') return plugins.map(({ name }) => `${printable(name)}\n`).join('')
  if (format === 'json' || format === 'yaml') return structuredText(plugins.map(pluginObject), format)
  const wide = format === 'wide'
  const rows = plugins.map((plugin) => [
    ...(wide ? [plugin.name, plugin.endpoint, plugin.identity] : [plugin.name]),
    plugin.error === '' ? discovery(plugin) : '',
    plugin.error === '' ? parameterCount(plugin) : '',
    status(plugin),
    plugin.error,
  ])
  return tableText(wide ? ['NAME', 'ENDPOINT', 'IDENTITY', ...headers.slice(1)] : headers, rows)
}

/** Returns what `plugin get` prints. */
export function pluginText(plugin: Plugin, format: 'wide' | 'json' | 'yaml'): string {
  if (format !== 'wide') return structuredText(pluginObject(plugin), format)
  const head = [
    blockLine('Name:', plugin.name),
    blockLine('Endpoint:', plugin.endpoint),
    blockLine('Status:', status(plugin)),
  ]
  if (plugin.error !== '') return [...head, blockLine('Message:', plugin.error)].join('')
  const details = [
    blockLine('Discovery:', discovery(plugin)),
    blockLine('Identity:', plugin.identity || '<none>'),
    blockLine('Git Credentials:', plugin.provideGitCreds ? 'given' : 'not given'),
    blockLine('Variables:', plugin.variables.join(', ') || '<none>'),
    blockLine('Parameters:', parameterCount(plugin)),
  ]
  return [...head, ...details].join('') + staticParameters(plugin) + warnings(plugin)
}

function staticParameters({ parameters }: Plugin): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map((parameter) => [
    parameter.name,
    typeText(parameter),
    String(parameter.required),
    valueText(parameter.default),
    parameter.group,
    parameter.tooltip || parameter.title,
  ])
  return `\n${tableText(['PARAMETER', 'TYPE', 'REQUIRED', 'DEFAULT', 'GROUP', 'DESCRIPTION'], rows)}`
}

function warnings(plugin: Plugin): string {
  if (plugin.warnings.length === 0) return ''
  return `\nWarnings:\n${plugin.warnings.map((warning) => `- ${printable(warning)}\n`).join('')}`
}

function status({ error }: Plugin): string {
  return error === '' ? 'Ready' : 'Failed'
}

function discovery(plugin: Plugin): string {
  return plugin.discovery || 'by name'
}

/** The parameters that it has for every source, and whether there are more that depend on it. */
function parameterCount({ parameters, hasDynamicParameters }: Plugin): string {
  return hasDynamicParameters ? `${parameters.length} + dynamic` : String(parameters.length)
}

function pluginObject(plugin: Plugin): JsonObject {
  const object = toJson(PluginSchema, plugin, { alwaysEmitImplicit: true })
  return isJsonObject(object) ? object : {}
}
