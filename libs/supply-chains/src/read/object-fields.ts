import type { Location } from '@wadi/errors/location.ts'
import { TypedFields } from '@wadi/fields/typed-fields.ts'
import { locatedView } from '@wadi/params/values/located-view.ts'
import { partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { Findings } from '../findings.ts'

/** Items of a list; nobody writes more by hand. */
const maxItems = 1000

/** Reads the fields of an object, and reports what is of another type than it must be where it is written. */
export class ObjectFields {
  readonly located: Located
  readonly #path: string
  readonly #findings: Findings
  readonly #reader: TypedFields<Located, Located>

  /** `path` is what comes before the names of fields in messages, for example `Workload "shop": spec.`. */
  constructor(located: Located, path: string, findings: Findings) {
    this.located = located
    this.#path = path
    this.#findings = findings
    this.#reader = new TypedFields(locatedView, ({ message, node }) => {
      findings.add(node?.at ?? located.at, message)
    })
  }

  get at(): Location {
    return this.located.at
  }

  /** Reports a field that is wrong, where the field is written. */
  finding(field: string, message: string): void {
    this.#reader.wrong(field, `${this.#path}${field} ${message}`, this.any(field))
  }

  /** Reports every field of the object but these, where it is written. */
  known(...fields: string[]): void {
    this.#reader.known(this.located, fields, this.#path)
  }

  /** Returns a field of any type, undefined when it is missing or null. */
  any(field: string): Located | undefined {
    return this.#reader.any(this.located, field)
  }

  /** Returns a field of any type that must be there; null is there. */
  required(field: string): Located {
    const part = partOf(this.located, field)
    if (part === undefined) this.finding(field, 'is required')
    return part ?? { value: null, at: this.at }
  }

  /** Returns a string, the empty one when it is missing. */
  text(field: string): string {
    return this.#reader.string(this.located, field, this.#path) ?? ''
  }

  /** Returns a string that must be there. */
  requiredText(field: string): string {
    return this.#reader.requiredString(this.located, field, this.#path)
  }

  /** Returns the fields of an object, none when it is missing. */
  map(field: string): ObjectFields {
    const object = this.#reader.object(this.located, field, this.#path)
    const none = { value: new Map(), at: this.any(field)?.at ?? this.at }
    return new ObjectFields(object ?? none, `${this.#path}${field}.`, this.#findings)
  }

  /** Returns the items of a list of objects, none when it is missing. */
  maps(field: string): ObjectFields[] {
    return this.#bounded(field, this.#reader.objects(this.located, field, this.#path)).map(
      ({ item, path }) => new ObjectFields(item, `${path}.`, this.#findings),
    )
  }

  /** Returns the items of a list of strings, none when it is missing. */
  texts(field: string): readonly string[] {
    return this.#bounded(field, this.#reader.strings(this.located, field, this.#path))
  }

  /** Returns an object of strings, empty when it is missing. */
  textMap(field: string): ReadonlyMap<string, string> {
    return this.#reader.stringMap(this.located, field, this.#path)
  }

  #bounded<Item>(field: string, items: readonly Item[]): readonly Item[] {
    if (items.length > maxItems) this.finding(field, `may have ${maxItems} items`)
    return items.slice(0, maxItems)
  }
}
