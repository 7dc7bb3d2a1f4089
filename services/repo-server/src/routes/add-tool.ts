import type { HandlerContext } from '@connectrpc/connect'
import type { AddToolRequest } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { fileDigest } from '@wadi/renderer-tools/tool-program.ts'
import type { RepoServerContext } from '../context.ts'
import { allowedDownloads, requestedTool } from '../tools/known-tools.ts'

/** Downloads a release of the list. */
export function addTool({ tools }: Pick<RepoServerContext, 'tools'>) {
  return async (request: AddToolRequest, { signal }: HandlerContext) => {
    const { name, version } = requestedTool(request.tool)
    const downloads = allowedDownloads(tools)
    const wasThere = (await downloads.find(name, version)) !== undefined
    const program = await downloads.obtain(name, version, { signal, isAsked: true })
    tools.current.doubt()
    return { sha256: await fileDigest(program), wasThere }
  }
}
