import { ConflictError, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { pushRefs } from '@wadi/git/commit/push.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { mirrorRef } from '@wadi/git/mirror/mirror-ref.ts'

/** A branch that is moved to the head of another one. */
interface FastForward {
  readonly base: string
  readonly head: string
  /** The head that the other one must have. */
  readonly headSha: string
}

/**
 * Moves a branch forward to the head of another one, so that it has the same commits with their signatures.
 * @throws ConflictError if a branch moved or is gone, FailedPreconditionError if it has commits that the other one lacks, or is protected
 */
export async function fastForward(
  mirror: Mirror,
  { base, head, headSha }: FastForward,
  signal: AbortSignal,
): Promise<void> {
  const [ref, headRef] = [`refs/heads/${base}`, `refs/heads/${head}`]
  const { refs } = await mirror.listRemote(signal)
  const from = refs.get(ref)
  if (from === undefined || refs.get(headRef) !== headSha)
    throw new ConflictError(
      `branch ${from === undefined ? base : head} moved or is gone; it is looked at again`,
    )
  const missing: string[] = []
  for (const [name, sha] of [
    [ref, from],
    [headRef, headSha],
  ] as const) {
    if (!(await mirror.hasObject(sha))) missing.push(`+${name}:${mirrorRef(name)}`)
  }
  if (missing.length > 0) await mirror.fetch(missing, signal)
  if (!(await mirror.isAncestor(from, headSha, signal)))
    throw new FailedPreconditionError(
      `branch ${base} has commits that ${head} lacks, so it cannot be moved forward; delete ${head}, and Wadi starts it again at ${base}`,
    )
  await pushRefs(mirror, [{ source: headSha, ref, expected: from }], { atomic: false, signal })
}
