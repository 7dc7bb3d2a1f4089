import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import { announcementFromMessage } from '@wadi/plugins/announcements/announcement-message.ts'
import { mergeAnnouncements } from '@wadi/plugins/announcements/merge-announcements.ts'
import type { ParameterAnnouncement } from '@wadi/protocol/gen/argocd/repository/repository_pb.ts'

/** The parameters that a plugin announces for an application. */
export interface Announced {
  readonly announcements: Announcement[]
  readonly warnings: string[]
}

/**
 * Reads announcements, one for each parameter. Argo CD's server passes on those without a name, which nobody could set,
 * and the ones of the command and of the file one after the other, whatever is there twice.
 */
export function readAnnounced(
  messages: readonly ParameterAnnouncement[],
  warnings: readonly string[],
): Announced {
  const named = messages.filter(({ name }) => name !== '')
  const nameless = messages.length - named.length
  const warning = `${nameless} announced parameter${nameless === 1 ? ' has' : 's have'} no name and cannot be set`
  return {
    announcements: mergeAnnouncements(named.map(announcementFromMessage), [], []),
    warnings: nameless === 0 ? [...warnings] : [...warnings, warning],
  }
}
