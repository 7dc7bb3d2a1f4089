/** The tools whose version git may choose, and of which a branch keeps its own. */
export const toolNames = ['helm', 'kustomize'] as const

/** A tool whose version git may choose. */
export type ToolName = (typeof toolNames)[number]

/** Versions by the names of their tools, as tools print them. */
export type ToolVersions = Readonly<Record<string, string>>

/** The versions of tools; of a tool with several the first. */
export function versionsOf(
  tools: readonly { readonly name: string; readonly version: string }[],
): ToolVersions {
  return Object.fromEntries(tools.toReversed().map(({ name, version }) => [name, version]))
}

/** The versions that are the same in all. */
export function agreedVersions([first = {}, ...others]: readonly ToolVersions[]): ToolVersions {
  const agreed = Object.entries(first).filter(([name, version]) =>
    others.every((other) => other[name] === version),
  )
  return Object.fromEntries(agreed)
}

/** One exact version as git, directories and flags name it, with or without `v`. */
export const wholeVersion = /^v?\d+\.\d+\.\d+(?:-[\w.]+)?$/

/** A version without a leading `v`. */
export function plainVersion(version: string): string {
  return version.replace(/^v/, '')
}

/** Returns whether a version of Helm decides nothing: none at all, or a major version alone, as in Argo CD. */
export function namesNoHelm(version: string): boolean {
  return /^(?:v[34])?$/.test(version)
}

/** Versions as requests to repo-server have them; undefined for none. */
export function asDefaultTools(versions: ToolVersions): { helm: string; kustomize: string } | undefined {
  const [helm = '', kustomize = ''] = toolNames.map((name) => plainVersion(versions[name] ?? ''))
  return helm === '' && kustomize === '' ? undefined : { helm, kustomize }
}
