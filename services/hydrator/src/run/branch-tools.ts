import type { MessageInitShape } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { DefaultToolsSchema, Tool } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { asDefaultTools, toolNames, plainVersion, type ToolVersions } from '@wadi/hydration/tool-versions.ts'
import type { ObservedRun } from './branch-run.ts'

/**
 * Returns the versions that render what a branch's sources leave open: those that it was hydrated with, for as long as they are installed or
 * may be downloaded, so that another version of the installation changes no branch.
 * @param installed those that can render, and may be downloaded; that of each tool first that renders without a wish; none when repo-server did not answer, so that nothing changes
 * @param held the versions that the branch was hydrated with; empty for a new one
 */
export function branchTools(
  installed: readonly Pick<Tool, 'name' | 'version'>[],
  held: ToolVersions = {},
): ToolVersions {
  if (installed.length === 0) return held
  const versions = toolNames.flatMap((name) => {
    const there = installed.filter((tool) => tool.name === name)
    const kept = there.find(({ version }) => version === held[name]) ?? there[0]
    return kept ? [[name, kept.version] as const] : []
  })
  return Object.fromEntries(versions)
}

/** The versions of a run as requests to repo-server have them. */
export interface RequestedTools {
  readonly defaultTools?: MessageInitShape<typeof DefaultToolsSchema>
}

/**
 * The same of a run; nothing for the installation's own.
 * @param withoutCommands true for files of somebody who may not have commands run: they have nothing downloaded either
 */
export function requestedTools(
  {
    defaultTools,
    triedTools = {},
    mayDownload = false,
  }: Pick<ObservedRun, 'defaultTools' | 'triedTools' | 'mayDownload'>,
  withoutCommands: boolean,
): RequestedTools {
  const kept = asDefaultTools(defaultTools)
  const tried = asDefaultTools(triedTools)
  const downloads = mayDownload && !withoutCommands
  if (!kept && !tried && !downloads) return {}
  return {
    defaultTools: {
      ...kept,
      ...(tried && { triedHelm: tried.helm, triedKustomize: tried.kustomize }),
      ...(downloads && { mayDownload: true }),
    },
  }
}

/**
 * Checks versions that somebody wants to try out.
 * @throws InvalidInputError for another tool, and for a version that is not installed, with those that are
 */
export function checkTriedTools(
  tried: ToolVersions,
  installed: readonly Pick<Tool, 'name' | 'version'>[],
): void {
  for (const [name, version] of Object.entries(tried)) {
    const there = installed.filter((tool) => tool.name === name).map((tool) => plainVersion(tool.version))
    if (there.includes(version)) continue
    throw new InvalidInputError(
      there.length === 0
        ? `${JSON.stringify(name)} is not a tool whose version can be chosen; name ${toolNames.join(' or ')}`
        : `${name} ${JSON.stringify(version)} is not installed; choose one of those that are (${there.join(', ')}), or ask the operator to add it with "wadi tools add"`,
    )
  }
}
