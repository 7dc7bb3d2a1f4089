import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import type { AppStreamRequest } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { z } from 'zod'
import type { CmpServerContext } from '../context.ts'
import type { Announcement } from '../plugin/plugin.ts'
import { announcementSchema } from '../plugin/plugin-schema.ts'
import { withFiles } from '../run/plugin-run.ts'

const printedSchema = z.array(announcementSchema).nullable()

/** Lists the parameters that the plugin takes: those that its command prints and then those of its file. */
export function getParametersAnnouncement(context: CmpServerContext) {
  return (requests: AsyncIterable<AppStreamRequest>, call: HandlerContext) =>
    withFiles(context, requests, call, async ({ plugin, command }) => {
      const printed = plugin.announce ? readPrinted((await command('announce', plugin.announce)).text) : []
      return { parameterAnnouncements: [...printed, ...plugin.announcements] }
    })
}

function readPrinted(text: string): Announcement[] {
  const refuse = (reason: string, cause: unknown) =>
    new InvalidInputError(
      `error unmarshaling dynamic parameter output into ParametersAnnouncementResponse: ${reason}`,
      { cause },
    )
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw refuse(errorMessage(error), error)
  }
  const { data, error } = printedSchema.safeParse(json)
  if (error === undefined) return data ?? []
  throw refuse(error.issues.map(({ path, message }) => `[${path.join('.')}] ${message}`).join('; '), error)
}
