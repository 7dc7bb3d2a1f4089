import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { plainVersion, type ToolName, toolNames, wholeVersion } from '@wadi/hydration/tool-versions.ts'
import type { ToolVersion } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import type { ToolDownloads } from '@wadi/renderer-tools/releases/tool-downloads.ts'
import type { CurrentTools } from '@wadi/renderer-tools/current-tools.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'

/** The versions of tools of a repo-server. */
export interface KnownTools {
  readonly current: CurrentTools
  /** Absent where the operator allows no downloads. */
  readonly downloads: ToolDownloads | undefined
  /** The operator's directory; absent for none. */
  readonly toolsDirectory: string | undefined
  /** The operator's list of releases; absent for that of Wadi. */
  readonly toolList: string | undefined
}

/** Returns the versions as they are at this moment, for people, who may just have changed them. */
export async function toolsNow({ current }: Pick<KnownTools, 'current'>): Promise<Tools> {
  current.doubt()
  return await current.now()
}

/** Reads the version of a request. @throws InvalidInputError for another tool, and for what is no exact version */
export function requestedTool(tool: ToolVersion | undefined): { name: ToolName; version: string } {
  const name = toolNames.find((known) => known === tool?.name)
  if (name === undefined)
    throw new InvalidInputError(
      `the tool must be ${toolNames.join(' or ')}, not ${JSON.stringify(tool?.name)}`,
    )
  if (!tool || !wholeVersion.test(tool.version))
    throw new InvalidInputError(
      `the version must be exact, such as 4.3.1, and not ${JSON.stringify(tool?.version)}`,
    )
  return { name, version: plainVersion(tool.version) }
}

/** Returns the downloads of a repo-server. @throws FailedPreconditionError where the operator allows none */
export function allowedDownloads({ downloads }: KnownTools): ToolDownloads {
  if (downloads) return downloads
  throw new FailedPreconditionError(
    'this server downloads no tools, so it neither adds nor removes any: set WADI_TOOL_DOWNLOADS=on for repo-server, or put programs into WADI_TOOLS_DIRECTORY as <tool>/<version>/<tool>',
  )
}
