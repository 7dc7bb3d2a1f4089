import type { CommandRunner } from '../renderers/composite/command-runner.ts'
import type { Renderer } from '../plan/renderer.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import type { ToolPins } from '@wadi/renderer-tools/tool-pins.ts'
import type { Plugins } from '../renderers/plugin/plugins.ts'

/** Everything that can render: the tools of this machine and the plugins that can be reached. */
export interface RenderTools extends Tools {
  /** Versions to try out in the place of those that `wadi.yaml` names. */
  readonly overSettings?: ToolPins | undefined
  readonly plugins: Plugins
  /** Runs actions of packages and ytt; absent where nothing does. */
  readonly commands?: CommandRunner | undefined
  /** The renderers in the order in which they are asked whether a source is theirs; by default those of `renderers.ts`. */
  readonly renderers?: readonly Renderer[] | undefined
}
