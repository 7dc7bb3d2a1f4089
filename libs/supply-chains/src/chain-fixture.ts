import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { goJsonValue } from './stamp/go-json.ts'
import { readCartographerObjects } from './read/read-objects.ts'
import { readRecordedOutputs } from './stamp/recorded-outputs.ts'
import { stampOwner } from './stamp/stamp-owner.ts'
import type { Stamped } from './stamp/stamping.ts'
import type { YttRunner } from './stamp/stamp-template.ts'

/** Files of a repository with one workload or deliverable; `outputs.yaml` is read as recorded outputs. */
type ChainFiles = Record<string, string>

/** Reads the files and stamps their owner. */
export async function stampFiles(files: ChainFiles, runYtt?: YttRunner): Promise<Stamped> {
  const entries = Object.entries(files)
  const documents = entries
    .filter(([file]) => !file.endsWith('outputs.yaml'))
    .flatMap(([file, text]) => readLocatedDocuments(text, file))
  const { owners, blueprints, templates } = readCartographerObjects(documents)
  const [owner] = owners
  if (owner === undefined) throw new Error('the files have no owner')
  const recorded = entries
    .filter(([file]) => file.endsWith('outputs.yaml'))
    .flatMap(([file, text]) => readLocatedDocuments(text, file).map(readRecordedOutputs))[0]
  return stampOwner({
    owner,
    blueprints,
    templates,
    ...(recorded === undefined ? {} : { recordedOutputs: recorded }),
    ...(runYtt === undefined ? {} : { runYtt }),
  })
}

/** The operators' objects of the example: a chain of an image that a cluster builds and a package. */
export const platform = `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {app.example.com/type: web}
  params:
    - {name: replicas, default: 2}
    - {name: registry, value: registry.corp}
  resources:
    - name: image
      templateRef: {kind: ClusterImageTemplate, name: kpack-image}
    - name: deploy
      templateRef: {kind: ClusterTemplate, name: web-package}
      params: [{name: logLevel, default: info}]
      images: [{name: image, resource: image}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterImageTemplate
metadata: {name: kpack-image, annotations: {wadi.dev/emit: "false"}}
spec:
  imagePath: .status.latestImage
  template:
    apiVersion: kpack.io/v1alpha2
    kind: Image
    metadata: {name: $(workload.metadata.name)$}
    spec: {tag: $(params.registry)$/$(workload.metadata.name)$}
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: web-package}
spec:
  params: [{name: replicas, default: 1}, {name: logLevel, default: warn}]
  template:
    apiVersion: wadi.dev/v1alpha1
    kind: Render
    metadata: {name: $(workload.metadata.name)$}
    spec:
      path: packages/web
      package:
        values:
          app: {name: $(workload.metadata.name)$, replicas: $(params.replicas)$, image: $(images.image.image)$, logLevel: $(params.logLevel)$}
`

/** The developers' object of the example. */
export const workload = `apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: shop, namespace: web, labels: {app.example.com/type: web}}
spec:
  params: [{name: replicas, value: 5}, {name: registry, value: evil.example}]
`

/** The whole example. */
export const example: ChainFiles = {
  'platform/web.yaml': platform,
  'apps/shop/prod/workload.yaml': workload,
  'apps/shop/prod/outputs.yaml': 'previousOutputs: {image: {image: registry.corp/shop@sha256:4f1d}}\n',
}

/** Returns the objects as JSON. */
export const objectsOf = (stamped: Stamped) =>
  stamped.objects.map(({ located }) => goJsonValue(located.value))

/** Returns the lines of the error that stamping ends with. */
export async function rejection(files: ChainFiles): Promise<string[]> {
  try {
    await stampFiles(files)
  } catch (error) {
    if (error instanceof Error) return error.message.split('\n')
  }
  return []
}

/** A chain of resources with their templates, for a workload in the namespace ns. */
export function chainOf(resources: string, templates: string, labels = '{t: web}'): ChainFiles {
  return {
    'platform/chain.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: sc}
spec:
  selector: {t: web}
  resources:
${resources}`,
    'platform/templates.yaml': templates,
    'apps/a/workload.yaml': `{apiVersion: carto.run/v1alpha1, kind: Workload, metadata: {name: w, namespace: ns, labels: ${labels}}}\n`,
  }
}

/** A document with a template. */
export const template = (kind: string, name: string, spec: string) =>
  `---\napiVersion: carto.run/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n${spec}`

/** A template whose outputs are in the stamped object. */
export const sourceTemplate = template(
  'ClusterSourceTemplate',
  'source',
  `  urlPath: .spec.url
  revisionPath: .metadata.name
  template: {apiVersion: v1, kind: Source, metadata: {name: src}, spec: {url: https://x}}
`,
)
