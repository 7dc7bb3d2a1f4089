import { createHash } from 'node:crypto'

/**
 * The members in the order in which they should own a key, the owner first: rendezvous hashing, so that a member that comes
 * or goes moves only the keys that it owns, and the owner's successor is known to all. Independent of the order of `members`.
 */
export function rendezvousOrder(key: string, members: readonly string[]): string[] {
  if (members.length < 2) return [...members]
  const scored = members.map((member) => ({ member, score: scoreOf(key, member) }))
  scored.sort((left, right) => right.score.compare(left.score))
  return scored.map(({ member }) => member)
}

function scoreOf(key: string, member: string): Buffer {
  return createHash('sha256').update(`${member.length}:${member}${key}`).digest()
}
