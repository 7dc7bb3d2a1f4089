import { locale } from '../language/catalogue.ts'

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
  return new Intl.ListFormat(locale).format(
    Object.entries(tools).map(([name, version]) => `${toolTitle(name)} ${version}`),
  )
}
