import type { HandlerContext } from '@connectrpc/connect'
import { announcementToMessage } from '@wadi/plugins/announcements/announcement-message.ts'
import { mergeAnnouncements } from '@wadi/plugins/announcements/merge-announcements.ts'
import type { AppStreamRequest } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { CmpServerContext } from '../context.ts'
import { announceDynamically } from '../plugin/dynamic-announcements.ts'
import { withFiles } from '../run/plugin-run.ts'

/** Lists the parameters that the plugin takes, each once: those that its command prints and then those of its file. */
export function getParametersAnnouncement(context: CmpServerContext) {
  return (requests: AsyncIterable<AppStreamRequest>, call: HandlerContext) =>
    withFiles(context, requests, call, async (run) => {
      const { announcements: fixed, ui } = run.plugin
      const { announcements, warnings } = await announceDynamically(run, context.dynamicKnowledge)
      return {
        parameterAnnouncements: mergeAnnouncements(announcements, fixed, ui).map(announcementToMessage),
        warnings: warnings.map(run.clean),
      }
    })
}
