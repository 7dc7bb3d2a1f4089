const titles = new Map([
  ['helm', 'Helm'],
  ['kustomize', 'Kustomize'],
])

/** The name of a tool as its project writes it. */
export function toolTitle(name: string): string {
  return titles.get(name) ?? name
}

/** Versions of tools in a sentence: `Helm 4.3.1 and Kustomize 5.8.3`. */
export function toolVersionsText(tools: Readonly<Record<string, string>>): string {
  return Object.entries(tools)
    .map(([name, version]) => `${toolTitle(name)} ${version}`)
    .join(' and ')
}
