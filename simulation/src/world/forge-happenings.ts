/** An event that comes to the forge of a world. */
export type ForgeHappening =
  /** Requests to the forge fail with a probability, done or not. */
  | { readonly kind: 'failing forge'; readonly rate: number; readonly milliseconds: number }
  /** The forge asks everybody to wait. */
  | { readonly kind: 'limited forge'; readonly milliseconds: number }
  /** Somebody merges or closes the pull request of a branch, or opens the closed one again. */
  | { readonly kind: 'pull request'; readonly branch: string; readonly change: 'merge' | 'close' | 'reopen' }
