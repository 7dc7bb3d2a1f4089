import { startWorkingCopy } from './working-copy-fixture.ts'

/** The URL by which Applications name the repository of a test. */
export const importRepository = 'https://git.example.com/shop/deploy.git'

/** The dry directories of a repository: a chart, a kustomization and plain manifests. */
const directories = {
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'charts/web/values.yaml': 'replicas: 1\n',
  'charts/web/templates/web.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-web
  namespace: {{ .Release.Namespace }}
data:
  replicas: {{ .Values.replicas | quote }}
`,
  'plain/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: plain\n',
  'kustomized/kustomization.yaml': 'namePrefix: my-\nresources:\n- config.yaml\n',
  'kustomized/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: config\n',
}

/** Returns an Application whose spec has these lines, besides a destination. */
export function importedApplication(name: string, spec: string, metadata = ''): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
${metadata}spec:
${spec}  destination:
    server: https://kubernetes.default.svc
    namespace: shop
`
}

/** Returns the lines of the spec of an Application for a directory of the repository. */
export function sourceLines(path: string, more = ''): string {
  return `  source:\n    repoURL: ${importRepository}\n    targetRevision: HEAD\n    path: ${path}\n${more}`
}

/** Makes a clone with dry directories and files with Applications. */
export async function startImport(files: Readonly<Record<string, string | Uint8Array>>) {
  const copy = await startWorkingCopy({ ...directories, ...files })
  await copy.git.addRemote('origin', importRepository)
  return copy
}
