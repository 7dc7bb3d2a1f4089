import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Files of a repository by their path. */
type Files = Record<string, string>

/** The complete example, which is a repository of its own. */
export async function supplyChainExample(): Promise<Files> {
  return filesBelow(join(import.meta.dirname, '../../../examples/supply-chain'))
}

/** The example of a package alone, in a directory of a repository. */
export async function packageExample(directory: string): Promise<Files> {
  const files = await filesBelow(join(import.meta.dirname, '../../../examples/package'))
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${directory}/${path}`, text]))
}

/** A chart that needs neither package nor chain. */
export const plainChart: Files = {
  'charts/plain/Chart.yaml': 'apiVersion: v2\nname: plain\nversion: 1.0.0\n',
  'charts/plain/values.yaml': 'name: plain\n',
  'charts/plain/templates/config.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Values.name }}}\n',
}

/** A workload of the example's chain in the directory `apps/<name>/prod`. */
export function workload(name: string, type = 'web'): Files {
  return {
    [`apps/${name}/prod/workload.yaml`]: `apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: ${name}, namespace: web, labels: {app.example.com/type: ${type}}}
spec: {source: {git: {url: https://git.example.com/${name}.git, ref: {branch: main}}}}
`,
    [`apps/${name}/prod/outputs.yaml`]: `previousOutputs: {image: {image: registry.example.com/${name}:1}}\n`,
  }
}

/** A chain of operators that renders the plain chart for each of its workloads, whose type is `job`. */
export const jobChain: Files = {
  'platform/job.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: job}
spec:
  selector: {app.example.com/type: job}
  resources: [{name: deploy, templateRef: {kind: ClusterTemplate, name: job-chart}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: job-chart}
spec:
  template:
    apiVersion: wadi.dev/v1alpha1
    kind: Render
    metadata: {name: job}
    spec: {path: charts/plain, helm: {valuesObject: {name: $(workload.metadata.name)$}}}
`,
}

async function filesBelow(directory: string): Promise<Files> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [relative(directory, file), await readFile(file, 'utf8')])),
  )
}
