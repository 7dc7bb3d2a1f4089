/** A repository with a chart that shows in its output whatever Helm was given. */
export const showingChart: Readonly<Record<string, string>> = {
  'apps/web/Chart.yaml': 'apiVersion: v2\nname: webchart\nversion: 1.0.0\n',
  'apps/web/values.yaml':
    'color: red\nlist: [a]\nflag: "no"\nfile: ""\nbase: &base {size: 1.10}\nother: {<<: *base, example.com/team: core}\n',
  'apps/web/values-prod.yaml': 'color: blue\n',
  'apps/web/values-a.yaml': 'color: a\nfrom: {a: true}\n',
  'apps/web/values-b.yaml': 'color: b\nfrom: {b: true}\n',
  'apps/web/nested/.values-hidden.yaml': 'from: {hidden: true}\n',
  'apps/web/odd, "name".yaml': 'from: {odd: true}\n',
  'shared/team.yaml': 'team: core\n',
  'shared/motd.txt': 'hello, "world"\n',
  'apps/web/crds/crd.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.c}\n',
  'apps/web/templates/NOTES.txt': 'Thank you for installing {{ .Chart.Name }}.\n',
  'apps/web/templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-config}
data:
  namespace: {{ .Release.Namespace | quote }}
  kube: {{ .Capabilities.KubeVersion.Version | quote }}
  has: {{ .Capabilities.APIVersions.Has "example.com/v1" | quote }}
  values: {{ .Values | toJson | quote }}
  files: {{ (.Files.Glob "*.yaml").AsConfig | quote }}
`,
  'apps/web/templates/hook.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: migrate, annotations: {"helm.sh/hook": pre-install}}\n',
  'apps/web/templates/tests/test.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: probe, annotations: {"helm.sh/hook": test}}\n',
}

/** A chart that needs one of the same repository, which needs another. */
export const nestedCharts: Readonly<Record<string, string>> = {
  ...showingChart,
  'apps/web/Chart.yaml':
    'apiVersion: v2\nname: webchart\nversion: 1.0.0\ndependencies:\n- {name: lib, version: 0.1.0, repository: "file://../../libs/lib"}\n',
  'libs/lib/Chart.yaml':
    'apiVersion: v2\nname: lib\nversion: 0.1.0\ndependencies:\n- {name: base, version: 0.2.0, repository: "file://../base"}\n',
  'libs/base/Chart.yaml': 'apiVersion: v2\nname: base\nversion: 0.2.0\n',
  'libs/base/templates/base.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base}\n',
}

/** A chart that needs one of the same repository beside one that is vendored. */
export const partlyVendored: Readonly<Record<string, string>> = {
  ...nestedCharts,
  'apps/web/Chart.yaml':
    'apiVersion: v2\nname: webchart\nversion: 1.0.0\ndependencies:\n- {name: lib, version: 0.1.0, repository: "file://../../libs/lib"}\n- {name: far, version: 2.0.0, repository: "https://charts.example.com"}\n',
  'apps/web/charts/far/Chart.yaml': 'apiVersion: v2\nname: far\nversion: 2.0.0\n',
  'apps/web/charts/far/templates/far.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far}\n',
}

/** The same chart where one of its dependencies would have to be downloaded. */
export const downloading: Readonly<Record<string, string>> = {
  ...nestedCharts,
  'apps/web/Chart.yaml': partlyVendored['apps/web/Chart.yaml'] ?? '',
}
