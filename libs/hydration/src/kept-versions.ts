/** The tools that a branch keeps its version of. */
export const keptTools = ['helm', 'kustomize'] as const

/** Versions by the names of their tools, as tools print them. */
export type ToolVersions = Readonly<Record<string, string>>

/** Versions as requests to repo-server have them; undefined for none. */
export function asDefaultTools(versions: ToolVersions): { helm: string; kustomize: string } | undefined {
  const [helm = '', kustomize = ''] = keptTools.map((name) => versions[name]?.replace(/^v/, ''))
  return helm === '' && kustomize === '' ? undefined : { helm, kustomize }
}
