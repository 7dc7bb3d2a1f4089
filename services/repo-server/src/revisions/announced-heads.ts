import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { mirrorRef } from '@wadi/git/mirror/mirror-ref.ts'
import type { BranchHead } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'

/** The branches that one push feeds run at once; what they find out of the announced commit is shared for so long. */
const sharedMs = 10_000

interface Fetched {
  /** The time at which the fetch began. */
  at: number
  head: Promise<string | undefined>
}

/**
 * Heads of branches whose new commit somebody announced. The branch is fetched at once, without reading the other refs, and
 * what the fetch finds is its head: the announcement decides nothing but that.
 */
export class AnnouncedHeads {
  readonly #fetched = new WeakMap<Mirror, Map<string, Fetched>>()

  /**
   * The head of a branch, fetched after it was announced; undefined when the commit was known before, as then the
   * announcement may be an old one, or when the fetch fails. Then the remote must be asked.
   * @param listedAt the time at which all refs were asked for last, which may have brought a newer head
   */
  async head(
    mirror: Mirror,
    { branch, sha }: Pick<BranchHead, 'branch' | 'sha'>,
    listedAt = -Infinity,
  ): Promise<string | undefined> {
    let fetched = this.#fetched.get(mirror)
    if (fetched === undefined) this.#fetched.set(mirror, (fetched = new Map()))
    const now = performance.now()
    for (const [key, { at }] of fetched) if (now - at > sharedMs) fetched.delete(key)
    const key = `${branch}\n${sha}`
    const known = fetched.get(key)
    if (known) return known.at > listedAt ? known.head : undefined
    const head = fetchNew(mirror, `refs/heads/${branch}`, sha).catch(() => undefined)
    fetched.set(key, { at: now, head })
    const found = await head
    for (const [other, { at }] of fetched) {
      const isOlder = other.startsWith(`${branch}\n`) && at < now
      if (isOlder || (found === undefined && other === key)) fetched.delete(other)
    }
    return found
  }
}

async function fetchNew(mirror: Mirror, ref: string, sha: string): Promise<string | undefined> {
  if (await mirror.hasObject(sha)) return undefined
  await mirror.fetch([`+${ref}:${mirrorRef(ref)}`])
  return mirror.objects.resolve(mirrorRef(ref))
}
