/** The files that Wadi writes into a hydrated directory in the layout of Argo CD; README and record in every layout. */
export const hydratedFiles = {
  manifest: 'manifest.yaml',
  readme: 'README.md',
  metadata: 'hydrator.metadata',
} as const

/** The file of CustomResourceDefinitions where a layout separates them. */
export const crdsFile = 'crds.yaml'

/** The ref of the git notes that name the dry commit of each hydrated commit. */
export const notesRef = `refs/notes/${hydratedFiles.metadata}`

/** The path of a file in a directory; `''` and `.` are the root. */
export function pathInside(directory: string, name: string): string {
  return directory === '' || directory === '.' ? name : `${directory}/${name}`
}
