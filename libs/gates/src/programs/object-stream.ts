import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { type ManifestIdentity, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { blankSecret } from '@wadi/manifests/mask-secrets.ts'
import { objectName } from '../finding.ts'
import { globMatcher } from '../settings/waivers-of.ts'

/** The objects that a program is given. */
export interface ObjectStream {
  /** YAML documents; the values of Secrets are masked. */
  readonly text: string
  /** Returns the object in a line, from 1; undefined beyond the last. */
  objectAt(line: number): StreamedObject | undefined
}

/** An object, and its position among all. */
interface StreamedObject {
  readonly object: ManifestIdentity
  readonly position: number
}

/**
 * Writes objects as a program reads them.
 * @param manifests JSON
 * @param globs those of the objects that are written; undefined for all
 * @returns undefined if no object matches
 */
export function objectStream(
  manifests: readonly string[],
  globs: readonly string[] | undefined,
): ObjectStream | undefined {
  const matchers = globs?.map(globMatcher)
  const parts: string[] = []
  const lines: StreamedObject[] = []
  for (const [position, text] of manifests.entries()) {
    const manifest = manifestFromJson(text)
    const object = manifestIdentity(manifest)
    if (matchers && !matchers.some((matches) => matches(objectName({ object })))) continue
    const part = `---\n${emitManifests([blankSecret(manifest)])}`
    for (let line = part.split('\n').length; line > 1; line -= 1) lines.push({ object, position })
    parts.push(part)
  }
  if (parts.length === 0) return undefined
  return { text: parts.join(''), objectAt: (line) => lines[line - 1] }
}
