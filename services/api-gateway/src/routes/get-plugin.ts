import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GetPluginRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import type { GatewayContext } from '../context.ts'

/** Returns a config management plugin; every signed-in caller may know it. */
export function getPlugin({ repoServer }: GatewayContext) {
  return async ({ name }: GetPluginRequest, { signal }: HandlerContext) => {
    const { plugins } = await repoServer.listPlugins({}, { signal })
    const plugin = plugins.find((known) => known.name === name)
    if (plugin) return { plugin }
    const names = plugins.map((known) => known.name).join(', ')
    throw new NotFoundError(
      `plugin ${JSON.stringify(name)} not found; there ${names ? `are: ${names}` : 'is none'}`,
    )
  }
}
