import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packageText } from './package-fixture.ts'
import {
  action,
  beta,
  chart,
  defaults,
  definition,
  linesOf,
  template,
  testRejections,
} from './rejection-fixture.ts'

const missingValue = (path: string, message: string) =>
  `p/m.yaml:1:7: component "c" manifest "m": references undefined value .Values.${path}: define it, even if empty, in p/v.yaml: error applying Go templates to manifest: template: m-0.yaml:1:13: executing "m-0.yaml" at <.Values.${path}>: ${message}`

const notDefined = (name: string) =>
  `p/m.yaml:1:7: error applying Go templates to manifest: template: m-0.yaml:1: function "${name}" not defined`

testRejections([
  [
    'a setting without its dot',
    action('{cmd: x, setValues: [{key: q}]}'),
    'p/zarf.yaml:7:57: setValues key "q" must begin with a dot: write .q',
  ],
  [
    'a setting with both names',
    action('{cmd: x, setValues: [{key: .q, path: q}]}'),
    'p/zarf.yaml:7:56: setValues needs exactly one of key, with a dot in front, and path',
  ],
  [
    'a setting of another type',
    action('{cmd: x, setValues: [{key: .q, type: file}]}'),
    'p/zarf.yaml:7:66: .components.[0].actions.onDeploy.before.[0].setValues.[0].type | must be one of the following: "string", "json", "yaml"',
  ],
  [
    'the names of an older draft in templates',
    template('x: {{ .Build.Version }}\n'),
    'p/m.yaml:1:13: error applying Go templates to manifest: template: m-0.yaml:1:12: executing "m-0.yaml" at <.Build.Version>: map has no entry for key "Build"; what the package says of itself is in .Pkg, such as .Pkg.Metadata.Version',
  ],
  [
    'a misspelt object in templates',
    template('x: {{ .Value.a }}\n'),
    'p/m.yaml:1:13: error applying Go templates to manifest: template: m-0.yaml:1:12: executing "m-0.yaml" at <.Value.a>: map has no entry for key "Value"; did you mean .Values?',
  ],
  ['a function of Helm: include', template('x: {{ include "a" . }}\n'), notDefined('include')],
  ['a function of Helm: tpl', template('x: {{ tpl "a" . }}\n'), notDefined('tpl')],
  ['a function of Helm: required', template('x: {{ required "a" .Values.a }}\n'), notDefined('required')],
  ['a function of Helm: lookup', template('x: {{ lookup "v1" "x" "y" "z" }}\n'), notDefined('lookup')],
  [
    'a value that is not there, though it has a default',
    template('x: {{ .Values.gone | default 1 }}\n'),
    missingValue('gone', 'map has no entry for key "gone"'),
  ],
  [
    'a value with hyphens that is not there',
    template('x: {{ .Values.my-app.size }}\n'),
    'p/m.yaml:1:14: component "c" manifest "m": references undefined value .Values.my-app.size: define it, even if empty, in p/v.yaml: error applying Go templates to manifest: ',
  ],
  [
    'a value below null',
    template('x: {{ .Values.a.none.b }}\n'),
    missingValue('a.none.b', 'nil pointer evaluating interface {}.b'),
  ],
  [
    'dig in all values',
    template('x: {{ dig "a" "b" 1 .Values }}\n'),
    'p/m.yaml:1:7: error applying Go templates to manifest: template: m-0.yaml:1:6: executing "m-0.yaml" at <dig "a" "b" 1 .Values>: error calling dig: interface conversion: interface {} is value.Values, not map[string]interface {}',
  ],
  [
    'a template that calls itself',
    template('{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}\n'),
    'p/m.yaml:1:29: error applying Go templates to manifest: ',
  ],
  [
    'a loop of a hundred million',
    template('x: {{ range until 100000000 }}{{ . }}{{ end }}\n'),
    'p/m.yaml:1:13: error applying Go templates to manifest: ',
  ],
  [
    'a secret of the cluster',
    template('x: {{ .State.Registry.PushPassword }}\n'),
    'p/m.yaml:1:7: .State.Registry.PushPassword is a secret of the cluster, which cannot be rendered into git: use a controller or webhook',
  ],
  [
    'a value that no action and no file sets, in a condition of an action',
    action('{wait: {cluster: {kind: "{{ .Values.q }}", name: b}}, template: true}'),
    'p/zarf.yaml:7:35: component "c" action "wait": references undefined value .Values.q: define it, even if empty, in p/v.yaml',
  ],
  [
    'an action that is a command and a condition',
    action('{cmd: x, wait: {cluster: {kind: a, name: b}}}'),
    'p/zarf.yaml:7:35: "c": invalid action: an action cannot be both a command and wait action',
  ],
  [
    'a condition on cluster and network',
    action('{wait: {cluster: {kind: a, name: b}, network: {protocol: tcp, address: x}}}'),
    'p/zarf.yaml:7:35: "c": invalid action: a single wait action must contain only one of cluster or network',
  ],
  [
    'variables of a removal',
    action('{cmd: x, setVariables: [{name: A}]}', 'onRemove'),
    'p/zarf.yaml:7:35: "c": cannot contain setVariables outside of onDeploy in actions',
  ],
  [
    'an action that is not a template of Go',
    action('{cmd: "echo {{", template: true}'),
    'p/zarf.yaml:7:35: component "c" action "echo {{": invalid go-template: ',
  ],
  [
    'variables in v1beta1',
    beta('    images: []\n', 'variables: [{name: A}]\n'),
    'p/zarf.yaml:4:1: (root) | Additional property variables is not allowed',
  ],
  [
    'a chart of v1beta1 with two sources',
    beta(
      '    charts: [{name: ch, namespace: n, local: {path: chart}, git: {url: "https://x", ref: {tag: v1}}}]\n',
    ),
    'p/zarf.yaml:6:14: chart "ch" needs exactly one of local, git, oci, helmRepository, and has local and git',
  ],
  [
    'a path of v1beta1 that is none, which Zarf lets pass',
    beta(
      '    charts: [{name: ch, namespace: n, local: {path: chart}, values: [{sourcePath: a, targetPath: .}]}]\n',
    ),
    'p/zarf.yaml:6:71: .components.[0].charts.[0].values.[0].sourcePath | Does not match pattern ',
  ],
  [
    'an exclusion of v1beta1 beside its source, which Zarf lets pass',
    beta(
      '    charts: [{name: ch, namespace: n, local: {path: chart}, values: [{sourcePath: .a, targetPath: ., excludePaths: [.b]}]}]\n',
      defaults,
    ),
    'p/zarf.yaml:7:70: invalid chart definition: chart "ch" excludePath ".b" must be a descendant of sourcePath ".a"',
  ],
  [
    'what sets up a cluster',
    definition('kind: ZarfInitConfig\nmetadata: {name: p}\ncomponents: []\n'),
    'p/zarf.yaml: a ZarfInitConfig sets up a cluster for zarf and cannot be hydrated: use a ZarfPackageConfig',
  ],
  [
    'a chart that lies on a network',
    chart(', namespace: n, url: "https://x", version: 1.0.0'),
    'p/zarf.yaml:6:14: chart "ch" is at https://x, which is not in git: add the chart to the repository and name it with localPath',
  ],
  [
    'a chart that is nowhere',
    chart(', namespace: n'),
    'p/zarf.yaml:6:14: invalid chart definition: chart "ch" must have either a url or localPath',
  ],
  [
    'a chart whose name is a path',
    definition(packageText('    charts: [{name: a/b, namespace: n, localPath: chart}]\n')),
    String.raw`p/zarf.yaml:6:15: .components.[0].charts.[0].name | Does not match pattern '^[^/\\]*$': a/b`,
  ],
  [
    'a number of seconds that is none',
    action('{cmd: x, maxTotalSeconds: 1.5}'),
    'p/zarf.yaml:7:44: .components.[0].actions.onDeploy.before.[0].maxTotalSeconds | Invalid type. Expected: integer, given: number',
  ],
  [
    'a chart without namespace',
    chart(', localPath: chart'),
    'p/zarf.yaml:6:14: invalid chart definition: chart "ch" must include a namespace',
  ],
  [
    'a chart that is here and there',
    chart(', namespace: n, localPath: chart, url: "https://x", version: 1.0.0'),
    'p/zarf.yaml:6:14: invalid chart definition: chart "ch" must have either a url or localPath',
  ],
  [
    'an unknown field of a component',
    definition(packageText('    chart: []\n')),
    'p/zarf.yaml:6:5: .components.[0] | Additional property chart is not allowed',
  ],
  ['an empty definition', definition(''), 'p/zarf.yaml: kind must be ZarfPackageConfig, and is missing'],
  [
    'a definition that is a list',
    definition('- a\n'),
    'p/zarf.yaml:1:1: the document must be an object, not a list',
  ],
  [
    'a definition with a key twice',
    definition(`${packageText('')}    required: false\n`),
    'p/zarf.yaml:6:5: duplicate key "required", which is already at 5:5',
  ],
  [
    'a definition with tabs',
    definition('kind: ZarfPackageConfig\n\tmetadata: {}\n'),
    'p/zarf.yaml:2:1: tab characters must not be used in indentation',
  ],
  [
    'a component with the name of a property that all objects have',
    definition(packageText('').replace('name: c', 'name: __proto__')),
    "p/zarf.yaml:4:5: .components.[0].name | Does not match pattern '^[a-z0-9][a-z0-9\\-]*$': __proto__",
  ],
  [
    'a package that imports itself',
    definition(packageText('    import: {path: .}\n')),
    'p/zarf.yaml:6:14: p/zarf.yaml is imported in a cycle: p/zarf.yaml -> p/zarf.yaml',
  ],
  [
    'an import of what is above the repository',
    definition(packageText('    import: {path: ../..}\n')),
    'p/zarf.yaml:6:14: ../.. leads out of the repository',
  ],
  [
    'an import by an absolute path',
    definition(packageText('    import: {path: /etc}\n')),
    'p/zarf.yaml:6:14: /etc is an absolute path: name files from the directory of the package',
  ],
  [
    'an import over a network',
    definition(packageText('    import: {url: "oci://x"}\n')),
    'p/zarf.yaml:6:14: component c imports oci://x, which is not in git: add the package to the repository and import it by its path',
  ],
])

test('byte order marks, line ends of Windows, later documents and other extensions are no error', async () => {
  const text = packageText('', 'values: {files: [v.YML]}\n')
  const sound = { 'p/zarf.yaml': `\uFEFF${text}---\nkind: Other\n`, 'p/v.YML': '\uFEFFa: 1\n---\n- x\n' }
  const changed = Object.entries(sound).map(([path, content]) => [path, content.replaceAll('\n', '\r\n')])
  assert.deepEqual(await linesOf(sound), [])
  assert.deepEqual(await linesOf(Object.fromEntries(changed)), [])
  assert.deepEqual(await linesOf(definition(packageText('').replace('name: c', 'name: constructor'))), [])
})
