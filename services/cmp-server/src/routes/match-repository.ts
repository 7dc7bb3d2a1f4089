import type { HandlerContext } from '@connectrpc/connect'
import type { AppStreamRequest } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { CmpServerContext } from '../context.ts'
import { discover } from '../plugin/discover.ts'
import { withFiles } from '../run/plugin-run.ts'

/** Tells whether the plugin is for the files of an application; one without rules is for none. */
export function matchRepository(context: CmpServerContext) {
  return (requests: AsyncIterable<AppStreamRequest>, call: HandlerContext) =>
    withFiles(context, requests, call, async (run) => {
      const { discovery } = run.plugin
      if (discovery === undefined) return { isSupported: false, isDiscoveryEnabled: false }
      return { isSupported: await discover(discovery, run), isDiscoveryEnabled: true }
    })
}
