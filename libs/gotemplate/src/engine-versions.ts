/** The versions of Helm whose packages are compiled in: each program renders what that version of the helm program does. */
export const helmEngines = ['4.1.4', '4.3.1'] as const
/** One of them. */
export type HelmEngine = (typeof helmEngines)[number]

/** The versions of Kustomize that are compiled in; `libs/gotemplate/programs.ts` has how each is built. */
export const kustomizeEngines = ['5.7.1', '5.8.3'] as const
/** One of them. */
export type KustomizeEngine = (typeof kustomizeEngines)[number]

/** The Helm that Wadi brings, as it reports its version. */
export const helmOfCharts = `v${helmEngines[0]}`

/** The Kustomize that Wadi brings, as it reports its version. */
export const kustomizeVersion = `v${kustomizeEngines[0]}`

/** The compiled Helm of a version that a tool reports, such as `v4.1.4`; undefined for none. */
export function helmEngineOf(version: string): HelmEngine | undefined {
  return helmEngines.find((engine) => version === `v${engine}`)
}

/** The compiled Kustomize of a version that a tool reports, such as `v5.7.1`; undefined for none. */
export function kustomizeEngineOf(version: string): KustomizeEngine | undefined {
  return kustomizeEngines.find((engine) => version === `v${engine}`)
}
