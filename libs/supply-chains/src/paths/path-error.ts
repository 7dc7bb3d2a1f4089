/** Why a path gives no value, in the words of Cartographer where it has any. */
export class PathError extends Error {
  override readonly name = 'PathError'
  /** True if the path is valid and leads to nothing. */
  readonly isMissing: boolean

  constructor(message: string, isMissing = false) {
    super(message)
    this.isMissing = isMissing
  }
}
