import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import { readDynamicAnnouncements } from '@wadi/plugins/announcements/read-announcements.ts'
import type { PluginRun } from '../run/plugin-run.ts'
import type { DynamicKnowledge } from './dynamic-knowledge.ts'

/**
 * Has the plugin's command announce the parameters of an application; one without such a command announces none.
 * @throws InvalidInputError when it fails or prints something else
 */
export async function announceDynamically(
  run: PluginRun,
  knowledge: DynamicKnowledge,
  timeoutMs?: number,
): Promise<{ announcements: Announcement[]; warnings: string[] }> {
  const { plugin } = run
  if (plugin.announce === undefined) return { announcements: [], warnings: [] }
  const environment = await run.environment(run.parameters, plugin.announcements)
  const { text } = await run.command('announce', plugin.announce, environment, timeoutMs)
  const read = readDynamicAnnouncements(text)
  knowledge.observed(run.application, read.announcements)
  return read
}
