import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { specPathOf } from './found-objects.ts'
import { hasContent } from './hydrated-spec.ts'

const optionBlocks = ['helm', 'kustomize', 'directory', 'plugin']
const apart =
  'apply it where only Wadi reads it, and let Argo CD sync the branch by an Application with source'

/** Returns sentences on fields of a hydrated object that the definitions of some versions of Argo CD do not have. */
export function definitionNotes(object: Manifest): string[] {
  const hydrator = objectAt(object, ...specPathOf(object), 'sourceHydrator') as Manifest
  const { drySource = null, drySources } = hydrator
  const sources = [drySource, ...(Array.isArray(drySources) ? drySources : [])].filter(isJsonObject)
  const notes: string[] = []
  if (hasContent(drySources)) {
    notes.push(`Argo CD's definition has no drySources, and its API server rejects the object; ${apart}`)
  }
  if (textAt(drySource, 'chart') !== '') {
    notes.push(`Argo CD's definition has no chart in drySource, and its API server rejects it; ${apart}`)
  }
  if (textAt(hydrator, 'syncSource', 'repoURL') !== '') {
    notes.push(
      `Argo CD has syncSource.repoURL from 3.5 on, and the API server of older ones drops it; upgrade, or ${apart}`,
    )
  }
  if (sources.some((source) => optionBlocks.some((block) => hasContent(source[block])))) {
    notes.push(
      'Argo CD has options in drySource from 3.3 on, and the API server of older ones drops them; upgrade, or move them with --move-parameters',
    )
  }
  return notes
}
