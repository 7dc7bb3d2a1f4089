/** The files that Wadi writes into a hydrated directory. */
export const hydratedFiles = {
  manifest: 'manifest.yaml',
  readme: 'README.md',
  metadata: 'hydrator.metadata',
} as const

/** The path of a file in a directory; `''` is the root. */
export function pathInside(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}
