import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { ArchiveLimits } from './archive/archive-limits.ts'
import type { CmpServerEvents } from './events.ts'
import type { Plugin } from './plugin/plugin.ts'
import type { RunFolders } from './run/run-folders.ts'

/** What the RPCs of cmp-server work with. */
export interface CmpServerContext {
  /** Undefined when none is configured. */
  plugin: Plugin | undefined
  runs: RunFolders
  events: CmpServerEvents
  limits: ArchiveLimits
  /** Bounds of each command. */
  commands: { timeoutMs: number; graceMs: number; maxOutputBytes: number }
  /** The environment that commands take over from the service. */
  environment: Readonly<Record<string, string | undefined>>
}

/** What is said of a service without a plugin. */
export const noPlugin = 'no plugin is configured; name its file with --plugin or WADI_PLUGIN'

/**
 * The plugin of the service.
 * @throws FailedPreconditionError when there is none
 */
export function requirePlugin({ plugin }: CmpServerContext): Plugin {
  if (plugin === undefined) throw new FailedPreconditionError(noPlugin)
  return plugin
}
