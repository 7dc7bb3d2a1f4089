import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { WorkloadNesting } from '../renderers/workload/workload-nesting.ts'

/** A `Render` object's request for the directory that it names. */
export interface RenderRequest {
  /** Its spec, with options by renderer. */
  readonly spec: Located
  /** The places of its options. */
  readonly optionPlaces: FieldPlaces
  /** For objects that name none: that of the workload. */
  readonly namespace: string
  /** The place where the directory is named, for messages. */
  readonly place: string
  /** The directories of workloads that led here. */
  readonly nesting: WorkloadNesting
}
