import { isDeepStrictEqual } from 'node:util'
import { someInLine } from '@wadi/errors/some-of.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type JsonValue, type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'

/** Most that is reported of a difference. */
const maxObjects = 5
const maxFields = 3
const maxNameLength = 300

/**
 * Names the objects and fields in which two results of one source differ, never their values, as they may be secret:
 * `Secret default/web: data.password; …`. Empty for equal results.
 * @param first one JSON text an object
 */
export function describeDifference(first: readonly string[], second: readonly string[]): string {
  const others = byObject(second)
  const reported: string[] = []
  const renamed = new Set<string>()
  for (const [object, manifests] of byObject(first)) {
    const counterparts = others.get(object) ?? []
    others.delete(object)
    const fields = new Set<string>()
    for (const [index, text] of manifests.entries()) {
      const counterpart = counterparts[index]
      if (counterpart === undefined) fields.add('')
      else if (counterpart !== text)
        addDifferences(manifestFromJson(text), manifestFromJson(counterpart), '', fields)
    }
    if (counterparts.length > manifests.length) fields.add('')
    if (fields.has('')) renamed.add(kindOf(object))
    if (fields.size > 0) reported.push(describe(object, fields))
  }
  // An object of a random name has another one in the other result, which is no news.
  for (const object of others.keys()) {
    if (!renamed.has(kindOf(object))) reported.push(describe(object, new Set([''])))
  }
  return someInLine(reported, maxObjects, '; ')
}

function byObject(manifests: readonly string[]): Map<string, string[]> {
  const objects = new Map<string, string[]>()
  for (const text of manifests) {
    const object = nameOf(manifestFromJson(text))
    const known = objects.get(object)
    if (known === undefined) objects.set(object, [text])
    else known.push(text)
  }
  return objects
}

function nameOf(manifest: Manifest): string {
  const { group, kind, namespace, name } = manifestIdentity(manifest)
  return `${kind}${group === '' ? '' : `.${group}`} ${namespace === '' ? '' : `${namespace}/`}${name}`
}

function kindOf(object: string): string {
  return object.slice(0, object.indexOf(' '))
}

function describe(object: string, fields: ReadonlySet<string>): string {
  const name = object.slice(0, maxNameLength)
  if (fields.has('')) return `${name} (not in every render)`
  const paths = [...fields].map((path) => path.slice(0, maxNameLength))
  return `${name}: ${someInLine(paths, maxFields)}`
}

function addDifferences(first: JsonValue, second: JsonValue, path: string, fields: Set<string>): void {
  if (isJsonObject(first) && isJsonObject(second)) {
    for (const key of new Set([...Object.keys(first), ...Object.keys(second)])) {
      addMember(ownValue(first, key), ownValue(second, key), path + keyStep(key, path), fields)
    }
  } else if (Array.isArray(first) && Array.isArray(second) && first.length === second.length) {
    for (const [index, item] of first.entries()) addMember(item, second[index], `${path}[${index}]`, fields)
  } else if (!isDeepStrictEqual(first, second)) fields.add(path)
}

function addMember(
  first: JsonValue | undefined,
  second: JsonValue | undefined,
  path: string,
  fields: Set<string>,
): void {
  if (first === undefined || second === undefined) fields.add(path)
  else addDifferences(first, second, path, fields)
}

function ownValue(mapping: { [key: string]: JsonValue }, key: string): JsonValue | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined
}

function keyStep(key: string, path: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `[${JSON.stringify(key)}]`
  return path === '' ? key : `.${key}`
}
