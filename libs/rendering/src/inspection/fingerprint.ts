import { createHash } from 'node:crypto'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import type { FollowedPath } from '@wadi/file-trees/follow-links.ts'

/** Goes up whenever the same inputs would give other manifests or commands than before. */
const formatVersion = 3

/** Everything that decides a render's result. */
export interface FingerprintParts {
  readonly renderer: string
  /** Version of the tool; of none for a plain directory. */
  readonly toolVersion: string
  /** Merged options, those of the operator among them. */
  readonly options: unknown
  /** Undefined if the renderer does not look at it. */
  readonly destinationNamespace: string | undefined
  readonly path: string
  readonly inputs: readonly FollowedPath[]
  /** The build variables really used. */
  readonly variables: ReadonlyArray<readonly [name: string, value: string]>
}

/** The sha256, in hex, of everything that decides a render's result: equal fingerprints, equal bytes. */
export function fingerprintOf(parts: FingerprintParts): string {
  const inputs = parts.inputs.map(({ path, entry, links }) => [path, entry.kind, entry.id, links])
  const text = canonicalJson([
    formatVersion,
    parts.renderer,
    parts.toolVersion,
    parts.options,
    parts.destinationNamespace ?? null,
    parts.path,
    inputs,
    parts.variables,
  ])
  return createHash('sha256').update(text).digest('hex')
}
