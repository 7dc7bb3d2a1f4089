import path from 'node:path'
import { minimalChart } from '@wadi/charts/chart-server-fixture.ts'

/**
 * Returns the files of a chart in a directory, with a ConfigMap that says which Helm made it.
 * @param object the name of the ConfigMap
 */
export function versionChart(directory: string, object = 'helm', replicas = 1): Record<string, string> {
  const files = minimalChart(path.basename(directory), '1.0.0', {
    'values.yaml': `replicas: ${replicas}\n`,
    'templates/helm.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${object}}\ndata: {version: "{{ .Capabilities.HelmVersion.Version }}"}\n`,
  })
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => [`${directory}/${file}`, text.toString()]),
  )
}
