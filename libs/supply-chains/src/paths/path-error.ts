/** Why a path gives no value, in the words of Cartographer where it has any. */
export class PathError extends Error {
  override readonly name = 'PathError'
  /** Whether the path is sound and there is nothing at its end. */
  readonly isMissing: boolean

  constructor(message: string, isMissing = false) {
    super(message)
    this.isMissing = isMissing
  }
}
