import path from 'node:path'
import { archiveDirectory } from './archive.ts'

/** Packs the chart in the form that registries take; npm has a file with the name that Helm would give it. */
export async function packChart(root: string, version: string, directory: string): Promise<string> {
  const file = path.join(directory, `wadi-chart-${version}.tgz`)
  await archiveDirectory(path.join(root, 'deploy/helm/wadi'), 'wadi', file)
  return file
}
