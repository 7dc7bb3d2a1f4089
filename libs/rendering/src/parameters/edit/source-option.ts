import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import type { MapEntry, ParameterValue } from '@wadi/plugins/parameters/parameter.ts'
import type { SourceOptions } from '../../source/source.ts'
import { type EntryForm, listChange } from './list-change.ts'
import type { YamlChange } from '../yaml-edit/edit-yaml.ts'

/** An option of a source that is shown and set like a parameter. */
export interface SourceOption {
  readonly name: string
  readonly tooltip: string
  /** The type of the value or of each item. */
  readonly type: 'string' | 'number' | 'boolean' | 'image' | 'multiline-string'
  readonly collection: ParameterValue['kind']
  /** Its path in the options of a source, for example `['helm', 'valueFiles']`. */
  readonly path: readonly string[]
  /** The path of another way to write the same, which overrides it. */
  readonly overridingPath?: readonly string[]
  /** Returns the set value; undefined without one. */
  readonly read: (options: SourceOptions) => ParameterValue | undefined
  /** The changes that make `options` say `value`, which is undefined to remove the option. */
  readonly change: (options: SourceOptions, value: ParameterValue | undefined) => YamlChange[]
}

type Place = Pick<SourceOption, 'name' | 'tooltip' | 'path'>

/** An option that is one text. */
export function textOption(place: Place): SourceOption {
  return {
    ...place,
    type: 'string',
    collection: 'string',
    read: (options) => {
      const text = optionAt(options, place.path)
      return typeof text === 'string' ? { kind: 'string', text } : undefined
    },
    change: (_, value) => [{ path: place.path, value: value?.kind === 'string' ? value.text : undefined }],
  }
}

/** An option that is true or false. */
export function switchOption(place: Place): SourceOption {
  return {
    ...place,
    type: 'boolean',
    collection: 'string',
    read: (options) => {
      const value = optionAt(options, place.path)
      return typeof value === 'boolean' ? { kind: 'string', text: String(value) } : undefined
    },
    change: (_, value) => [
      { path: place.path, value: value?.kind === 'string' ? booleanOf(place.name, value.text) : undefined },
    ],
  }
}

/** An option that is a list of texts. */
export function listOption(place: Place): SourceOption {
  const itemsIn = (options: SourceOptions): string[] => {
    const list = optionAt(options, place.path)
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
  }
  return {
    ...place,
    type: 'string',
    collection: 'array',
    read: (options) => {
      return optionAt(options, place.path) === undefined
        ? undefined
        : { kind: 'array', items: itemsIn(options) }
    },
    change: (options, value) => {
      if (value?.kind !== 'array' || value.items.length === 0) return [{ path: place.path, value: undefined }]
      const positions = Map.groupBy(itemsIn(options).entries(), ([, item]) => item)
      let next = 0
      const items = value.items.map((item) => {
        const [was] = positions.get(item)?.find(([position]) => position >= next) ?? []
        if (was !== undefined) next = was + 1
        return { value: item, was }
      })
      return [{ path: place.path, items }]
    },
  }
}

/** An option that is an object of texts. */
export function recordOption(place: Place): SourceOption {
  const read = (options: SourceOptions): MapEntry[] => {
    const record = optionAt(options, place.path)
    return isJsonObject(record) ? Object.entries(record).map(([key, value]) => [key, String(value)]) : []
  }
  return {
    ...place,
    type: 'string',
    collection: 'map',
    read: (options) => {
      return optionAt(options, place.path) === undefined ? undefined : { kind: 'map', entries: read(options) }
    },
    change: (options, value) => {
      const wanted = new Map(value?.kind === 'map' ? value.entries : [])
      const before = new Map(read(options))
      const removed = [...before.keys()].filter((key) => !wanted.has(key))
      const set = [...wanted].filter(([key, text]) => before.get(key) !== text)
      return [
        ...set.map(([key, text]) => ({ path: [...place.path, key], value: text })),
        ...removed.map((key) => ({ path: [...place.path, key], value: undefined })),
      ]
    },
  }
}

/** An option that is a list of entries, each with a key of its own, shown as a map; of equal keys the last one applies. */
export function entriesOption(place: Place, type: SourceOption['type'], form: EntryForm): SourceOption {
  const itemsIn = (options: SourceOptions): JsonValue[] => {
    const list = optionAt(options, place.path)
    return Array.isArray(list) ? list : []
  }
  return {
    ...place,
    type,
    collection: 'map',
    read: (options) => {
      if (optionAt(options, place.path) === undefined) return undefined
      const entries = new Map(itemsIn(options).map((item) => [form.keyOf(item), form.valueOf(item)]))
      return { kind: 'map', entries: [...entries] }
    },
    change: (options, value) => [
      listChange(place.path, itemsIn(options), form, value?.kind === 'map' ? value.entries : []),
    ],
  }
}

function optionAt(options: SourceOptions, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    options,
  )
}

function booleanOf(name: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new InvalidInputError(`${name}: ${JSON.stringify(text)} is neither true nor false`)
}
