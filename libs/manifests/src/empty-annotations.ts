import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type Manifest, manifestIdentity } from './manifest.ts'

/**
 * Takes `metadata.annotations` away where it is null or holds nothing, except from definitions of custom resources: so
 * does Argo CD, which annotates every other object and takes its annotation away again before it writes.
 */
export function dropEmptyAnnotations(manifest: Manifest): void {
  const { metadata } = manifest
  if (!isJsonObject(metadata) || !Object.hasOwn(metadata, 'annotations')) return
  const annotations = metadata['annotations'] ?? {}
  if (!isJsonObject(annotations) || Object.keys(annotations).length > 0) return
  const { group, kind } = manifestIdentity(manifest)
  if (group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition') return
  delete metadata['annotations']
}
