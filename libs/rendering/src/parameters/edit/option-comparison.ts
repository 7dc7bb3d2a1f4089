import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { SourceOptions } from '../../source/source.ts'
import type { YamlChange } from '../yaml-edit/edit-yaml.ts'
import { parameterItem } from '@wadi/plugins/parameters/parameter-item.ts'

/** Options by renderer and name, in a form in which all ways of writing the same are equal. */
export type ComparableOptions = Record<string, unknown>

/** Brings options to the form in which they are compared. */
export function comparable(options: SourceOptions): ComparableOptions {
  if (options.plugin === undefined) return withoutUndefined(options)
  const { parameters = [], ...plugin } = options.plugin
  const list = parameters.map((parameter) => parameterItem({ ...parameter, form: 'flat' }))
  return withoutUndefined({ ...options, plugin: { ...plugin, ...(list.length > 0 && { parameters: list }) } })
}

/** The options after a change that names the wanted ones. */
export function withChange(options: ComparableOptions, change: YamlChange): ComparableOptions {
  const value = 'items' in change ? change.items.map((item) => item.value) : change.value
  return withValueAt(options, change.path, value)
}

/** The paths of the outermost options that are set although they must not be. */
export function extraOptions(options: ComparableOptions, wanted: ComparableOptions): string[][] {
  return Object.entries(options).flatMap(([key, value]) => {
    const other = Object.hasOwn(wanted, key) ? wanted[key] : undefined
    if (isJsonObject(value) && isJsonObject(other)) {
      return extraOptions(value, other).map((path) => [key, ...path])
    }
    return other === undefined && !isEmpty(value) ? [[key]] : []
  })
}

/** Options without those that are as good as not set: empty lists and objects, and renderers without options. */
export function withoutEmpty(options: ComparableOptions): ComparableOptions {
  const renderers = Object.entries(options).map(([renderer, block]): [string, unknown] => [
    renderer,
    isJsonObject(block) ? entriesWhere(block, (value) => !isEmpty(value)) : block,
  ])
  return entriesWhere(Object.fromEntries(renderers), (block) => !isEmpty(block))
}

function withValueAt(options: ComparableOptions, path: readonly string[], value: unknown): ComparableOptions {
  const [key, ...rest] = path
  if (key === undefined) return options
  const below = Object.hasOwn(options, key) ? options[key] : undefined
  const inner = rest.length === 0 ? value : withValueAt(isJsonObject(below) ? below : {}, rest, value)
  return withoutUndefined({ ...options, [key]: inner })
}

function withoutUndefined(object: object): ComparableOptions {
  return entriesWhere(object, (value) => value !== undefined)
}

function entriesWhere(object: object, holds: (value: unknown) => boolean): ComparableOptions {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => holds(value)))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
