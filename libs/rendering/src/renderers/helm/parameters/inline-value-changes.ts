import { isDeepStrictEqual } from 'node:util'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { fromJson, toJson } from '@wadi/params/values/value-json.ts'
import { type Value, isValueMap } from '@wadi/params/values/value.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { type YamlChange, editYaml } from '../../../parameters/yaml-edit/edit-yaml.ts'
import type { HelmOptions } from '../helm-option-schema.ts'
import { setName } from '@wadi/params/values/set-name.ts'
import { valueAt } from './value-steps.ts'

/** Changes of `helm.values` or, where that has nothing, of `helm.valuesObject`. */
export class InlineValueChanges {
  readonly #others: YamlChange[] = []
  readonly #isObject: boolean
  readonly #before: string
  #text: string
  #values: Value

  constructor({ values = '', valuesObject }: HelmOptions) {
    this.#isObject = valuesObject !== undefined || values.trim() === ''
    this.#before = values
    this.#text = values
    this.#values = fromJson(this.#isObject ? asJson(valuesObject ?? {}) : valuesOf(values))
  }

  get values(): Value {
    return this.#values
  }

  /**
   * Sets what is at the keys, or nothing.
   * @throws FailedPreconditionError for a text in which that cannot be written
   */
  set(wanted: readonly string[], value: Value | undefined): void {
    const json = value === undefined ? undefined : toJson(value)
    const keys = json === undefined ? outermost(this.#values, wanted) : wanted
    if (this.#isObject) {
      this.#others.push({ path: ['helm', 'valuesObject', ...keys], value: json })
      this.#values = fromJson(withJson(asJson(toJson(this.#values)), keys, json))
      return
    }
    const after = withJson(asJson(toJson(this.#values)), keys, json)
    this.#text = editYaml(this.#text, { path: keys, value: json })
    if (!isDeepStrictEqual(valuesOf(this.#text), after)) {
      throw new FailedPreconditionError(
        `helm.values must be edited by hand: it is written so that ${setName(keys)} cannot be set in it`,
      )
    }
    this.#values = fromJson(after)
  }

  /** The changes of the source's options. */
  changes(): YamlChange[] {
    if (this.#text === this.#before) return this.#others
    return [{ path: ['helm', 'values'], value: this.#text === '' ? undefined : this.#text }]
  }

  get path(): string[] {
    return ['helm', this.#isObject ? 'valuesObject' : 'values']
  }
}

/** The keys of the outermost object that holds nothing but what is at the keys. */
function outermost(values: Value, keys: readonly string[]): readonly string[] {
  const parent = valueAt(values, keys.slice(0, -1))
  const isAlone = keys.length > 1 && isValueMap(parent) && parent.size === 1 && parent.has(keys.at(-1) ?? '')
  return isAlone ? outermost(values, keys.slice(0, -1)) : keys
}

function asJson(value: JsonValue | undefined): { [key: string]: JsonValue } {
  return isJsonObject(value) ? value : {}
}

function valuesOf(text: string): { [key: string]: JsonValue } {
  return asJson(toJson(readLocatedYaml(text, 'helm.values', { rules: 'kubernetes' }).value))
}

/** A map with something else at the keys; maps that are left empty go, as when YAML is edited. */
function withJson(
  map: { [key: string]: JsonValue },
  [key, ...rest]: readonly string[],
  value: JsonValue | undefined,
): { [key: string]: JsonValue } {
  if (key === undefined) return map
  const entries = new Map(Object.entries(map))
  if (rest.length === 0) {
    if (value === undefined) entries.delete(key)
    else entries.set(key, value)
  } else if (entries.has(key) || value !== undefined) {
    const inner = withJson(asJson(entries.get(key)), rest, value)
    if (Object.keys(inner).length === 0) entries.delete(key)
    else entries.set(key, inner)
  }
  return Object.fromEntries(entries)
}
