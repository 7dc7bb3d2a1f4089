import type { Location } from '@wadi/errors/location.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { Faults } from '../faults.ts'

/** Items of a list; nobody writes more by hand. */
const maxItems = 1000

/** Reads the fields of a map, and notes what is of another type than it has to be. */
export class ObjectFields {
  readonly located: Located
  readonly #path: string
  readonly #faults: Faults

  /** `path` is what comes before the names of fields in messages, for example `Workload "shop": spec.`. */
  constructor(located: Located, path: string, faults: Faults) {
    this.located = located
    this.#path = path
    this.#faults = faults
  }

  get at(): Location {
    return this.located.at
  }

  /** Notes a fault of a field, where the field is written. */
  fault(field: string, message: string): void {
    this.#faults.add(this.any(field)?.at ?? this.at, `${this.#path}${field} ${message}`)
  }

  /** Returns a field of any type, undefined when it is missing or null. */
  any(field: string): Located | undefined {
    const part = isValueMap(this.located.value) ? partOf(this.located, field) : undefined
    return part === undefined || part.value === null ? undefined : part
  }

  /** Returns a field of any type that has to be there; null is there. */
  required(field: string): Located {
    const part = partOf(this.located, field)
    if (part === undefined) this.fault(field, 'is required')
    return part ?? { value: null, at: this.at }
  }

  /** Returns a text, the empty one when it is missing. */
  text(field: string): string {
    const value = this.any(field)?.value ?? ''
    if (typeof value === 'string') return value
    this.fault(field, 'has to be a text')
    return ''
  }

  /** Returns a text that has to be there. */
  requiredText(field: string): string {
    const text = this.text(field)
    if (text === '' && (this.any(field)?.value ?? '') === '') this.fault(field, 'is required')
    return text
  }

  /** Returns the fields of a map, none when it is missing. */
  map(field: string): ObjectFields {
    const part = this.any(field)
    const isFit = part === undefined || isValueMap(part.value)
    if (!isFit) this.fault(field, 'has to be a map')
    const located = isFit && part !== undefined ? part : { value: new Map(), at: part?.at ?? this.at }
    return new ObjectFields(located, `${this.#path}${field}.`, this.#faults)
  }

  /** Returns the items of a list of maps, none when it is missing. */
  maps(field: string): ObjectFields[] {
    return this.#items(field).flatMap((item, index) => {
      const name = `${field}[${index}]`
      if (isValueMap(item.value)) return new ObjectFields(item, `${this.#path}${name}.`, this.#faults)
      this.#faults.add(item.at, `${this.#path}${name} has to be a map`)
      return []
    })
  }

  /** Returns the items of a list of texts, none when it is missing. */
  texts(field: string): string[] {
    return this.#items(field).flatMap((item, index) => {
      if (typeof item.value === 'string') return item.value
      this.#faults.add(item.at, `${this.#path}${field}[${index}] has to be a text`)
      return []
    })
  }

  /** Returns a map of texts, empty when it is missing. */
  textMap(field: string): ReadonlyMap<string, string> {
    const { located } = this.map(field)
    const texts = new Map<string, string>()
    if (!isValueMap(located.value)) return texts
    for (const [key, value] of located.value) {
      if (typeof value === 'string') texts.set(key, value)
      else
        this.#faults.add(
          partOf(located, key)?.at ?? located.at,
          `${this.#path}${field}.${key} has to be a text`,
        )
    }
    return texts
  }

  #items(field: string): Located[] {
    const part = this.any(field)
    if (part === undefined) return []
    if (!isList(part.value)) {
      this.fault(field, 'has to be a list')
      return []
    }
    if (part.value.length > maxItems) this.fault(field, `may have ${maxItems} items`)
    const items = part.value.slice(0, maxItems)
    return items.map((value, index) => partOf(part, String(index)) ?? { value, at: part.at })
  }
}
