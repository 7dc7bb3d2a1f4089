import { createHash } from 'node:crypto'

/**
 * The name under which a mirror keeps a ref that was fetched alone. It is flat, because a mirror may still hold a
 * branch `a` that the remote has replaced with `a/b`, and git cannot keep both as they are called.
 */
export function mirrorRef(ref: string): string {
  return `refs/wadi/single/${createHash('sha256').update(ref).digest('hex').slice(0, 40)}`
}
