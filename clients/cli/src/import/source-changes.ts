import { textAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { type SourceChange, type SyncSource, writtenSources } from './hydrated-spec.ts'
import { filledIn, type PlacementRule } from './placement-rule.ts'

/** The wishes of the user. */
export interface ImportRequest {
  readonly rule: PlacementRule
  /** The repository of the hydrated branches; by default that of the first source. */
  readonly syncRepo: string | undefined
  /** True to write the options of sources into files of their directories. */
  readonly moveParameters: boolean
  /** True to change objects that Argo CD's own hydrator renders. */
  readonly takeOver: boolean
}

/** Returns the place that the rule gives an Application or the template of a set. */
export function syncSourceFor(
  application: Manifest,
  set: string,
  { branch, path }: PlacementRule,
  syncRepo: string | undefined,
  keepsActions?: boolean,
): SyncSource {
  return {
    ...(syncRepo !== undefined && { repoURL: syncRepo }),
    targetBranch: filledIn(branch, application, set, keepsActions),
    path: filledIn(path, application, set, keepsActions),
  }
}

/** Returns the fields that a dry source must have and a source may leave out. */
export function requiredFields(spec: Manifest): SourceChange[] {
  return writtenSources(spec).sources.flatMap((source, position) => {
    const isChart = textAt(source, 'chart') !== ''
    const isPathLess = source['path'] === undefined && !isChart && textAt(source, 'ref') === ''
    return [
      ...(textAt(source, 'targetRevision') === '' && !isChart
        ? [{ position, path: ['targetRevision'], value: 'HEAD' }]
        : []),
      ...(isPathLess ? [{ position, path: ['path'], value: '.' }] : []),
    ]
  })
}

/** Returns the change that keeps the name of a release. */
export function releaseName(position: number, name: string): SourceChange {
  return { position, path: ['helm', 'releaseName'], value: name }
}
