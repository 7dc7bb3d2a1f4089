import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { RemoteRefs } from '@wadi/git/mirror/remote-refs.ts'
import { mirrorRef } from '@wadi/git/mirror/mirror-ref.ts'
import { resolveRevision } from '@wadi/git/mirror/resolve-revision.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'

/**
 * The commit of a revision, fetched so that its files can be read, and the branch or tag that the revision names; `''`
 * for one that names a commit.
 * @throws NotFoundError that names the revision, InvalidInputError for a text that cannot be one
 */
export async function fetchRevision(
  mirror: Mirror,
  revision: string,
  remote: RemoteRefs,
): Promise<{ sha: string; ref: string }> {
  const resolved = resolveRevision(revision, remote.refs, remote.head)
  if (!resolved) {
    if (remote.refs.size > 0) throw unknownRevision(revision)
    throw new NotFoundError(
      `the repository has no commits, so revision ${JSON.stringify(revision)} does not exist; push one`,
    )
  }
  if ('prefix' in resolved) return { sha: await expandShortSha(mirror, resolved.prefix, remote), ref: '' }
  if (!(await mirror.hasObject(resolved.sha))) {
    if (resolved.ref === undefined) await fetchBySha(mirror, resolved.sha, remote)
    else await fetchRef(mirror, { ...resolved, ref: resolved.ref }, remote)
  }
  const commit = (await commitOf(mirror, resolved.sha)) ?? (await fetchedHead(mirror, resolved.ref))
  if (commit === undefined) throw unknownRevision(revision)
  return { sha: commit, ref: resolved.ref ?? '' }
}

/** Asks for the commit that a ref was seen at, which needs no other look at the refs; one that the server does not give is fetched by its ref. */
async function fetchRef(
  mirror: Mirror,
  { sha, ref }: { sha: string; ref: string },
  { head }: RemoteRefs,
): Promise<void> {
  const kept = mirrorRef(ref)
  const near = head === undefined ? [] : [mirrorRef(`refs/heads/${head}`)]
  const isTag = ref.startsWith('refs/tags/')
  try {
    if (!isTag) return await mirror.fetch([`+${sha}:${kept}`], undefined, near)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
  await mirror.fetch([`+${ref}:${kept}`], undefined, near)
}

/** A ref that was moved by force since the remote was asked brings another commit than it named then. */
async function fetchedHead(mirror: Mirror, ref: string | undefined): Promise<string | undefined> {
  return ref === undefined ? undefined : commitOf(mirror, mirrorRef(ref))
}

async function commitOf(mirror: Mirror, name: string): Promise<string | undefined> {
  return mirror.objects.resolve(`${name}^{commit}`)
}

/** Makes sure that the mirror has a commit that was resolved before, perhaps by another process. */
export async function ensureCommit(
  mirror: Mirror,
  sha: string,
  remote: () => Promise<RemoteRefs>,
): Promise<void> {
  if (!isCommitSha(sha)) throw unknownRevision(sha)
  if (await mirror.hasObject(sha)) return
  if (await fetchKnown(mirror, sha)) return
  await fetchBySha(mirror, sha, await remote())
  if (!(await mirror.hasObject(sha))) throw unknownRevision(sha)
}

async function expandShortSha(mirror: Mirror, prefix: string, remote: RemoteRefs): Promise<string> {
  const find = () => commitOf(mirror, prefix)
  const known = await find()
  if (known !== undefined) return known
  await fetchAllBranches(mirror, remote)
  const found = await find()
  if (found !== undefined) await fetchKnown(mirror, found)
  if (found === undefined) throw unknownRevision(prefix)
  return found
}

/** Servers may refuse to send a commit that no ref points at; then all branches are fetched, which bring it along. */
async function fetchBySha(mirror: Mirror, sha: string, remote: RemoteRefs): Promise<void> {
  for (const [ref, at] of remote.refs) {
    if (at === sha && !ref.endsWith('^{}')) return fetchRef(mirror, { sha, ref }, remote)
  }
  await fetchAllBranches(mirror, remote)
  await fetchKnown(mirror, sha)
}

/**
 * Fetches the files' names of a commit that came with the history of another. One that did not come with a branch or tag is not
 * asked for, as servers give those of foreign forks too.
 * @returns true if it is there now
 */
async function fetchKnown(mirror: Mirror, sha: string): Promise<boolean> {
  if (!mirror.isPart || (await commitOf(mirror, sha)) === undefined) return false
  await mirror.fetch([sha])
  return true
}

/** Fetches what all branches and tags lead to; only the commits where the rest is fetched when it is read. */
async function fetchAllBranches(mirror: Mirror, remote: RemoteRefs): Promise<void> {
  const refs = [...remote.refs].filter(([ref]) => ref.startsWith('refs/heads/'))
  if (refs.length === 0) return
  if (mirror.isPart) {
    const tags = [...remote.refs].filter(([ref]) => ref.startsWith('refs/tags/') && !ref.endsWith('^{}'))
    await mirror.completeHistory([...new Set([...refs, ...tags].map(([, object]) => object))])
  } else {
    await mirror.fetch(['+refs/heads/*:refs/wadi/heads/*', '+refs/tags/*:refs/wadi/tags/*'])
  }
}

function unknownRevision(revision: string): NotFoundError {
  return new NotFoundError(
    `revision ${JSON.stringify(revision)} does not exist in the repository; give a branch, tag, commit or version range`,
  )
}
