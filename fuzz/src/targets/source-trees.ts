import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspectSource } from '@wadi/rendering/inspection/inspect-source.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import type { RenderTools } from '@wadi/rendering/plan/renderer.ts'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { type Base, type Target, textBase } from '../target.ts'

const examples = join(import.meta.dirname, '../../../examples')
const revision = '0123456789abcdef0123456789abcdef01234567'

/** Inspecting starts no renderer, so none must be installed. */
const renderers: RenderTools = {
  helm: { command: ['helm'], version: 'v4.1.4' },
  kustomize: { command: ['kustomize'], version: 'v5.7.1', standalone: true },
  plugins: noPlugins,
}

const chart = {
  'web/Chart.yaml': `apiVersion: v2
name: web
version: 1.0.0
dependencies:
- {name: lib, version: 1.x.x, repository: 'file://../lib', condition: lib.enabled, alias: base}
`,
  'web/values.yaml':
    'replicas: 1\nimage: {repository: nginx, tag: "1.25"}\nlib: {enabled: true}\nlist: [a, {b: c}]\n',
  'web/values.schema.json': `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
 "definitions": {"n": {"type": "integer", "minimum": 0}}, "properties": {"replicas": {"$ref": "#/definitions/n"}}}`,
  'web/templates/web.yaml': '{{ include "lib.name" . }}: {{ .Values.image.tag | quote }}\n',
  'web/.argocd-source.yaml': `helm:
  releaseName: web
  valueFiles: [values.yaml, ../shared/*.yaml]
  ignoreMissingValueFiles: true
  parameters: [{name: image.tag, value: "1.26", forceString: true}, {name: "list[0]", value: "$ARGOCD_APP_REVISION"}]
  fileParameters: [{name: notes, path: notes.txt}]
  valuesObject: {a: {b: [1, 2.5, null]}}
  kubeVersion: 1.31.0
  apiVersions: [monitoring.coreos.com/v1]
`,
  'web/notes.txt': 'text\n',
  'shared/all.yaml': 'replicas: 2\n',
  'lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.2.3\ntype: library\n',
  'lib/templates/_names.tpl': '{{ define "lib.name" }}name{{ end }}\n',
  'wadi.yaml': 'platform: [shared]\nactions: deny\ndeterminism: strict\n',
}

const overlay = {
  'web/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: web
namePrefix: a-
resources: [../base, service.yaml]
components: [../component]
images: [{name: nginx, newTag: "1.26"}]
replicas: [{name: web, count: 3}]
patches:
- path: patch.yaml
  target: {kind: Deployment}
- patch: '[{"op": "replace", "path": "/spec/replicas", "value": 2}]'
  target: {kind: Deployment, name: web}
configMapGenerator:
- {name: settings, files: [settings.properties, key=other.txt], envs: [settings.env], literals: [A=b]}
replacements: [{path: replacement.yaml}]
openapi: {path: schema.json}
`,
  'web/service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n',
  'web/patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n',
  'web/settings.properties': 'a=b\n',
  'web/other.txt': 'text\n',
  'web/settings.env': 'B=c\n',
  'web/replacement.yaml':
    'source: {kind: Service, name: web}\ntargets: [{select: {kind: Deployment}, fieldPaths: [a]}]\n',
  'web/schema.json': '{"definitions": {}}',
  'web/.argocd-source-web.yaml': `kustomize:
  images: ['nginx=registry.example.com/nginx:1.27']
  commonLabels: {team: shop}
  patches: [{patch: "- op: remove\\n  path: /a", target: {kind: Service}}]
  replicas: [{name: web, count: 5}]
`,
  'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
  'base/deployment.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n',
  'component/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n',
}

const directory = {
  'web/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: List\nitems: []\n',
  'web/b.jsonnet': `local lib = import 'lib/names.libsonnet';\n{apiVersion: 'v1', kind: 'ConfigMap', metadata: lib.meta, data: {x: importstr 'x.txt'}}`,
  'web/lib/names.libsonnet': `{meta: {name: 'b'}}`,
  'web/x.txt': 'x\n',
  'web/.argocd-source.yaml': `directory:
  recurse: true
  include: '{*.yaml,*.jsonnet}'
  exclude: 'x*'
  jsonnet: {libs: [web/lib], tlas: [{name: a, value: b}], extVars: [{name: c, value: '1', code: true}]}
`,
}

/** Plans of repositories: options, charts, kustomizations, packages, workloads; one file of each is broken. */
export const sourceTreeTargets: readonly Target[] = [
  treeTarget('charts', 'web', textFiles(chart)),
  treeTarget('kustomizations', 'web', textFiles(overlay)),
  treeTarget('directories', 'web', textFiles(directory)),
  treeTarget('packages', '', exampleFiles('package')),
  treeTarget('workloads', 'apps/shop/prod', exampleFiles('supply-chain')),
]

function treeTarget(name: string, path: string, files: ReadonlyMap<string, Buffer>): Target {
  const bases = [...files].map(([file, bytes]): Base => ({ name: file, bytes }))
  const source = {
    path,
    options: {},
    destinationNamespace: 'web',
    applicationName: 'web',
    instance: { name: 'web', project: 'default' },
    repoUrl: 'https://git.example.com/deploy.git',
    targetRevision: 'main',
    manifestGeneratePaths: '',
  }
  const policy = { allowRemoteBases: false, allowRemoteCharts: false, kustomizeBuildOptions: [] }
  return {
    name,
    bases,
    async read(input, base) {
      const tree = memoryTree(new Map(files).set(base.name, input))
      await inspectSource(tree, source, revision, renderers, policy)
    },
  }
}

function textFiles(files: Readonly<Record<string, string>>): ReadonlyMap<string, Buffer> {
  return new Map(Object.entries(files).map(([file, text]) => [file, textBase(file, text).bytes]))
}

/** The files of an example, by their paths in it. */
function exampleFiles(name: string): ReadonlyMap<string, Buffer> {
  const root = join(examples, name)
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(root.length + 1), readFileSync(file)]),
  )
}
