import type { HandlerContext } from '@connectrpc/connect'
import { plainVersion } from '@wadi/hydration/tool-versions.ts'
import type { AddToolRequest, RemoveToolRequest } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { knownVersions, listTools as listed } from '@wadi/renderer-tools/list-tools.ts'
import { readReleaseList } from '@wadi/renderer-tools/releases/release-list.ts'
import { removeTool as removeFrom } from '@wadi/renderer-tools/releases/remove-tool.ts'
import { verifyTools as verified } from '@wadi/renderer-tools/releases/verify-tools.ts'
import { fileDigest } from '@wadi/renderer-tools/tool-program.ts'
import type { RepoServerContext } from '../context.ts'
import { allowedDownloads, requestedTool, toolsNow } from '../tools/known-tools.ts'

type Context = Pick<RepoServerContext, 'tools'>

/** Lists the versions of Helm and Kustomize that are there, and those that may be downloaded. */
export async function listTools({ tools: known }: Context) {
  const tools = await toolsNow(known)
  const there = (await listed(tools)).map(({ program: _program, used: _used, ...tool }) => ({
    ...tool,
    version: plainVersion(tool.version),
  }))
  const downloadable = knownVersions(tools).downloadable.map(({ name, version }) => ({
    name,
    version: plainVersion(version),
  }))
  return { tools: there, downloadable }
}

/** Downloads a release of the list. */
export async function addTool({ tools }: Context, request: AddToolRequest, { signal }: HandlerContext) {
  const { name, version } = requestedTool(request.tool)
  const downloads = allowedDownloads(tools)
  const wasThere = (await downloads.find(name, version)) !== undefined
  const program = await downloads.obtain(name, version, { signal, isAsked: true })
  tools.current.doubt()
  return { sha256: await fileDigest(program), wasThere }
}

/** Removes a version that was downloaded. */
export async function removeTool({ tools }: Context, request: RemoveToolRequest) {
  const tool = requestedTool(request.tool)
  const { directory } = allowedDownloads(tools)
  await removeFrom(await toolsNow(tools), { ...tool, directory })
  tools.current.doubt()
  return {}
}

/** Compares the files of all versions with the list and with what is recorded beside them. */
export async function verifyTools({ tools }: Context) {
  const { downloads, toolsDirectory, toolList } = tools
  const list = await readReleaseList(toolList)
  const places = { list, toolsDirectory, downloadsDirectory: downloads?.directory }
  return { tools: await verified(await toolsNow(tools), places) }
}
