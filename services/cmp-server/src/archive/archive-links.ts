import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type LinkDirectory, linkDirectory } from '@wadi/plugins/link-directory.ts'

/** Most steps on the way of one link. */
const maxSteps = 255

/** Most steps on the ways of all links together, so that checking takes a second at most. */
const maxStepsTogether = 2_000_000

/**
 * Checks where symbolic links lead, following the others on the way, as far as the archive knows.
 * @param links the target of each link by its path
 * @throws InvalidInputError for one that is absolute, leads out of the root or in a circle
 */
export function checkLinks(links: ReadonlyMap<string, string>): void {
  const root = linkDirectory(links)
  const together = { left: maxStepsTogether }
  for (const link of links.keys()) checkLink(link, root, together)
}

function checkLink(link: string, root: LinkDirectory, together: { left: number }): void {
  const refuse = (reason: string) => new InvalidInputError(`illegal filepath in symlink: "${link}" ${reason}`)
  // Undefined below what no link is under.
  const position: (LinkDirectory | undefined)[] = []
  // The next name is the last one.
  const ahead = link.split('/').toReversed()
  for (let steps = 0; ahead.length > 0; steps += 1) {
    together.left -= 1
    if (together.left < 0) throw new InvalidInputError('the archive has too many symlinks to check them')
    if (steps > maxSteps) throw refuse('follows too many others')
    const name = ahead.pop() ?? ''
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (position.length === 0) throw refuse('leads out of the archive')
      position.pop()
      continue
    }
    const next = (position.length === 0 ? root : position.at(-1))?.below.get(name)
    if (next?.target === undefined) {
      position.push(next)
      continue
    }
    if (next.target.startsWith('/')) throw refuse('has an absolute target')
    ahead.push(...next.target.split('/').toReversed())
    if (ahead.length > 4096) throw refuse('is too long')
  }
}
