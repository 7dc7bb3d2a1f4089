import {
  helmEngineOf,
  helmEngines,
  kustomizeEngineOf,
  kustomizeEngines,
} from '@wadi/gotemplate/engine-versions.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { installedVersions } from '@wadi/renderer-tools/list-tools.ts'

const engines = {
  helm: { title: 'Helm', versions: helmEngines, engineOf: helmEngineOf },
  kustomize: { title: 'Kustomize', versions: kustomizeEngines, engineOf: kustomizeEngineOf },
} as const

/** An installed version of a renderer; `hasEngine` if a program within the service is made of it. */
interface RenderingVersion {
  readonly name: keyof typeof engines
  readonly version: string
  readonly hasEngine: boolean
}

/** Returns the installed versions of Helm and Kustomize, each once. */
export function renderingVersions(tools: Tools): RenderingVersion[] {
  const found = new Map<string, RenderingVersion>()
  for (const { name, version } of installedVersions(tools)) {
    const hasEngine = engines[name].engineOf(version) !== undefined
    found.set(`${name} ${version}`, { name, version, hasEngine })
  }
  return [...found.values()]
}

/** Names the installed versions that a service renders within itself, where that was found to give the same. */
export function fastVersions(tools: Tools): string {
  const fast = renderingVersions(tools).filter(({ hasEngine }) => hasEngine)
  const named = fast.map(({ name, version }) => `${name} ${version}`)
  return `rendered within the service: ${named.join(', ') || 'no installed version'}`
}

/** Returns a sentence for each installed version that is slower than it could be, as no program within the service is made of it. */
export function slowTools(tools: Tools): string[] {
  const slow = renderingVersions(tools).filter(({ hasEngine }) => !hasEngine)
  return slow.map(({ name, version }) => {
    const { title, versions } = engines[name]
    const fast = versions.map((each) => `v${each}`).join(' and ')
    return `${title} ${version} runs as a program for every render; within the service Wadi renders as ${title} ${fast}, which takes a third of the processor time of a first hydration and a fifth of a changed one`
  })
}
