/** Returns the version that clients use for a list: the highest of its objects. */
export function newestVersion(
  objects: readonly { readonly metadata?: { readonly resourceVersion: string } | undefined }[],
): string {
  const versions = objects.map(({ metadata }) => Number(metadata?.resourceVersion ?? 0))
  return String(versions.reduce((newest, version) => Math.max(newest, version), 0))
}
