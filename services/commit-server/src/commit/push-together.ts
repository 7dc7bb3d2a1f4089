import { ConflictError } from '@wadi/errors/domain-error.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { isAtomicUnsupported, pushRefs, type RefUpdate } from '@wadi/git/commit/push.ts'

/**
 * Pushes all refs at once; a server without atomic pushes gets the branches first, then the note. Returns whether the note
 * was left behind because others moved the notes meanwhile.
 * @throws as `pushRefs`
 */
export async function pushTogether(
  mirror: Mirror,
  branches: RefUpdate[],
  note: RefUpdate,
  signal: AbortSignal,
): Promise<'all' | 'branches'> {
  try {
    await pushRefs(mirror, [...branches, note], { atomic: true, signal })
    return 'all'
  } catch (error) {
    if (!isAtomicUnsupported(error)) throw error
  }
  if (branches.length > 0) await pushRefs(mirror, branches, { atomic: false, signal })
  try {
    await pushRefs(mirror, [note], { atomic: false, signal })
    return 'all'
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    return 'branches'
  }
}
