/**
 * Compares two versions of objects of one kind: negative when the first is older. Versions are decimal numbers of any length
 * without leading zeros, so the longer one is the newer one; Kubernetes' own comparison (apimachinery's `resourceversion`) is
 * the source of the rule.
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}
