const textMaps = new WeakSet<object>()

/**
 * Marks a map that holds texts alone by its nature, as labels do, and not by chance. Go templates see it as Argo CD has
 * it: a key that does not exist gives the empty text with `missingkey=zero` and `index`, while functions of sprig for
 * dictionaries, such as `hasKey` and `get`, refuse it.
 */
export function textMap<Map extends Readonly<Record<string, unknown>>>(map: Map): Map {
  textMaps.add(map)
  return map
}

/** True if a map is marked. */
export function isTextMap(value: object): boolean {
  return textMaps.has(value)
}
