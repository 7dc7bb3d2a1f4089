import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'

/** The settings of an operator, for a server and for local rendering alike. */
export const renderSettings = {
  WADI_KUSTOMIZE_BUILD_OPTIONS: '--enable-helm',
  WADI_MAX_MANIFEST_SIZE: '2KiB',
  ...(renderersMissing === undefined && {
    WADI_HELM: rendererFiles.helm4,
    WADI_KUSTOMIZE: rendererFiles.kustomize,
  }),
}

/** An object with nothing special. */
export const configMapText = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made}\n'
const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: mini\nversion: 0.1.0\n',
  'values.yaml': 'a: 1\n',
  'templates/a.yaml': `${configMapText}data: {helm: "{{ .Capabilities.HelmVersion.Version }}", kube: "{{ .Capabilities.KubeVersion }}", a: "{{ .Values.a }}"}\n`,
}
const below = (directory: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${directory}/${name}`, text]))

/** The files of sources that a server renders, or refuses, with these settings. */
export const sourceFiles: Readonly<Record<string, string>> = {
  ...below('chart', chart),
  ...below('charts-of-kustomize/charts/mini', chart),
  'charts-of-kustomize/kustomization.yaml':
    'helmCharts:\n- {name: mini, releaseName: mini, namespace: shop}\n',
  'plain/a.yaml': configMapText,
  'overlay/kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: x-\n',
  'overlay/a.yaml': configMapText,
  'remote-base/kustomization.yaml': 'resources: ["https://example.com/base.git"]\n',
  'remote-chart/kustomization.yaml':
    'helmCharts:\n- {name: far, repo: "https://charts.example.com", version: 1.0.0}\n',
  'remote-dependency/Chart.yaml':
    'apiVersion: v2\nname: d\nversion: 0.1.0\ndependencies:\n- {name: far, version: 1.0.0, repository: "https://charts.example.com"}\n',
  'too-large/a.yaml': `${configMapText}data: {a: ${'x'.repeat(3_000)}}\n`,
}

/** The directories of these sources. */
export const sourceDirectories = [
  ...new Set(Object.keys(sourceFiles).map((file) => file.split('/')[0] ?? '')),
]

/** Writes files into a directory. */
export async function writeFiles(directory: string, texts: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(texts)) {
    await mkdir(dirname(join(directory, file)), { recursive: true })
    await writeFile(join(directory, file), text)
  }
}
