import type { Caller } from './caller.ts'

/** The author of a commit that a caller asked for. Without an address that git takes it is `<name>@localhost`. */
export function commitAuthor({ username, email }: Caller): { authorName: string; authorEmail: string } {
  // Git ends a name at `<` and a line; whatever else cannot stand there is left out too.
  const authorName = username.replaceAll(/[\p{C}\s<>]+/gu, ' ').trim() || 'unknown'
  const isAddress = /^[\w.+-]{1,64}@[\w.-]{1,190}$/.test(email)
  const mailbox = authorName.replaceAll(/[^\w.+-]+/g, '-').slice(0, 64)
  return { authorName, authorEmail: isAddress ? email : `${mailbox}@localhost` }
}
