import { type CmpServerContext, requirePlugin } from '../context.ts'

/** Tells what the plugin wants of its caller. */
export function checkPluginConfiguration(context: CmpServerContext) {
  return () => {
    const { discovery, provideGitCredentials } = requirePlugin(context)
    return { isDiscoveryConfigured: discovery !== undefined, provideGitCreds: provideGitCredentials }
  }
}
