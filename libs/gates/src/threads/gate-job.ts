import type { Location } from '@wadi/errors/location.ts'
import type { CheckedObjects } from '../checked-objects.ts'
import type { Finding, UnplacedFinding } from '../finding.ts'
import type { GateCheck } from '../run-gates.ts'
import type { SourceText } from '../value-places.ts'

/** The work of a thread: a check of objects, or the search for places of values. */
export type GateJob =
  | { readonly kind: 'check'; readonly manifests: readonly string[]; readonly check: GateCheck }
  | {
      readonly kind: 'place'
      readonly texts: readonly SourceText[]
      readonly values: readonly (readonly string[])[]
    }

/** The answer to a check. */
export interface CheckAnswer extends Pick<CheckedObjects, 'denied' | 'leftOut'> {
  /** The findings that are kept: denied ones first, then warnings. */
  readonly findings: readonly UnplacedFinding[]
  /** A warning for each waiver that has expired. */
  readonly expired: readonly Finding[]
}

/** The answer to a search: a place, or null, for each value. */
export type PlaceAnswer = readonly (Location | null)[]
