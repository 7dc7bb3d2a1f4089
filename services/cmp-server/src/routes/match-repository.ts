import type { HandlerContext } from '@connectrpc/connect'
import { matchesRule } from '@wadi/plugins/discovery/matches-rule.ts'
import type { Discovery } from '@wadi/plugins/file/plugin.ts'
import type { AppStreamRequest } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { CmpServerContext } from '../context.ts'
import { directoryLister } from '../plugin/list-directory.ts'
import { type PluginRun, withFiles } from '../run/plugin-run.ts'

/** Tells whether the plugin is for the files of an application; one without rules is for none. */
export function matchRepository(context: CmpServerContext) {
  return (requests: AsyncIterable<AppStreamRequest>, call: HandlerContext) =>
    withFiles(context, requests, call, async (run) => {
      const { discovery } = run.plugin
      if (discovery === undefined) return { isSupported: false, isDiscoveryEnabled: false }
      return { isSupported: await discovers(discovery, run), isDiscoveryEnabled: true }
    })
}

async function discovers(discovery: Discovery, run: PluginRun): Promise<boolean> {
  if (discovery.by !== 'command') return matchesRule(discovery, directoryLister(run.root, run.directory))
  const environment = await run.environment(run.parameters, run.plugin.announcements)
  return (await run.command('discover', discovery.argv, environment)).text !== ''
}
