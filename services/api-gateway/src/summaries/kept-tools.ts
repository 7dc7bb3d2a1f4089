import { keptVersions } from '@wadi/hydration/held-versions.ts'
import type { HydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { toolNames, plainVersion, type ToolVersions } from '@wadi/hydration/tool-versions.ts'
import type { Tool } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import type { GatewayContext } from '../context.ts'

/** People wait for the answer; a repo-server that hangs must not keep the rest from them. */
const maxLookMs = 2_000

/** The installed versions; that of each tool first that is the installation's own. */
type Installed = readonly Pick<Tool, 'name' | 'version'>[]

/** A tool of which a branch keeps another version than the installation's own, with the fields of the message `KeptTool`. */
export interface KeptTool {
  name: string
  version: string
  ownVersion: string
}

/** Returns those of a branch's versions that are not the installation's own; none while repo-server does not answer. */
export async function readKeptTools(
  { repoServer }: Pick<GatewayContext, 'repoServer'>,
  versions: ToolVersions,
  signal: AbortSignal,
): Promise<KeptTool[]> {
  if (Object.keys(versions).length === 0) return []
  try {
    const { installed } = await repoServer.resolveRevisions({}, { signal, timeoutMs: maxLookMs })
    return keptTools(versions, installed)
  } catch {
    // The branch is worth showing without.
    signal.throwIfAborted()
    return []
  }
}

/** Returns a finding for each version that branches keep although it is not the installation's own, which is as it should be until somebody chooses. */
export function keptToolsFindings(branches: readonly HydratedBranch[], installed: Installed): Finding[] {
  const kept = branches.flatMap(({ branch, status }) =>
    keptTools(keptVersions(status), installed).map((tool) => ({ branch, tool })),
  )
  const byVersion = Map.groupBy(kept, ({ tool }) => `${tool.name} ${tool.version}`)
  return Array.from(byVersion).flatMap(([version, [first, ...more]]) => {
    if (!first) return []
    const { name, ownVersion } = first.tool
    const which =
      more.length === 0 ? `branch ${first.branch} is` : `branch ${first.branch} and ${more.length} more are`
    const message = `${which} hydrated with ${version} where git names no version, and the installation's own is ${ownVersion}`
    const remedy = `wadi diff --tools ${name}=${ownVersion} shows what that would change, and tools.${name} in wadi.yaml chooses it`
    return [{ severity: 'info', area: 'tools', message, remedy }]
  })
}

function keptTools(versions: ToolVersions, installed: Installed): KeptTool[] {
  return toolNames.flatMap((name) => {
    const own = installed.find((tool) => tool.name === name)?.version
    const version = versions[name]
    if (own === undefined || version === undefined || version === own) return []
    return [{ name, version: plainVersion(version), ownVersion: plainVersion(own) }]
  })
}
