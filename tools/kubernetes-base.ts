import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { listAt, valueAt } from '@wadi/fields/json-fields.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { schemaFields } from '@wadi/kubernetes/definitions/schema-fields.ts'
import { type ChartOptions, deployDirectory, renderChart } from './chart.ts'

/** The kustomizations that are made from the chart, by their directory below `deploy/kubernetes/base`. */
const bases: Readonly<Record<string, ChartOptions>> = {
  services: { set: ['installHydratedBranches=false'] },
  small: { valueFiles: ['values-small.yaml'], set: ['installHydratedBranches=false'] },
}

/** Definitions that the chart has too, by their place in it. */
const definitions = {
  'crds/applications.yaml': 'applications.yaml',
  'crds/applicationsets.yaml': 'applicationsets.yaml',
  'crds/appprojects.yaml': 'appprojects.yaml',
  'files/hydratedbranches.yaml': 'hydratedbranches.yaml',
}

const command = 'node tools/write-kubernetes-base.ts'

/** The file in which services read the fields of the definition of HydratedBranch. */
const recordFields = '../libs/kubernetes/src/definitions/record-fields.json'

/** Returns the text of every file that is made from others of `deploy`, by its path from there. */
export async function madeFiles(): Promise<ReadonlyMap<string, string>> {
  const made = new Map<string, string>()
  for (const [place, name] of Object.entries(definitions)) {
    const text = await readFile(path.join(deployDirectory, 'crds', name), 'utf8')
    made.set(`helm/wadi/${place}`, `# Copied from deploy/crds/${name} by '${command}'.\n${text}`)
  }
  made.set(recordFields, `${JSON.stringify(await fieldsOfRecords(), null, 2)}\n`)
  for (const [name, options] of Object.entries(bases)) {
    const files = byTemplate(await renderChart(options))
    for (const [file, documents] of files) {
      const text = documents.join('---\n')
      made.set(
        `kubernetes/base/${name}/${file}`,
        `# Made from deploy/helm/wadi/templates/${file} by '${command}'.\n${text}`,
      )
    }
    made.set(`kubernetes/base/${name}/kustomization.yaml`, kustomization([...files.keys()].toSorted()))
  }
  return made
}

async function fieldsOfRecords(): Promise<string[]> {
  const file = path.join(deployDirectory, 'crds/hydratedbranches.yaml')
  const [definition] = readYaml(await readFile(file, 'utf8'), file).documents
  const [version] = listAt(definition?.value, 'spec', 'versions')
  return schemaFields(valueAt(version, 'schema', 'openAPIV3Schema'))
}

/** The documents of a rendered chart, by the file of the template. */
function byTemplate(rendered: string): Map<string, string[]> {
  const files = new Map<string, string[]>()
  for (const document of rendered.split(/^---\n/m)) {
    const [, file, text] = /^# Source: wadi\/templates\/(\S+)\n([^]*)$/.exec(document) ?? []
    if (file === undefined || text === undefined) continue
    files.set(file, [...(files.get(file) ?? []), `${text.trim()}\n`])
  }
  return files
}

function kustomization(files: readonly string[]): string {
  return `# Made by '${command}' from deploy/helm/wadi; change the chart, or write an overlay.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
${files.map((file) => `  - ${file}\n`).join('')}`
}
