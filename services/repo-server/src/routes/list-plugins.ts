import type { HandlerContext } from '@connectrpc/connect'
import type { PluginReport } from '@wadi/plugin-client/open-plugins.ts'
import { grantedVariableText } from '@wadi/plugins/variables/granted-variables.ts'
import type { ListPluginsRequest } from '@wadi/protocol/gen/wadi/plugins/v1/plugins_pb.ts'
import { announcedFields } from '@wadi/plugins/announcements/announced-fields.ts'
import type { Plugin } from '@wadi/rendering/renderers/plugin/plugins.ts'
import type { RepoServerContext } from '../context.ts'

/** Lists the plugins; one that does not answer carries its error. */
export function listPlugins({ plugins }: RepoServerContext) {
  return async (_request: ListPluginsRequest, { signal }: HandlerContext) => ({
    plugins: (await plugins.report(signal)).map(pluginMessage),
  })
}

function pluginMessage({ name, endpoint, error, plugin, ...report }: PluginReport) {
  return {
    name,
    endpoint,
    error,
    discovery: discoveryText(plugin?.discovery),
    identity: plugin?.identity ?? '',
    variables: [...(plugin?.variables ?? [])].map(grantedVariableText),
    provideGitCreds: plugin?.wantsGitCredentials ?? false,
    hasDynamicParameters: report.hasDynamicParameters,
    parameters: report.staticAnnouncements.map(announcedFields),
    warnings: [...report.warnings],
  }
}

function discoveryText(discovery: Plugin['discovery']): string {
  if (discovery === undefined) return ''
  return discovery.by === 'remote' ? 'command' : `${discovery.by} ${discovery.pattern}`
}
