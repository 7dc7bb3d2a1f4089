import { InvalidInputError } from '@wadi/errors/domain-error.ts'

const mostSteps = 255

/**
 * Checks where symbolic links lead, following the others on the way, as far as the archive knows.
 * @param links the target of each link by its path
 * @throws InvalidInputError for one that is absolute, leads out of the root or in a circle
 */
export function checkLinks(links: ReadonlyMap<string, string>): void {
  for (const link of links.keys()) checkLink(link, links)
}

function checkLink(link: string, links: ReadonlyMap<string, string>): void {
  const refuse = (reason: string) => new InvalidInputError(`illegal filepath in symlink: "${link}" ${reason}`)
  const position: string[] = []
  const ahead = link.split('/')
  for (let steps = 0; ahead.length > 0; steps += 1) {
    if (steps > mostSteps) throw refuse('follows too many others')
    const name = ahead.shift() ?? ''
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (position.pop() === undefined) throw refuse('leads out of the archive')
      continue
    }
    const target = links.get([...position, name].join('/'))
    if (target === undefined) {
      position.push(name)
      continue
    }
    if (target.startsWith('/')) throw refuse('has an absolute target')
    ahead.unshift(...target.split('/'))
    if (ahead.length > 4096) throw refuse('is too long')
  }
}
