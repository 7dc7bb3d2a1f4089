/** The identity of a parameter. */
interface Identity {
  readonly name: string
  readonly group: string
}

/** True if both name the same parameter: one name and one group, which either may leave open. */
export function isSameParameter(one: Identity, other: Identity): boolean {
  if (one.name !== other.name) return false
  return one.group === other.group || one.group === '' || other.group === ''
}

/** Finds the first item that names a parameter, in a time that does not grow with the number of items. */
export function finderOf<Item extends Identity>(items: Iterable<Item>): Finder<Item> {
  const byName = new Map<string, Item[]>()
  const find = (wanted: Identity) => byName.get(wanted.name)?.find((item) => isSameParameter(item, wanted))
  const add = (item: Item) => {
    const others = byName.get(item.name)
    if (others === undefined) byName.set(item.name, [item])
    else others.push(item)
  }
  for (const item of items) add(item)
  return { find, add }
}

/** Finds what speaks of a parameter among items that may become more. */
interface Finder<Item> {
  readonly find: (wanted: Identity) => Item | undefined
  readonly add: (item: Item) => void
}
