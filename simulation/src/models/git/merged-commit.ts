import type { CommittedFile, GitObjects } from './git-objects.ts'

/**
 * Returns the commit that merges one commit into another: what the merged one changed since their last common commit is as there, all else as
 * in the base.
 */
export function mergedCommit(objects: GitObjects, base: string, merged: string, message: string): string {
  const known = objects.history(base)
  const shared = [...objects.history(merged)].find((sha) => known.has(sha))
  const files = new Map<string, CommittedFile>(objects.commit(base).files)
  const theirs = objects.commit(merged).files
  for (const path of objects.differingPaths(shared, merged)) {
    const file = theirs.get(path)
    if (file) files.set(path, file)
    else files.delete(path)
  }
  const person = 'Forge <forge@example.com> 1767225600 +0000'
  return objects.putCommit({
    parents: [base, merged],
    files,
    author: person,
    committer: person,
    message: `${message}\n`,
  })
}
