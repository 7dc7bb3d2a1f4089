/**
 * Returns the form in which Argo CD compares repository URLs: trimmed, in lower case, without one `.git` at the end
 * and without `ssh://`, with `host:path` of ssh written as `host/path`.
 */
export function comparableRepositoryURL(repoURL: string): string {
  const trimmed = repoURL.trim().toLowerCase()
  const withPath = trimmed.includes('://') ? trimmed : trimmed.replace(/^([^/:]+@[^/:]+):/, '$1/')
  return withPath.replace(/\.git$/, '').replace(/^ssh:\/\//, '')
}
