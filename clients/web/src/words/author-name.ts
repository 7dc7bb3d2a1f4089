/** The name of an author of git, without the address. */
export function authorName(author: string): string {
  return author.replace(/ <.*>$/, '')
}
