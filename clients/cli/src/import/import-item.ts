import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { Splice } from '@wadi/rendering/parameters/yaml-edit/yaml-splice.ts'
import type { FileChange } from './file-change.ts'
import type { FoundObject } from './found-objects.ts'
import type { SourceChange, SyncSource } from './hydrated-spec.ts'

/** The outcome for an object: it moves, it is hydrated already, or it cannot move. */
type ImportOutcome = 'moves' | 'hydrated' | 'stays'

/** A reason why an object stays, and the field that it is about, by its keys from the object on. */
export interface StayReason {
  readonly reason: string
  readonly field: readonly string[]
}

/** An Application before and after it is moved; what a set makes is one for each of its Applications. */
interface MovedApplication {
  readonly before: Manifest
  readonly after: Manifest
}

/** One object of an import. */
export interface ImportItem {
  readonly found: FoundObject
  readonly outcome: ImportOutcome
  readonly reasons: readonly StayReason[]
  /** Sentences about what to know, for people. */
  readonly notes: readonly string[]
  readonly move?: ImportMove
  /** Those that are hydrated, as far as they are known. */
  readonly hydrated: readonly Manifest[]
  /** The reason why a set makes others than are known; absent if it makes none. */
  readonly unknown?: string
}

/** A field that an object gets, by its keys from the object on. */
export interface ObjectField {
  readonly path: readonly string[]
  readonly value: string
}

/** The change of a template of a chart that makes an object. */
interface TemplateChange {
  readonly file: string
  readonly splice: Splice
}

/** The way in which an object moves. */
export interface ImportMove {
  readonly syncSource: SyncSource
  readonly changes: readonly SourceChange[]
  /** The fields that an object gets whose `sourceHydrator` stays; absent for one that gets it. */
  readonly fields?: readonly ObjectField[]
  /** The names that releases get, in the object or in files. */
  readonly releases: readonly string[]
  /** The change of the template that makes it; absent for an object of a file. */
  readonly template?: TemplateChange
  /** The object with `sourceHydrator`. */
  readonly object: Manifest
  /** The Applications that are compared: itself, or what the set makes as far as git decides that. */
  readonly applications: readonly MovedApplication[]
  readonly notes: readonly string[]
  /** The changes of files in dry directories. */
  readonly files: readonly FileChange[]
}
