import type { Tool } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { ObservedRun } from './branch-run.ts'

/** The tools that a branch keeps its version of. */
const keptTools = ['helm', 'kustomize'] as const

/** Versions by the names of their tools, as tools print them. */
export type ToolVersions = Readonly<Record<string, string>>

/**
 * Returns the versions that render what a branch's sources leave open: those that it was hydrated with, for as long as they are installed,
 * so that another version of the installation changes no branch.
 * @param installed that of each tool first that renders without a wish; none when repo-server did not answer, so that nothing changes
 * @param held what the branch was hydrated with; nothing for a new one
 */
export function branchTools(
  installed: readonly Pick<Tool, 'name' | 'version'>[],
  held: ToolVersions = {},
): ToolVersions {
  if (installed.length === 0) return held
  const versions = keptTools.flatMap((name) => {
    const there = installed.filter((tool) => tool.name === name)
    const kept = there.find(({ version }) => version === held[name]) ?? there[0]
    return kept ? [[name, kept.version] as const] : []
  })
  return Object.fromEntries(versions)
}

/** The same as requests to repo-server have them. */
export function defaultToolsOf({ defaultTools }: Pick<ObservedRun, 'defaultTools'>): {
  readonly defaultTools?: { readonly helm: string; readonly kustomize: string }
} {
  const [helm = '', kustomize = ''] = keptTools.map((name) => defaultTools[name]?.replace(/^v/, ''))
  return helm === '' && kustomize === '' ? {} : { defaultTools: { helm, kustomize } }
}
