import { errorMessage } from '@wadi/errors/domain-error.ts'
import { helmEngineOf, kustomizeEngineOf } from '@wadi/gotemplate/engine-versions.ts'
import { plainVersion, type ToolName, toolNames } from '@wadi/hydration/tool-versions.ts'
import { isBundled } from './bundled-program.ts'
import type { Tool, Tools } from './find-tools.ts'
import type { OtherVersion, ToolOrigin } from './other-versions.ts'

/** A version of a tool as people see it. */
export interface ListedTool {
  readonly name: ToolName
  readonly version: string
  readonly origin: ToolOrigin
  /** The command; empty for one that cannot be used. */
  readonly program: string
  /** When it renders, or why it cannot be used. */
  readonly used: string
  /** True for the installation's own. */
  readonly isDefault: boolean
  /** The reason why it cannot be used; empty for one that can. */
  readonly error: string
  /** Of the program, in hex; empty for one that cannot be used. */
  readonly sha256: string
  /** True if a program within the service renders in its place, where that was found to give the same. */
  readonly hasEngine: boolean
}

/** All versions of the installation that are there; of each tool its own comes first. */
export async function listTools(tools: Tools): Promise<ListedTool[]> {
  const listed = toolNames.map(async (name) => {
    const others = [...(tools.others?.[name] ?? [])]
      .filter(([, { isThere }]) => isThere)
      .map((other) => listedOther(name, other))
    const own = tools[name]
    const origin = isBundled(own.command[0] ?? '') ? 'brought' : 'own'
    const first = listedTool(name, own, { origin, isDefault: true, used: 'by default' })
    return [first, ...(await Promise.all(others))]
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

/** Names the versions of a tool that are there, for messages. */
export function installedText(tools: Tools, name: ToolName): string {
  const there = installedVersions(tools).filter((tool) => tool.name === name)
  return [...new Set(there.map(({ version }) => plainVersion(version)))].join(', ')
}

function otherNames(tools: Tools, name: ToolName, isThere: boolean): string[] {
  return [...(tools.others?.[name] ?? [])].flatMap(([version, other]) =>
    other.isThere === isThere ? [`v${version}`] : [],
  )
}

async function listedOther(
  name: ToolName,
  [version, { origin, open }]: readonly [string, OtherVersion],
): Promise<ListedTool> {
  const facts = { origin, isDefault: false }
  try {
    return listedTool(name, await open(), { ...facts, used: 'when git names it or a branch keeps it' })
  } catch (cause) {
    const error = errorMessage(cause)
    const unusable = { program: '', used: `not: ${error}`, error, sha256: '', hasEngine: false }
    return { name, version, ...facts, ...unusable }
  }
}

function listedTool(
  name: ToolName,
  { version, command, program }: Tool,
  facts: Pick<ListedTool, 'origin' | 'isDefault' | 'used'>,
): ListedTool {
  const engine = name === 'helm' ? helmEngineOf(version) : kustomizeEngineOf(version)
  return {
    name,
    version,
    ...facts,
    program: command.join(' '),
    error: '',
    sha256: program?.sha256 ?? '',
    hasEngine: engine !== undefined,
  }
}
