import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'

const imageUpdater = 'argocd-image-updater.argoproj.io/'

/** Returns sentences on what else to change for an object that moves. */
export function importNotes(manifest: Manifest): string[] {
  const notes: string[] = []
  const template = manifest['kind'] === 'ApplicationSet' ? objectAt(manifest, 'spec', 'template') : manifest
  const annotations = objectAt(template, 'metadata', 'annotations')
  const usesUpdater = Object.keys(annotations).some((key) => key.startsWith(imageUpdater))
  if (usesUpdater && !textAt(annotations, `${imageUpdater}write-back-method`).startsWith('git')) {
    notes.push(
      `Argo CD Image Updater changes spec.source, which is gone; set ${imageUpdater}write-back-method to git`,
    )
  }
  const policy = textAt(manifest, 'spec', 'syncPolicy', 'applicationsSync')
  if (policy === 'create-only' || policy === 'create-delete') {
    notes.push(
      `Applications that exist keep their source, as applicationsSync is ${policy}; change them by hand`,
    )
  }
  if (listAt(manifest, 'spec', 'ignoreApplicationDifferences').length > 0) {
    notes.push(
      'what ignoreApplicationDifferences names in spec.source is in spec.sourceHydrator.drySource now',
    )
  }
  return notes
}
