import { someOf } from '@wadi/errors/some-of.ts'
import { typeName } from '@wadi/fields/field-findings.ts'
import { jsonType } from '@wadi/fields/field-view.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { lfsPointerStart } from '@wadi/manifests/file-text.ts'
import { type JsonValue, type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'

/** An object and the file that it is from. */
export interface FoundManifest {
  readonly manifest: Manifest
  readonly file: string
}

/** Most warnings of one kind. */
const maxWarnings = 20

/**
 * Warns of objects that no cluster takes as they stand: several of one kind, namespace and name, of which the last would
 * win, those without a name, and those that hold a Git LFS pointer instead of a file.
 */
export function manifestWarnings(found: readonly FoundManifest[]): string[] {
  const named: FoundManifest[] = []
  const nameless: string[] = []
  for (const one of found) {
    const unquoted = unquotedNames(one.manifest)
    nameless.push(...unquoted.map((text) => `${one.file}: ${kindOf(one.manifest)} ${text}`))
    if (manifestIdentity(one.manifest).name !== '') named.push(one)
    else if (unquoted.length === 0 && !hasGeneratedName(one.manifest)) {
      const isList = kindOf(one.manifest).endsWith('List') && !Object.hasOwn(one.manifest, 'spec')
      nameless.push(
        isList
          ? `${one.file}: ${kindOf(one.manifest)} has no items, so no cluster accepts it; remove it, or make items a list`
          : `${one.file}: ${kindOf(one.manifest)} has no name, so no cluster accepts it; set metadata.name`,
      )
    }
  }
  const repeated = [...Map.groupBy(named, ({ manifest }) => label(manifest))]
    .filter(([, same]) => same.length > 1)
    .map(([name, same]) => {
      const files = [...new Set(same.map(({ file }) => file))]
      const where = files.length > 1 ? ` (${files.join(', ')})` : ''
      return `${name} appears ${same.length} times${where}, and a cluster holds one; remove or rename the others`
    })
  const pointers = found
    .filter(({ manifest }) => holdsPointer(manifest, 0))
    .map(
      ({ manifest }) =>
        `${label(manifest)} holds a Git LFS pointer in place of a file's content; commit the file without LFS`,
    )
  return [nameless, repeated, pointers].flatMap(bounded)
}

function bounded(warnings: readonly string[]): string[] {
  return someOf([...new Set(warnings)], maxWarnings)
}

/** Says of a name or namespace that YAML reads as something else than a string, such as `123` or `no`. */
function unquotedNames({ metadata }: Manifest): string[] {
  if (!isJsonObject(metadata)) return []
  return ['name', 'namespace'].flatMap((field) => {
    const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined
    if (value === undefined || value === null || typeof value === 'string') return []
    const type = typeName(jsonType(value))
    return [`has ${type} as metadata.${field}, so no cluster accepts it; put it in quotes`]
  })
}

function hasGeneratedName({ metadata }: Manifest): boolean {
  return (
    isJsonObject(metadata) && typeof metadata['generateName'] === 'string' && metadata['generateName'] !== ''
  )
}

function kindOf(manifest: Manifest): string {
  const { group, kind } = manifestIdentity(manifest)
  return group === '' ? kind : `${kind}.${group}`
}

function label(manifest: Manifest): string {
  const { namespace, name } = manifestIdentity(manifest)
  return `${kindOf(manifest)} ${namespace === '' ? name : `${namespace}/${name}`}`
}

const pointerForms = [lfsPointerStart, Buffer.from(lfsPointerStart).toString('base64')]

/** Deeper texts, which manifests may have by their limits, are not looked at. */
const deepest = 10

function holdsPointer(value: JsonValue, depth: number): boolean {
  if (typeof value === 'string') return pointerForms.some((form) => value.startsWith(form))
  if (typeof value !== 'object' || value === null || depth > deepest) return false
  return Object.values(value).some((child) => holdsPointer(child, depth + 1))
}
