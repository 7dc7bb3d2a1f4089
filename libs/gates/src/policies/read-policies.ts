import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { LRUCache } from 'lru-cache'
import type { PolicyFile } from '../gate.ts'

/** A policy, a binding, or an object that policies take as a parameter. */
export interface PolicyDocument {
  readonly manifest: Manifest
  readonly located: Located
}

const known = new LRUCache<string, readonly PolicyDocument[]>({ max: 8 })

/**
 * Reads the objects of policy files. What comes again is kept.
 * @throws InvalidInputError for a file that is not YAML, ResourceExhaustedError above its limits
 */
export function readPolicies(files: readonly PolicyFile[]): readonly PolicyDocument[] {
  const key = JSON.stringify(files)
  const documents = known.get(key) ?? files.flatMap(({ file, text }) => readFile(file, text))
  known.set(key, documents)
  return documents
}

function readFile(file: string, text: string): PolicyDocument[] {
  return readLocatedDocuments(text, file)
    .flatMap(itemsOf)
    .flatMap((located) => {
      const manifest = toJson(located.value)
      return isJsonObject(manifest) ? [{ manifest, located }] : []
    })
}

function itemsOf(document: Located): readonly Located[] {
  const isList = partOf(document, 'kind')?.value === 'List'
  const items = isList ? partOf(document, 'items') : undefined
  return items?.parts === undefined ? [document] : [...items.parts.values()]
}
