import { createHash } from 'node:crypto'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'

/**
 * The identity of a hydrated branch: the queue's key and the name of its `HydratedBranch` object. Spellings of one
 * repository URL (case, `.git`, scp form) give the same key; the text is a DNS label.
 */
export function branchKey(repoUrl: string, branch: string): string {
  const identity = `${normalizeRepositoryUrl(repoUrl)}\n${branch}`
  return `branch-${createHash('sha256').update(identity).digest('hex').slice(0, 40)}`
}
