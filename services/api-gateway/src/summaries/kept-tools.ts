import type { HydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { toolNames, plainVersion } from '@wadi/hydration/tool-versions.ts'
import type { Tool } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'

/**
 * Returns a sentence for each version that branches keep although it is not the installation's own.
 * @param installed that of each tool first that is the installation's own
 */
export function keptToolsText(
  branches: readonly HydratedBranch[],
  installed: readonly Pick<Tool, 'name' | 'version'>[],
): string[] {
  return toolNames.flatMap((name) => {
    const own = installed.find((tool) => tool.name === name)?.version
    const byVersion = Map.groupBy(branches, ({ status }) => status.tools?.[name])
    return Array.from(byVersion).flatMap(([version, [first, ...more]]) => {
      if (own === undefined || version === undefined || version === own || !first) return []
      const which =
        more.length === 0 ? `branch ${first.branch} is` : `branch ${first.branch} and ${more.length} more are`
      return [
        `${which} hydrated with ${name} ${version} where git names no version, and the installation's own is ${own}; ` +
          `wadi diff --tools ${name}=${plainVersion(own)} shows what that would change, and tools.${name} in wadi.yaml chooses it`,
      ]
    })
  })
}
