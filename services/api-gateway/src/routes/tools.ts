import type { ServiceImpl } from '@connectrpc/connect'
import { heldVersions } from '@wadi/hydration/held-versions.ts'
import { plainVersion, toolNames } from '@wadi/hydration/tool-versions.ts'
import type { ToolService } from '@wadi/protocol/gen/wadi/api_gateway/v1/tool_service_pb.ts'
import type { ToolVersion } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { accountsConfigMap } from '../accounts/sign-in-objects.ts'
import type { GatewayContext } from '../context.ts'

/** A large archive from a slow mirror takes its time. */
const maxDownloadMs = 6 * 60_000

/** All programs are read whole. */
const maxVerificationMs = 2 * 60_000

/** The most branches that an answer names. */
const maxBranches = 20

/**
 * The RPCs of ToolService about the versions of Helm and Kustomize of one repo-server. Every signed-in caller may list them, as they choose
 * among them in git; the others need a right to the settings.
 */
export function toolRoutes(context: GatewayContext) {
  const { repoServer, authorization } = context
  const settings = `ConfigMap/${accountsConfigMap}`
  return {
    listTools: (request, { signal }) => repoServer.listTools(request, { signal }),
    async addTool(request, call) {
      authorization.require(call, 'settings', 'update', settings)
      return repoServer.addTool(request, { signal: call.signal, timeoutMs: maxDownloadMs })
    },
    /** Removes a version that was downloaded, and names the branches that keep it. */
    async removeTool(request, call) {
      authorization.require(call, 'settings', 'update', settings)
      await repoServer.removeTool(request, { signal: call.signal })
      return { branches: branchesWith(context, request.tool) }
    },
    /** Compares the files of all versions with the list of releases. */
    async verifyTools(request, call) {
      authorization.require(call, 'settings', 'get', settings)
      return repoServer.verifyTools(request, { signal: call.signal, timeoutMs: maxVerificationMs })
    },
  } satisfies ServiceImpl<typeof ToolService>
}

function branchesWith(
  { summaries }: Pick<GatewayContext, 'summaries'>,
  tool: ToolVersion | undefined,
): string[] {
  const name = toolNames.find((known) => known === tool?.name)
  const version = plainVersion(tool?.version ?? '')
  const keys = new Set(summaries.sorted.map(({ source }) => source.branchKey ?? ''))
  const branches = [...keys].flatMap((key) => {
    const record = summaries.record(key)
    const kept = name && heldVersions(record?.status)?.[name]
    return record && kept !== undefined && plainVersion(kept) === version ? [record.branch] : []
  })
  return [...new Set(branches)].toSorted().slice(0, maxBranches)
}
