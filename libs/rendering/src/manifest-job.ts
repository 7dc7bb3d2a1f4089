import type { ErrorFields } from '@wadi/errors/error-fields.ts'

/** What objects get that do not say it themselves. */
export interface ManifestPlacement {
  /** Of kinds that live in namespaces; `''` for none. */
  readonly namespace: string
  /** Value of the annotation `argocd.argoproj.io/sync-wave`; undefined for none. */
  readonly syncWave: string | undefined
}

/** A file to take manifests from. */
export interface ManifestFile {
  /** Names the file in messages. */
  readonly file: string
  readonly text: string
  /** Whether it is a program that yields the manifests. */
  readonly jsonnet: boolean
  /** Without it the objects stay as they are. */
  readonly placement?: ManifestPlacement
  /** Whether it may be YAML of another kind, which is left out with a warning. */
  readonly mayBeOther?: boolean
  /** Whether a mapping may have a key twice: the later one stays, with a warning. */
  readonly mayRepeatKeys?: boolean
  /** What to do if the text is not YAML, added to the error. */
  readonly remedy?: string
}

/** What Jsonnet programs see. */
export interface JsonnetJob {
  readonly libraries: readonly string[]
  readonly externalVariables: readonly { name: string; value: string; code: boolean }[]
  readonly topLevelArguments: readonly { name: string; value: string; code: boolean }[]
  /** Everything that may be imported, by path. */
  readonly sources: ReadonlyMap<string, Uint8Array>
}

/** One piece of work for a worker thread. */
export interface ManifestJob {
  readonly files: readonly ManifestFile[]
  readonly jsonnet: JsonnetJob | undefined
  /** Largest text that is parsed, in bytes, and largest result. */
  readonly textBytes: number
  readonly manifestBytes: number
  /** Holds the index of the file under way, so that the pool can name the one that took too long. */
  readonly progress: Int32Array
}

/** What a worker thread has read. */
export interface ReadManifests {
  /** Compact JSON texts, sorted by namespace, name, group and kind. */
  readonly manifests: string[]
  /** What the user should know of the objects, and of where they were placed. */
  readonly warnings: readonly string[]
  /** What the user should know of the texts that the objects were read from. */
  readonly textWarnings: readonly string[]
}

/** What a worker thread answers. */
export type ManifestAnswer = ReadManifests | { readonly failure: ErrorFields }
