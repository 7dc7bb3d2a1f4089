/** A place in an archive, as far as symbolic links are at it or below: to go one step costs no more at any depth. */
export interface LinkDirectory {
  /** The target of the link at this place. */
  target: string | undefined
  /** The places directly below by their names. */
  readonly below: Map<string, LinkDirectory>
}

/**
 * The root of an archive with symbolic links.
 * @param links the target of each link by its path
 */
export function linkDirectory(links: ReadonlyMap<string, string>): LinkDirectory {
  const root: LinkDirectory = { target: undefined, below: new Map() }
  for (const [path, target] of links) {
    let place = root
    for (const name of path.split('/')) {
      const next = place.below.get(name) ?? { target: undefined, below: new Map() }
      place.below.set(name, next)
      place = next
    }
    place.target = target
  }
  return root
}
