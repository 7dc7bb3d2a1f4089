import type { RemoveToolRequest } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { removeTool as removeFrom } from '@wadi/renderer-tools/releases/remove-tool.ts'
import type { RepoServerContext } from '../context.ts'
import { allowedDownloads, requestedTool, toolsNow } from '../tools/known-tools.ts'

/** Removes a version that was downloaded. */
export function removeTool({ tools }: Pick<RepoServerContext, 'tools'>) {
  return async (request: RemoveToolRequest) => {
    const tool = requestedTool(request.tool)
    const { directory } = allowedDownloads(tools)
    await removeFrom(await toolsNow(tools), { ...tool, directory })
    tools.current.doubt()
    return {}
  }
}
