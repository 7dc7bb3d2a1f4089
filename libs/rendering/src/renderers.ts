import type { CommandRunner } from './composite/command-runner.ts'
import type { Tools } from './sandbox/find-tools.ts'
import type { Plugins } from './plugin/plugins.ts'

/** Everything that can render: the tools of this machine and the plugins that can be reached. */
export interface Renderers extends Tools {
  readonly plugins: Plugins
  /** Runs actions of packages and ytt; absent where nothing does. */
  readonly commands?: CommandRunner | undefined
}
