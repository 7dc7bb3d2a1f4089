import { LRUCache } from 'lru-cache'

/**
 * A cache of so many entries that grows as they come. With `max`, `LRUCache` allots the room for all of them at once: 3 ms and 1 MB for
 * 50,000.
 */
export function growingCache<Key extends {}, Value extends {}>(maxEntries: number): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 })
}
