/** One thing that a registry gets of a release. */
export interface Publication {
  /** Its name with that of the registry, for messages. */
  readonly title: string
  /**
   * Returns true if the registry has it already.
   * @throws Error if the registry has something else by this name and version
   */
  readonly isThere: () => Promise<boolean>
  /** Uploads what can be there before anybody finds it. */
  readonly upload?: () => Promise<void>
  /** Gives it its name and version, by one request. */
  readonly announce: () => Promise<void>
}

/** Returns the error about a version that a registry has with other bytes. */
export function otherContent(title: string, there: string, own: string): Error {
  return new Error(
    `${title} has other bytes (${there}) than this release (${own}): a published version does not change, so release another one`,
  )
}
