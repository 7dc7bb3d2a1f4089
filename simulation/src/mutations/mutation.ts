/** A change that breaks a promise of the mesh. */
export interface Mutation {
  readonly name: string
  /** The file that it changes, from the root of the repository. */
  readonly file: string
  /** The text that it replaces, which is there once. */
  readonly from: string
  readonly to: string
  /** The seed of a world in which it is found. */
  readonly seed: number
  /** The flag of the command line for worlds of that kind; none for worlds of hydrators. */
  readonly flag?: '--contested' | '--promoted' | '--sets' | '--gateway'
  /** The words of one of the problems that it causes. */
  readonly found: RegExp
}
