import { partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'

/** Whether a stamped object is a `Render` of wadi.dev/v1alpha1, in whose place its source is rendered. */
export function isRender(located: Located): boolean {
  return (
    partOf(located, 'apiVersion')?.value === 'wadi.dev/v1alpha1' &&
    partOf(located, 'kind')?.value === 'Render'
  )
}
