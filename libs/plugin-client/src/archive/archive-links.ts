import { posix } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type LinkDirectory, linkDirectory } from '@wadi/plugins/link-directory.ts'

/** Most links that one may lead through, as on Linux. */
const maxLinks = 40

/** Most steps on the ways of all links together, so that checking takes a second at most. */
const maxSteps = 2_000_000

/** The targets of an archive's symbolic links that must be checked. */
export interface CheckedLinks {
  /** Those that lead to the root itself. */
  readonly toRoot: readonly string[]
  /** Those that must not be in an archive, with what is wrong: absolute, out of the root or in a circle. */
  readonly unfit: ReadonlyMap<string, string>
}

/**
 * Checks where symbolic links lead, as far as the archive knows: by their text alone, as Argo CD does, and with the
 * links on the way followed, as a file system does. A link through an unfit one is unfit too.
 * @param links the target of each link by its path
 * @throws InvalidInputError for more than can be checked
 */
export function checkLinks(links: ReadonlyMap<string, string>): CheckedLinks {
  const steps = { left: maxSteps }
  const [followed, byText] = [linkDirectory(links), linkDirectory(new Map())]
  const toRoot: string[] = []
  const unfit = new Map<string, string>()
  for (const [link, target] of links) {
    const ends = [destination(link, target, byText, steps), destination(link, target, followed, steps)]
    const [reason] = ends.filter((end) => end !== 'root' && end !== 'inside')
    if (reason !== undefined) unfit.set(link, reason)
    else if (ends.includes('root')) toRoot.push(link)
  }
  return { toRoot, unfit }
}

/** `root`, `inside`, or what is wrong. */
function destination(link: string, target: string, links: LinkDirectory, steps: { left: number }): string {
  // Undefined below what no link is under.
  const reached: (LinkDirectory | undefined)[] = []
  const step = (name: string): LinkDirectory | undefined =>
    (reached.length === 0 ? links : reached.at(-1))?.below.get(name)
  for (const name of posix.dirname(link).split('/').filter(isStep)) reached.push(step(name))
  const ahead = [target]
  let followed = 0
  for (let way = ahead.pop(); way !== undefined; way = ahead.pop()) {
    if (way.startsWith('/')) return outOfBounds(way)
    const [name = ''] = way.split('/', 1)
    if (name.length < way.length) ahead.push(way.slice(name.length + 1).replace(/^\/+/, ''))
    steps.left -= 1
    if (steps.left < 0)
      throw new InvalidInputError(`the repository has too many symlinks through others to check them`)
    if (!isStep(name)) continue
    if (name === '..') {
      if (reached.length === 0) return outOfBounds(target)
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
    if (followed > maxLinks) return 'leads in a circle'
  }
  return reached.length === 0 ? 'root' : 'inside'
}

function outOfBounds(target: string): string {
  return `leads out of the repository, to ${JSON.stringify(target.slice(0, 200))}`
}

function isStep(name: string): boolean {
  return name !== '' && name !== '.'
}
