import type { Location } from '@wadi/errors/location.ts'
import type { CheckedObjects } from '../checked-objects.ts'
import type { Finding, UnplacedFinding } from '../finding.ts'
import type { WantedPlace } from '../finding-places.ts'
import type { PolicyFile } from '../gate.ts'
import type { ObjectWaiver } from '../object-waivers.ts'
import type { GateCheck } from '../run-gates.ts'
import type { SourceText } from '@wadi/file-trees/read-texts.ts'

/** The objects of a check. */
export interface GivenObjects {
  /** JSON. */
  readonly manifests: readonly string[]
  /** The YAML of the objects that they replace; default: all objects are new. */
  readonly former?: string
}

/** The work of a thread: a check of objects, the search for places, or the question of `wantsFormer`. */
export type GateJob =
  | ({ readonly kind: 'check'; readonly check: GateCheck } & GivenObjects)
  | { readonly kind: 'wantsFormer'; readonly policies: readonly PolicyFile[] }
  | {
      readonly kind: 'place'
      readonly texts: readonly SourceText[]
      readonly wanted: readonly WantedPlace[]
    }

/** The answer to a check. */
export interface CheckAnswer extends CheckedObjects<UnplacedFinding> {
  /** Warnings about waivers of `wadi.yaml` that have expired or name an unknown rule. */
  readonly warnings: readonly Finding[]
  /** The waivers in annotations of the objects, accepted or not. */
  readonly objectWaivers: readonly ObjectWaiver[]
  /** True if each object is as its former one. */
  readonly isUnchanged: boolean
}

/** The answer to a search: a place, or null, for each finding. */
export type PlaceAnswer = readonly (Location | null)[]
