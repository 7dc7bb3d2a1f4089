import { partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'

/** True if a stamped object is a `Render` of wadi.dev/v1alpha1, which is replaced by the manifests of its source. */
export function isRender(located: Located): boolean {
  return (
    partOf(located, 'apiVersion')?.value === 'wadi.dev/v1alpha1' &&
    partOf(located, 'kind')?.value === 'Render'
  )
}
