import { growingCache } from '@wadi/concurrency/growing-cache.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'

const maxApplications = 10_000

/** Remembers of a plugin's command what kind of announcements it prints for an application. */
export interface DynamicKnowledge {
  observed(application: string, announcements: readonly Announcement[]): void
  /** Returns true if its output may change what the plugin receives or its user sees, as far as is known. */
  mayMatter(application: string): boolean
}

/** Knows nothing at first, and so expects that what the command prints matters. */
export function createDynamicKnowledge(): DynamicKnowledge {
  const plain = growingCache<string, boolean>(maxApplications)
  return {
    observed(application, announcements) {
      // An empty list may be one for these files only.
      if (announcements.length === 0) return
      const isPlain = plain.get(application) !== false && announcements.every(isOnlyShown)
      plain.set(application, isPlain)
    },
    mayMatter: (application) => plain.get(application) !== true,
  }
}

/** Announcements in Argo CD's form are for user interfaces alone, unless there is something to check. */
function isOnlyShown(announcement: Announcement): boolean {
  const { form, sendDefault, envVar, asArgument, required, itemType } = announcement
  const isGiven = sendDefault || envVar !== '' || asArgument
  return form === 'flat' && !isGiven && !required && (itemType === '' || itemType === 'string')
}
