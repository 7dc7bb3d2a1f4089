import type { ErrorFields } from '@wadi/errors/error-fields.ts'

/** The namespace and other fields that objects get if they lack them. */
export interface ManifestPlacement {
  /** Of kinds that live in namespaces; `''` for none. */
  readonly namespace: string
  /** Value of the annotation `argocd.argoproj.io/sync-wave`; undefined for none. */
  readonly syncWave: string | undefined
}

/** A file to take manifests from. */
export interface ManifestText {
  /** Names the file in messages. */
  readonly file: string
  readonly text: string
  /** True if a program yields the manifests. */
  readonly jsonnet: boolean
  /** Without it the objects stay as they are. */
  readonly placement?: ManifestPlacement
  /** True if it may be YAML of another kind, which is left out with a warning. */
  readonly mayBeOther?: boolean
  /** True if a mapping may have a key twice: the later one applies, with a warning. */
  readonly mayRepeatKeys?: boolean
  /** The directory of the chart that printed it, with a comment before each object that names its template. */
  readonly chart?: string
  /** The parts of the source that it belongs to, the outermost first; none by default. */
  readonly owners?: readonly string[]
  /** The advice if the text is not YAML, added to the error. */
  readonly remedy?: string
}

/** The inputs of Jsonnet programs. */
export interface JsonnetJob {
  readonly libraries: readonly string[]
  readonly externalVariables: readonly { name: string; value: string; code: boolean }[]
  readonly topLevelArguments: readonly { name: string; value: string; code: boolean }[]
  /** Everything that may be imported, by path. */
  readonly sources: ReadonlyMap<string, Uint8Array>
}

/** One piece of work for a worker thread. */
export interface ManifestJob {
  readonly files: readonly ManifestText[]
  readonly jsonnet: JsonnetJob | undefined
  /** Largest text that is parsed, in bytes, and largest result. */
  readonly textBytes: number
  readonly manifestBytes: number
  /** Holds the index of the file under way, so that the pool can name the one that took too long. */
  readonly progress: Int32Array
}

/** The template or file that objects come from. */
export interface ManifestOrigin {
  /** The charts or parts that the template belongs to, the outermost first. */
  readonly owners: readonly string[]
  /** The file in the innermost owner. */
  readonly template: string
  /** Its path from the root of the repository, if it is there. */
  readonly file: string
}

/** The manifests that a worker thread has read. */
export interface ReadManifests {
  /** Compact JSON texts, sorted by namespace, name, group and kind. */
  readonly manifests: string[]
  /** The position of each among what was read; empty if that was sorted. */
  readonly printed: number[]
  /** The origins of the objects, whose files need not be there. */
  readonly origins: readonly ManifestOrigin[]
  /** The position of each object's origin, from 0. */
  readonly originOf: readonly number[]
  /** Warnings about the objects, and about their placement. */
  readonly warnings: readonly string[]
  /** Warnings about the texts that the objects were read from. */
  readonly textWarnings: readonly string[]
}

/** The answer of a worker thread. */
export type ManifestAnswer = ReadManifests | { readonly failure: ErrorFields }
