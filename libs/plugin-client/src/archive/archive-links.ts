import { posix } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type LinkFolder, linkFolder } from '@wadi/plugins/link-folder.ts'

/** Most links that one may lead through, as on Linux. */
const mostLinks = 40

/** Most steps on the ways of all links together, so that checking takes a second at most. */
const mostSteps = 2_000_000

/**
 * Checks where symbolic links lead, as far as the archive knows: by their text alone, as Argo CD does, and with the
 * links on the way followed, as a file system does.
 * @param links the target of each link by its path
 * @returns the links that lead to the root itself
 * @throws InvalidInputError for one that is absolute, leads out of the root or in a circle
 */
export function checkLinks(links: ReadonlyMap<string, string>): string[] {
  const steps = { left: mostSteps }
  const [followed, byText] = [linkFolder(links), linkFolder(new Map())]
  const toRoot: string[] = []
  for (const [link, target] of links) {
    const isRootByText = leadsToRoot(link, target, byText, steps)
    const isRoot = leadsToRoot(link, target, followed, steps)
    if (isRootByText || isRoot) toRoot.push(link)
  }
  return toRoot
}

function leadsToRoot(link: string, target: string, links: LinkFolder, steps: { left: number }): boolean {
  // Undefined below what no link is under.
  const reached: (LinkFolder | undefined)[] = []
  const step = (name: string): LinkFolder | undefined =>
    (reached.length === 0 ? links : reached.at(-1))?.below.get(name)
  for (const name of posix.dirname(link).split('/').filter(isStep)) reached.push(step(name))
  const ahead = [target]
  let followed = 0
  for (let way = ahead.pop(); way !== undefined; way = ahead.pop()) {
    if (way.startsWith('/')) throw outOfBounds(link, way)
    const [name = ''] = way.split('/', 1)
    if (name.length < way.length) ahead.push(way.slice(name.length + 1).replace(/^\/+/, ''))
    steps.left -= 1
    if (steps.left < 0)
      throw new InvalidInputError(`the repository has too many symlinks through others to check them`)
    if (!isStep(name)) continue
    if (name === '..') {
      if (reached.length === 0) throw outOfBounds(link, target)
      reached.pop()
      continue
    }
    const next = step(name)
    if (next?.target === undefined) {
      reached.push(next)
      continue
    }
    ahead.push(next.target)
    followed += 1
    if (followed > mostLinks) throw new InvalidInputError(`symlink "${link}" loops; correct or remove it`)
  }
  return reached.length === 0
}

function outOfBounds(link: string, target: string): InvalidInputError {
  return new InvalidInputError(
    `repository contains out-of-bounds symlinks. file: ${link} leads to "${target}"; plugins get only links that stay inside the repository`,
  )
}

function isStep(name: string): boolean {
  return name !== '' && name !== '.'
}
