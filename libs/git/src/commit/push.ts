import { ConflictError } from '@wadi/errors/domain-error.ts'
import { AtomicUnsupportedError, classifyGitFailure, classifyPushRejection } from '../process/git-failure.ts'
import type { PushRejection } from '../process/git-failure.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { assertCommitSha, assertRefName } from '../mirror/revision.ts'

/** One ref to move on the remote. */
export type RefUpdate = {
  /** The commit that the ref shall name. */
  source: string
  /** The full name of the ref. */
  ref: string
  /** What the ref names now, or undefined if it must not exist. */
  expected: string | undefined
}

const transferTimeoutMs = 30 * 60_000

/** Tells whether a push failed because the server cannot update several refs as one. */
export function isAtomicUnsupported(error: unknown): boolean {
  return error instanceof AtomicUnsupportedError
}

/**
 * Pushes commits as compare-and-swap: a ref moves only from `expected`, and only forward. Never forces: a lease
 * alone would let history be rewritten, so each update is first shown to be a fast-forward.
 * @throws ConflictError if another writer was faster, or `source` does not descend from `expected`;
 *   FailedPreconditionError for a protected ref, or (see `isAtomicUnsupported`) a server that cannot do `atomic`;
 *   UnavailableError, after which the push may or may not have happened
 */
export async function pushRefs(
  mirror: Mirror,
  updates: RefUpdate[],
  options: { atomic: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  if (updates.length === 0) return
  for (const update of updates) await assertFastForward(mirror, update, options.signal)
  const leases = updates.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ''}`)
  const flags = ['--porcelain', '--no-verify', '--no-follow-tags', ...(options.atomic ? ['--atomic'] : [])]
  const refspecs = updates.map(({ source, ref }) => `${source}:${ref}`)
  const { stdout, stderr, exitCode } = await mirror.contact(
    (url) => ['push', ...flags, ...leases, '--', url, ...refspecs],
    { signal: options.signal, timeoutMs: transferTimeoutMs, acceptExitCodes: [0, 1] },
  )
  if (exitCode === 0) return
  const operation = { command: 'push', url: mirror.url }
  const rejections = parseRejections(stdout.toString())
  // The others fail along with the one that an atomic push failed for.
  const cause = rejections.find(({ summary }) => !summary.includes('atomic push failed')) ?? rejections[0]
  throw cause === undefined
    ? classifyGitFailure(stderr, exitCode, operation)
    : classifyPushRejection(cause, stderr, operation)
}

async function assertFastForward(
  mirror: Mirror,
  { source, ref, expected }: RefUpdate,
  signal?: AbortSignal,
): Promise<void> {
  assertRefName(ref)
  assertCommitSha(source)
  if (expected === undefined) return
  assertCommitSha(expected)
  const known = await mirror.hasObject(expected)
  if (!known || !(await mirror.isAncestor(expected, source, signal))) {
    throw new ConflictError(
      `${source} does not descend from ${expected}, which ${ref} names: fetch and build again`,
    )
  }
}

function parseRejections(porcelain: string): PushRejection[] {
  return porcelain.split('\n').flatMap((line) => {
    const [flag, refs = '', summary = ''] = line.split('\t')
    return flag === '!' ? [{ ref: refs.slice(refs.indexOf(':') + 1), summary }] : []
  })
}
