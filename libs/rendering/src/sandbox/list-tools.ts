import { errorMessage } from '@wadi/errors/domain-error.ts'
import { type ToolName, toolNames } from '@wadi/hydration/tool-versions.ts'
import type { Tool, Tools } from './find-tools.ts'
import type { OtherVersion } from './other-versions.ts'

/** A version of a tool as people see it. */
interface ListedTool {
  readonly name: ToolName
  readonly version: string
  /** The command; empty for one that cannot be used. */
  readonly program: string
  /** When it renders, or why it cannot be used. */
  readonly used: string
}

/** All versions of the installation that are there; of each tool its own comes first. */
export async function listTools(tools: Tools): Promise<ListedTool[]> {
  const listed = toolNames.map(async (name) => {
    const others = [...(tools.others?.[name] ?? [])]
      .filter(([, { isThere }]) => isThere)
      .map((other) => listedOther(name, other))
    return [listedTool(name, tools[name], 'by default'), ...(await Promise.all(others))]
  })
  return (await Promise.all(listed)).flat()
}

/** The names and versions of the same; none is looked at. */
export function installedVersions(tools: Tools): { name: ToolName; version: string }[] {
  return toolNames.flatMap((name) => {
    const others = otherNames(tools, name, true)
    return [tools[name].version, ...others].map((version) => ({ name, version }))
  })
}

/** The same, and those of releases that are not there but may be downloaded. */
export function knownVersions(
  tools: Tools,
): Record<'installed' | 'downloadable', { name: ToolName; version: string }[]> {
  const downloadable = toolNames.flatMap((name) =>
    otherNames(tools, name, false).map((version) => ({ name, version })),
  )
  return { installed: installedVersions(tools), downloadable }
}

function otherNames(tools: Tools, name: ToolName, isThere: boolean): string[] {
  return [...(tools.others?.[name] ?? [])].flatMap(([version, other]) =>
    other.isThere === isThere ? [`v${version}`] : [],
  )
}

async function listedOther(
  name: ToolName,
  [version, { open }]: readonly [string, OtherVersion],
): Promise<ListedTool> {
  try {
    return listedTool(name, await open(), 'when git asks for it')
  } catch (error) {
    return { name, version, program: '', used: `not: ${errorMessage(error)}` }
  }
}

function listedTool(name: ToolName, { version, command }: Tool, used: string): ListedTool {
  return { name, version, program: command.join(' '), used }
}
