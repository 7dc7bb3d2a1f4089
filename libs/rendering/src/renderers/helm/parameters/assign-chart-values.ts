import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Value, isValueMap } from '@wadi/params/values/value.ts'
import type { OptionChanges, ParameterChanges } from '../../../parameters/edit/assign-options.ts'
import type { HelmOptions } from '../helm-option-schema.ts'
import { type ValuePath, parseSetName, setName } from '@wadi/params/values/set-name.ts'
import { InlineValueChanges } from './inline-value-changes.ts'
import type { KnownValues } from './known-values.ts'
import { setValue } from './located-set.ts'
import { ParameterItems } from './parameter-items.ts'
import { listPathOf, requirePosition, valueAt, withValueAt } from './value-steps.ts'
import { wantedValue } from './wanted-value.ts'

/**
 * Sets values of a chart so that each other value, items of the same list included, and each type stays: as items of
 * `helm.parameters`, and in the inline values what `--set` cannot say, such as an item of a list that only the chart has.
 * @throws InvalidInputError for a name that Helm's `--set` does not take, a list or object as a whole, a single value in the
 * place of one, a position beyond the end
 * @throws NotFoundError for removing what is not set
 */
export function assignChartValues(
  options: HelmOptions,
  known: KnownValues,
  wanted: ParameterChanges,
): OptionChanges & { readonly problems: string[] } {
  const edit = new ChartEdit(options, known)
  for (const name of wanted.removals) edit.remove(name)
  for (const { target, value, whole } of wanted.assignments) {
    if (whole !== undefined && whole.kind !== 'string') {
      throw new InvalidInputError(`${target}: Helm takes no whole ${whole.kind}; set its items one by one`)
    }
    edit.set(target, whole === undefined ? value : whole.text)
  }
  return edit.result()
}

class ChartEdit {
  readonly #known: KnownValues
  readonly #items: ParameterItems
  readonly #inline: InlineValueChanges
  readonly #problems: string[] = []
  #given: Value

  constructor(options: HelmOptions, known: KnownValues) {
    this.#known = known
    this.#items = new ParameterItems(options)
    this.#inline = new InlineValueChanges(options)
    this.#given = known.given
  }

  set(name: string, text: string): void {
    const path = pathOf(name)
    const { unread, seen, defaults } = this.#known
    requireWay(this.#given, seen, path, name)
    const { value, parameter } = wantedValue(this.#known, path, name, text)
    const listPath = listPathOf(path)
    if (listPath === undefined) {
      if (parameter === undefined) this.#setInline(path.map(String), value)
      else this.#setParameter(name, path, parameter, value)
      return
    }
    const list = valueAt(this.#given, listPath)
    const items = isList(list) ? list : (valueAt(defaults, listPath) ?? [])
    const isHidden = !isList(list) && unread.includes(String(path[0]))
    if (isHidden) this.#problems.push(hiddenList(name, String(path[0])))
    else requirePositions(items, path, listPath.length)
    const isInline =
      isList(valueAt(this.#inline.values, listPath)) && this.#items.below(listPath).length === 0
    const isNew = !isList(list) && !isEmpty(items) && !isHidden
    if (parameter !== undefined && !isInline && !isNew) this.#setParameter(name, path, parameter, value)
    else this.#setInline(listPath, withValueAt(items, path.slice(listPath.length), value))
  }

  remove(name: string): void {
    const path = pathOf(name)
    if (this.#items.delete(name)) {
      this.#keepList(path)
      return
    }
    const listPath = listPathOf(path)
    if (valueAt(this.#inline.values, path) === undefined) {
      throw new NotFoundError(
        `${name} is not set by helm.parameters; set there are: ${this.#items.names.join(', ') || 'none'}`,
      )
    }
    if (listPath === undefined) return this.#inline.set(path.map(String), undefined)
    const rest = path.slice(listPath.length)
    const ofChart = valueAt(this.#known.defaults, path)
    const list = valueAt(this.#inline.values, listPath) ?? []
    const items = withValueAt(list, rest, ofChart)
    const isAsBefore =
      this.#items.below(listPath).length === 0 &&
      (isDeepStrictEqual(items, valueAt(this.#known.defaults, listPath)) || isEmpty(items))
    this.#inline.set(listPath, isAsBefore ? undefined : items)
  }

  result(): OptionChanges & { readonly problems: string[] } {
    const ofInline = this.#inline.changes()
    const ofItems = this.#items.change()
    const paths = [['helm', 'parameters'], ...(ofInline.length > 0 ? [this.#inline.path] : [])]
    return { changes: [...ofItems, ...ofInline], paths, problems: this.#problems }
  }

  #setParameter(
    name: string,
    path: ValuePath,
    parameter: { readonly value: string; readonly isText: boolean },
    value: Value,
  ): void {
    const isText = parameter.isText || this.#items.get(name)?.isText === true
    this.#items.set(name, { value: parameter.value, isText })
    this.#given = withValueAt(this.#given, path, value)
  }

  /** Parameters have precedence over inline values, so those at the same place go. */
  #setInline(keys: readonly string[], value: Value): void {
    for (const { name } of this.#items.below(keys)) this.#items.delete(name)
    this.#inline.set(keys, value)
    this.#given = withValueAt(this.#given, keys, value)
  }

  /** Of a list that only parameters give, what remains stands among the chart's items. */
  #keepList(path: ValuePath): void {
    const listPath = listPathOf(path)
    if (listPath === undefined || isList(valueAt(this.#known.base, listPath))) return
    const left = this.#items.below(listPath)
    const ofChart = valueAt(this.#known.defaults, listPath)
    if (left.length === 0 || !isList(ofChart) || left.some((one) => one.path.length === listPath.length))
      return
    const items = left.reduce<Value>(
      (list, one) =>
        withValueAt(
          list,
          one.path.slice(listPath.length),
          setValue(one.item.value, one.item.isText, { file: '' }).value,
        ),
      ofChart,
    )
    this.#setInline(listPath, items)
  }
}

function pathOf(name: string): ValuePath {
  const path = parseSetName(name)
  if (path !== undefined) return path
  throw new InvalidInputError(
    `${JSON.stringify(name)} is not a name of a value; write it as for helm --set, for example image.tag, hosts[0] or annotations.example\\.com/a`,
  )
}

/** @throws InvalidInputError where a key leads through something that is not an object, or a position through no list */
function requireWay(given: Value, seen: Value, path: ValuePath, name: string): void {
  for (const [depth, step] of path.entries()) {
    const above = path.slice(0, depth)
    const value = valueAt(given, above) ?? valueAt(seen, above) ?? null
    if (value === null) return
    if (typeof step === 'number' ? isList(value) : isValueMap(value)) continue
    const kind = isList(value) ? 'a list' : isValueMap(value) ? 'an object' : 'a single value'
    throw new InvalidInputError(`${name}: ${setName(above)} is ${kind} of the chart; correct the name`)
  }
}

function requirePositions(list: Value, path: ValuePath, start: number): void {
  for (let depth = start; depth < path.length; depth += 1) {
    const items = valueAt(list, path.slice(start, depth))
    if (typeof path[depth] === 'number') requirePosition(isList(items) ? items : [], path.slice(0, depth + 1))
  }
}

function isEmpty(value: Value): boolean {
  return isList(value) && value.length === 0
}

function hiddenList(name: string, subchart: string): string {
  return `${name}: the defaults of the subchart ${subchart} are packed or elsewhere, and Helm drops all other items of a list that it has; set the whole list in a values file`
}
