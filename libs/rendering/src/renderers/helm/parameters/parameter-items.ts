import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { scalarText } from '../../../source/scalar-text.ts'
import { type EntryForm, listChange } from '../../../parameters/edit/list-change.ts'
import type { YamlChange } from '../../../parameters/yaml-edit/edit-yaml.ts'
import type { HelmOptions } from '../helm-option-schema.ts'
import { type ValuePath, parseSetName } from '@wadi/params/values/set-name.ts'

/** A value of `helm.parameters`. */
export interface ParameterItem {
  readonly value: string
  /** True when it is given with `--set-string`. */
  readonly isText: boolean
}

/** The items of `helm.parameters` by their names, while they are changed. */
export class ParameterItems {
  readonly #before: NonNullable<HelmOptions['parameters']>
  readonly #entries: Map<string, ParameterItem>

  constructor({ parameters = [] }: HelmOptions) {
    this.#before = parameters
    this.#entries = new Map(
      parameters.map(({ name, value = '', forceString = false }) => [name, { value, isText: forceString }]),
    )
  }

  get names(): string[] {
    return [...this.#entries.keys()]
  }

  get(name: string): ParameterItem | undefined {
    return this.#entries.get(name)
  }

  set(name: string, item: ParameterItem): void {
    this.#entries.set(name, item)
  }

  delete(name: string): boolean {
    return this.#entries.delete(name)
  }

  /** Those that set something at a path or below it, in order. */
  below(
    path: ValuePath,
  ): { readonly name: string; readonly path: ValuePath; readonly item: ParameterItem }[] {
    return Array.from(this.#entries, ([name, item]) => ({
      name,
      path: parseSetName(name) ?? [],
      item,
    })).filter(
      (one) => one.path.length >= path.length && path.every((step, depth) => one.path[depth] === step),
    )
  }

  /** The change that makes the list say the items; none when it does. */
  change(): YamlChange[] {
    const before = this.#before.map(({ name, value, forceString }) => ({
      name,
      ...(value !== undefined && { value }),
      ...(forceString !== undefined && { forceString }),
    }))
    const entries = Array.from(this.#entries, ([name, item]): [string, string] => [name, textOf(item)])
    const same = new Map(before.map((item) => [form.keyOf(item), form.valueOf(item)]))
    if (isDeepStrictEqual(new Map(entries), same)) return []
    return [listChange(['helm', 'parameters'], before, form, entries)]
  }
}

/** A value and whether it is a string, as one text. */
function textOf({ value, isText }: ParameterItem): string {
  return `${isText ? 's' : '-'}${value}`
}

const form: EntryForm = {
  keyOf: (item) => (isJsonObject(item) ? scalarText(item['name']) : ''),
  valueOf: (item) =>
    isJsonObject(item)
      ? textOf({ value: scalarText(item['value']), isText: item['forceString'] === true })
      : '',
  write: (name, text, before) => {
    const item = { ...(isJsonObject(before) ? before : {}), name, value: text.slice(1) }
    // A string stays one, so that there is nothing to take away.
    return text.startsWith('s') ? { ...item, forceString: true } : item
  },
}
