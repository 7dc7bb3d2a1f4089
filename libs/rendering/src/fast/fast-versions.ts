import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import type { Tools } from '../sandbox/find-tools.ts'

/** Returns a sentence for each tool that is slower than it could be, as only one version of each can be rendered within the service. */
export function slowTools({ helm, kustomize }: Tools): string[] {
  const slow = (name: string, found: string, fast: string): string[] =>
    found === fast
      ? []
      : [
          `${name} ${found} runs as a program for every render; Wadi itself renders as ${name} ${fast}, which takes a third of the processor time of a first hydration and a fifth of a changed one`,
        ]
  return [
    ...slow('Helm', helm.version, helmOfCharts),
    ...slow('Kustomize', kustomize.version, kustomizeVersion),
  ]
}
