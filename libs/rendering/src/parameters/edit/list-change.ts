import type { JsonValue } from '@wadi/manifests/manifest.ts'
import type { MapEntry } from '@wadi/plugins/parameters/parameter.ts'
import type { YamlChange } from '../yaml-edit/edit-yaml.ts'
import type { ListItem } from '../yaml-edit/edit-yaml-list.ts'

/** The form of a list's items as entries with a key and a value. */
export interface EntryForm {
  readonly keyOf: (item: JsonValue) => string
  readonly valueOf: (item: JsonValue) => string
  /** Makes the item of an entry; `before` is the one that it replaces. */
  readonly write: (key: string, value: string, before: JsonValue | undefined) => JsonValue
}

/**
 * The change that makes a list say `entries`: items whose entry is as before stay, changed ones are replaced in their
 * place, new ones follow. Of several items with the key of a changed entry the last one stays.
 */
export function listChange(
  path: readonly string[],
  before: readonly JsonValue[],
  form: EntryForm,
  entries: readonly MapEntry[],
): YamlChange {
  const wanted = new Map(entries)
  const last = new Map(before.map((item) => [form.keyOf(item), item]))
  const items = before.flatMap((item, index): ListItem[] => {
    const key = form.keyOf(item)
    const text = wanted.get(key)
    const counting = last.get(key)
    if (text === undefined || counting === undefined) return []
    if (form.valueOf(counting) === text) return [{ was: index, value: item }]
    return counting === item ? [{ was: undefined, value: form.write(key, text, item) }] : []
  })
  const added = [...wanted].filter(([key]) => !last.has(key))
  const all: ListItem[] = [
    ...items,
    ...added.map(([key, text]) => ({ was: undefined, value: form.write(key, text, undefined) })),
  ]
  return all.length === 0 ? { path, value: undefined } : { path, items: all }
}
