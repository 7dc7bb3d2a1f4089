import type { ServiceImpl } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import type { GatewayContext } from '../context.ts'

/** The RPCs of PluginService: the config management plugins that repo-server can reach; every signed-in caller may know them. */
export function pluginRoutes({ repoServer }: GatewayContext) {
  return {
    listPlugins: (request, { signal }) => repoServer.listPlugins(request, { signal }),
    async getPlugin({ name }, { signal }) {
      const { plugins } = await repoServer.listPlugins({}, { signal })
      const plugin = plugins.find((known) => known.name === name)
      if (plugin) return { plugin }
      const names = plugins.map((known) => known.name).join(', ')
      throw new NotFoundError(
        `plugin ${JSON.stringify(name)} not found; there ${names ? `are: ${names}` : 'is none'}`,
      )
    },
  } satisfies ServiceImpl<typeof PluginService>
}
