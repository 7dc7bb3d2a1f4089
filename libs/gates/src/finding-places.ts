import { DomainError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import type { SourceText } from '@wadi/file-trees/read-texts.ts'
import { type ManifestIdentity, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { lineAt } from '@wadi/manifests/source-line.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { isValueMap, type Located } from '@wadi/params/values/value.ts'
import { type LocatedObject, readLocatedObjects } from './located-objects.ts'

/** A finding whose place is wanted, with all that may lead there. */
export interface WantedPlace {
  /** The forms in which the value may be written. Secret. */
  readonly written: readonly string[]
  /** The object, and the path of the field in it. */
  readonly object: ManifestIdentity
  readonly field: string
  /** The template or file that the object was made from; undefined where it is not known. */
  readonly file: string | undefined
}

/**
 * Finds the place of each finding: the one line on which its value is written, else the line of the field in the file that its object was made
 * from, or of what is there of the path to it, else that file. It is undefined where neither is known.
 */
export function findPlaces(
  texts: readonly SourceText[],
  wanted: readonly WantedPlace[],
): (Location | undefined)[] {
  const objects = new Map<string, readonly LocatedObject[]>()
  const objectsOf = (source: SourceText) => objects.getOrInsertComputed(source.file, () => objectsIn(source))
  return wanted.map((one) => placeOf(texts, one.written) ?? placeInFile(texts, one, objectsOf))
}

function placeInFile(
  texts: readonly SourceText[],
  { object, field, file }: WantedPlace,
  objectsOf: (source: SourceText) => readonly LocatedObject[],
): Location | undefined {
  if (file === undefined) return undefined
  const source = texts.find((one) => one.file === file)
  if (source === undefined) return { file }
  const located = sameObject(objectsOf(source), object)
  if (located === undefined) return placeOf([source], [`kind: ${object.kind}`]) ?? { file }
  const { line } = nearest(located, keysOf(field)).at
  return { file, ...(line !== undefined && { line }) }
}

/** A template is not YAML. */
function objectsIn({ file, text }: SourceText): readonly LocatedObject[] {
  try {
    return readLocatedObjects(file, text)
  } catch (error) {
    if (error instanceof DomainError) return []
    throw error
  }
}

/** Returns the object with the same name, or the only one of the kind: a kustomization may have changed the name. */
function sameObject(
  objects: readonly LocatedObject[],
  { group, kind, name }: ManifestIdentity,
): Located | undefined {
  const identified = objects.map(({ manifest, located }) => ({ ...manifestIdentity(manifest), located }))
  const ofKind = identified.filter((one) => one.group === group && one.kind === kind)
  const named = ofKind.filter((one) => one.name === name)
  const [first, ...more] = named.length > 0 ? named : ofKind
  return more.length === 0 ? first?.located : undefined
}

function keysOf(field: string): readonly string[] {
  return field.split(/\.|\[|\]\.?/).filter((key) => key !== '')
}

/** Returns the last part on the way that is there. A key may have dots. */
function nearest(part: Located, keys: readonly string[]): Located {
  for (let count = isValueMap(part.value) ? keys.length : Math.min(1, keys.length); count > 0; count--) {
    const next = partOf(part, keys.slice(0, count).join('.'))
    if (next !== undefined) return nearest(next, keys.slice(count))
  }
  return part
}

/** A shorter value may be written anywhere by chance. */
const minValueLength = 6

/**
 * Finds the line of a value by the forms in which it may be written. A value that is written at several places, or at none
 * as it is, has no known line.
 */
function placeOf(texts: readonly SourceText[], written: readonly string[]): Location | undefined {
  for (const value of written.filter(({ length }) => length >= minValueLength)) {
    const places = texts.flatMap((source) => placesIn(source, value))
    if (places.length === 1) return places[0]
  }
  return undefined
}

/** Returns at most two places: more decide nothing. */
function placesIn({ file, text }: SourceText, value: string): Location[] {
  const first = text.indexOf(value)
  if (first === -1) return []
  const isOnly = text.indexOf(value, first + 1) === -1
  return (isOnly ? [first] : [first, first]).map((offset) => ({ file, line: lineAt(text, offset) }))
}
