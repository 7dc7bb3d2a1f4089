import type { MessageInitShape } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type {
  DefaultToolsSchema,
  Inspection,
  Tool,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import {
  agreedVersions,
  asDefaultTools,
  toolNames,
  plainVersion,
  type ToolVersions,
} from '@wadi/hydration/tool-versions.ts'
import type { ObservedGroup, ObservedRun } from './branch-run.ts'
import type { RunOutcome } from './run-outcome.ts'

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

/** The versions that the inspections of a group's lists say their repositories name; those on which all agree. */
export function namedTools(
  first: readonly (Pick<Inspection, 'repositoryTools'> | undefined)[],
): ToolVersions {
  return agreedVersions(
    first.map((inspection) =>
      Object.fromEntries(
        toolNames.flatMap((name) => {
          const version = inspection?.repositoryTools?.[name] ?? ''
          return version === '' ? [] : [[name, `v${version}`] as const]
        }),
      ),
    ),
  )
}

/** The versions that a group's dry sources name for all their directories; as before where the run did not look. */
export function namedByGroup(group: ObservedGroup, { named }: Pick<RunOutcome, 'named'>): ToolVersions {
  return named.get(group) ?? group.before?.success?.tools ?? {}
}

/** The versions that a branch is hydrated with: those that all its dry sources name, else those that render what names none. */
export function recordedTools({ defaultTools, groups }: ObservedRun, outcome: RunOutcome): ToolVersions {
  return { ...defaultTools, ...agreedVersions(groups.map((group) => namedByGroup(group, outcome))) }
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
