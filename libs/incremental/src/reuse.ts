import { LRUCache } from 'lru-cache'

/** Results of earlier work. */
export interface Results<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

const noResults = { get: () => undefined, set: () => undefined }

/** Opens the stores for the results of earlier work. With `off` they keep nothing, so all work is done again. */
export class Reuse {
  readonly #isOn: boolean

  constructor(setting: 'on' | 'off' = 'on') {
    this.#isOn = setting === 'on'
  }

  /** Opens a store that keeps a result for as long as its object is in use. */
  byObject<Owner extends object, Value>(): Results<Owner, Value> {
    return this.store<Results<Owner, Value>>(() => new WeakMap(), noResults)
  }

  /**
   * Opens a store that removes the least recently used results beyond a size.
   * @param sizeOf default: 1 for each
   */
  byKey<Key extends {}, Value extends {}>(
    maxSize: number,
    sizeOf: (result: Value) => number = () => 1,
  ): Results<Key, Value> {
    // With `max`, the room for all of them would be allotted at once.
    return this.store<Results<Key, Value>>(
      () => new LRUCache({ maxSize, sizeCalculation: sizeOf }),
      noResults,
    )
  }

  /**
   * Opens a store of another kind.
   * @param none a store that keeps nothing
   */
  store<Store>(open: () => Store, none: Store): Store {
    return this.#isOn ? open() : none
  }
}
