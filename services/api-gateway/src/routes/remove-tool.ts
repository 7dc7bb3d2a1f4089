import type { HandlerContext } from '@connectrpc/connect'
import { heldVersions } from '@wadi/hydration/held-versions.ts'
import { plainVersion, toolNames } from '@wadi/hydration/tool-versions.ts'
import type { RemoveToolRequest } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { accountsConfigMap } from '../accounts/sign-in-objects.ts'
import type { GatewayContext } from '../context.ts'

/** The most branches that an answer names. */
const maxBranches = 20

/** Has a repo-server remove a version that it downloaded, for those who may change the settings, and names the branches that keep it. */
export function removeTool(context: GatewayContext) {
  return async (request: RemoveToolRequest, call: HandlerContext) => {
    context.authorization.require(call, 'settings', 'update', `ConfigMap/${accountsConfigMap}`)
    await context.repoServer.removeTool(request, { signal: call.signal })
    const name = toolNames.find((known) => known === request.tool?.name)
    const version = plainVersion(request.tool?.version ?? '')
    const keys = new Set(context.summaries.sorted.map(({ source }) => source.branchKey ?? ''))
    const branches = [...keys].flatMap((key) => {
      const record = context.summaries.record(key)
      const kept = name && heldVersions(record?.status)?.[name]
      return record && kept !== undefined && plainVersion(kept) === version ? [record.branch] : []
    })
    return { branches: [...new Set(branches)].toSorted().slice(0, maxBranches) }
  }
}
