import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import { readDynamicAnnouncements } from '@wadi/plugins/announcements/read-announcements.ts'
import type { PluginRun } from '../run/plugin-run.ts'

/** Remembers of a plugin's command what kind of announcements it prints. */
export interface DynamicKnowledge {
  heard(announcements: readonly Announcement[]): void
  /** Whether what it prints may change what the plugin is given, as far as is known. */
  mayMatter(): boolean
}

/** Knows nothing at first, and so expects that what the command prints matters. */
export function createDynamicKnowledge(): DynamicKnowledge {
  let isPlain: boolean | undefined
  return {
    heard(announcements) {
      // An empty list may be one for this application only.
      if (announcements.length > 0) isPlain = isPlain !== false && announcements.every(isOnlyShown)
    },
    mayMatter: () => isPlain !== true,
  }
}

/** Announcements in Argo CD's form are for user interfaces alone. */
function isOnlyShown({ form, sendDefault, envVar, asArgument }: Announcement): boolean {
  return form === 'flat' && !sendDefault && envVar === '' && !asArgument
}

/**
 * Has the plugin's command announce the parameters of an application; one without such a command announces none.
 * @throws InvalidInputError when it fails or prints something else
 */
export async function announceDynamically(
  run: PluginRun,
  knowledge: DynamicKnowledge,
): Promise<{ announcements: Announcement[]; warnings: string[] }> {
  const { plugin } = run
  if (plugin.announce === undefined) return { announcements: [], warnings: [] }
  const environment = await run.environment(run.parameters, plugin.announcements)
  const { text } = await run.command('announce', plugin.announce, environment)
  const read = readDynamicAnnouncements(text)
  knowledge.heard(read.announcements)
  return read
}
