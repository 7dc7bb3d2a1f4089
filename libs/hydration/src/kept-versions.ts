/** The tools that a branch keeps its version of. */
export const keptTools = ['helm', 'kustomize'] as const

/** Versions by the names of their tools, as tools print them. */
export type ToolVersions = Readonly<Record<string, string>>

/** A version without a leading `v`. */
export function plainVersion(version: string): string {
  return version.replace(/^v/, '')
}

/** Versions as requests to repo-server have them; undefined for none. */
export function asDefaultTools(versions: ToolVersions): { helm: string; kustomize: string } | undefined {
  const [helm = '', kustomize = ''] = keptTools.map((name) => plainVersion(versions[name] ?? ''))
  return helm === '' && kustomize === '' ? undefined : { helm, kustomize }
}
