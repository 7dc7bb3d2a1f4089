import type { HandlerContext } from '@connectrpc/connect'
import type { AppStreamRequest } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { CmpServerContext } from '../context.ts'
import { generatedManifests } from '../plugin/generated-manifests.ts'
import { withFiles } from '../run/plugin-run.ts'

/** Makes the manifests of an application: `init`, then `generate` in the same copy of its files. */
export function generateManifest(context: CmpServerContext) {
  return (requests: AsyncIterable<AppStreamRequest>, call: HandlerContext) =>
    withFiles(context, requests, call, async ({ plugin, command }) => {
      if (plugin.init !== undefined) await command('init', plugin.init)
      const { text } = await command('generate', plugin.generate)
      return { manifests: generatedManifests(text, context.commands.maxOutputBytes) }
    })
}
