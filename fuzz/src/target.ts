/** A valid input that mutations start from. */
export interface Base {
  /** Names it in reports; of a repository the path of the file. */
  readonly name: string
  readonly bytes: Buffer
}

/** Something that reads untrusted input. */
export interface Target {
  readonly name: string
  /** Valid inputs that reach deep into the reader. */
  readonly bases: readonly Base[]
  /**
   * Reads an input that was made from a base.
   * @param scratch an existing directory for files that it needs
   * @throws a DomainError, or one of `expects`, if the input is wrong
   */
  read(input: Buffer, base: Base, scratch: string): unknown
  /** Other errors that the reader promises its callers. */
  readonly expects?: readonly (new (...args: never) => Error)[]
}

/** A base of a text. */
export function textBase(name: string, text: string): Base {
  return { name, bytes: Buffer.from(text) }
}
