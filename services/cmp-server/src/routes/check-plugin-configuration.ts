import { announcementToMessage } from '@wadi/plugins/announcements/announcement-message.ts'
import { mergeAnnouncements } from '@wadi/plugins/announcements/merge-announcements.ts'
import { grantedVariableText } from '@wadi/plugins/variables/granted-variables.ts'
import { type CmpServerContext, requirePlugin } from '../context.ts'

/** Tells what the plugin is and what it wants of its caller. */
export function checkPluginConfiguration(context: CmpServerContext) {
  return async () => {
    const plugin = requirePlugin(context)
    const { discovery } = plugin
    return {
      isDiscoveryConfigured: discovery !== undefined,
      provideGitCreds: plugin.provideGitCredentials,
      pluginName: plugin.name,
      identity: await context.consistsOf.identity(),
      version: plugin.version,
      programDigest: await context.consistsOf.programDigest(),
      image: context.image,
      discoverFileName: discovery?.by === 'fileName' ? discovery.pattern : '',
      discoverGlob: discovery?.by === 'glob' ? discovery.pattern : '',
      hasDynamicParameters: plugin.announce !== undefined,
      staticParameters: mergeAnnouncements([], plugin.announcements, plugin.ui).map(announcementToMessage),
      warnings: [...plugin.warnings],
      variables: [...plugin.variables].map(grantedVariableText),
      isStrict: plugin.validation === 'strict',
    }
  }
}
