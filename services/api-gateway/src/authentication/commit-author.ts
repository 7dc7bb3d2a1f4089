/** The author of a commit that a caller asked for: the administrator, who is the only one to call. */
export function commitAuthor(): { authorName: string; authorEmail: string } {
  return { authorName: 'admin', authorEmail: 'admin@localhost' }
}
