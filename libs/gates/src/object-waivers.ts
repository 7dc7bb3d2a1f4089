import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { fieldPath } from '@wadi/fields/field-path.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type JsonValue, type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { locatedFields } from '@wadi/params/values/located-fields.ts'
import { locatedMap } from '@wadi/params/values/located.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import type { UnplacedFinding } from './finding.ts'
import { maxWaivers, readTerms, type WaiverTerms } from './settings/read-waiver.ts'

/** The annotation by which an object waives what gates find in it alone: YAML with a list of waivers. */
export const waiverAnnotation = 'wadi.dev/waivers'

const annotationPath = fieldPath(['metadata', 'annotations', waiverAnnotation])

/** Far more than a few waivers take; aliases in more could take much. */
const limits = { maxBytes: 16 * 1024, maxNodes: 2_000, maxDepth: 10 }

/** A waiver in an annotation. */
export interface ObjectWaiver extends WaiverTerms, Pick<UnplacedFinding, 'object' | 'position' | 'written'> {}

/** The waivers that objects have, and what is wrong with them. */
export interface ObjectWaivers {
  readonly waivers: readonly ObjectWaiver[]
  /** A warning for each annotation that is wrong, which waives nothing. */
  readonly invalid: readonly UnplacedFinding[]
}

/** Reads the waivers in annotations of objects, at most 1,000. */
export function readObjectWaivers(manifests: readonly Manifest[]): ObjectWaivers {
  const waivers: ObjectWaiver[] = []
  const invalid: UnplacedFinding[] = []
  for (const [position, manifest] of manifests.entries()) {
    const annotation = annotationOf(manifest)
    if (annotation === undefined) continue
    const object = manifestIdentity(manifest)
    try {
      waivers.push(
        ...readAnnotation(annotation, maxWaivers - waivers.length).map((own) => ({
          ...own,
          object,
          position,
        })),
      )
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      invalid.push({ ...invalidAnnotation(error, annotation), object, position })
    }
  }
  return { waivers, invalid }
}

function annotationOf({ metadata }: Manifest): JsonValue | undefined {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined
  const value = isJsonObject(annotations) ? annotations[waiverAnnotation] : undefined
  return value === null ? undefined : value
}

/** @throws DomainError for what is wrong, and for more waivers than there is room for */
function readAnnotation(text: JsonValue, room: number): Omit<ObjectWaiver, 'object' | 'position'>[] {
  if (typeof text !== 'string')
    throw new InvalidInputError('must be a string with YAML, as all annotations are')
  const [list] = readLocatedDocuments(text, waiverAnnotation, { rules: 'kubernetes', limits })
  if (list === undefined) return []
  const annotations = locatedMap(new Map([[waiverAnnotation, list]]), list.at)
  const items = locatedFields().objects(annotations, waiverAnnotation, '')
  if (items.length > room)
    throw new InvalidInputError(
      `is above the ${maxWaivers} waivers that the objects of a source may have in annotations; have those for many objects in wadi.yaml`,
    )
  const lines = text.split('\n')
  return items.map(({ item, path }) => ({
    ...readTerms(item, path),
    path: `metadata.annotations.${path}`,
    written: [text, ...lines.slice((item.at.line ?? 1) - 1)].map((line) => line.trim()),
  }))
}

function invalidAnnotation(
  error: DomainError,
  annotation: JsonValue,
): Omit<UnplacedFinding, 'object' | 'position'> {
  const text = typeof annotation === 'string' ? annotation : ''
  const line = text.split('\n')[(error.at?.line ?? 1) - 1] ?? ''
  return {
    rule: 'waivers/invalid',
    severity: 'warn',
    field: annotationPath,
    message: `${error.reason}; until then the annotation waives nothing`,
    written: [line.trim(), text.trim()],
  }
}
