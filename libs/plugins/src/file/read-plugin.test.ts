import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { reworded } from '@wadi/errors/reword.ts'
import { announcementOf } from '../announcements/announcement-of.ts'
import { readPlugin } from './read-plugin.ts'

/** Reads a plugin whose file is called plugin.yaml in errors and warnings. */
async function read(text: string) {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-plugin-'))
  const file = path.join(directory.path, 'plugin.yaml')
  await writeFile(file, text)
  try {
    const plugin = await readPlugin(file)
    return { ...plugin, warnings: plugin.warnings.map((warning) => warning.replace(file, 'plugin.yaml')) }
  } catch (error) {
    throw reworded(error, (part) => part.replaceAll(file, 'plugin.yaml'))
  }
}

const smallest = `
kind: ConfigManagementPlugin
metadata: {name: tool}
spec:
  generate: {command: [cat, a.yaml]}
`

test('the smallest plugin has a name and generates', async () => {
  assert.deepEqual(await read(smallest), {
    name: 'tool',
    version: '',
    init: undefined,
    generate: ['cat', 'a.yaml'],
    discovery: undefined,
    announcements: [],
    announce: undefined,
    ui: [],
    validation: 'compat',
    unprefixedNames: 'named',
    variableNames: [],
    sendDefaults: false,
    variables: new Map(),
    preserveFileMode: false,
    provideGitCredentials: false,
    warnings: [],
  })
})

test('a whole plugin is read as Argo CD reads it, and what Argo CD ignores is reported', async () => {
  const plugin = await read(`
apiVersion: argoproj.io/v1alpha1
kind: ConfigManagementPlugin
metadata:
  name: tool
  labels: {a: b}
spec:
  version: v1.0
  lockRepo: true
  allowConcurrency: true
  init: {command: [sh], args: [-c, prepare]}
  generate: {command: [sh, -c], args: [generate]}
  discovery: {fileName: x}
  discover:
    find: {glob: "**/x", command: [find]}
  parameters:
    static: [{name: a, required: true, array: [x]}]
    dynamic: {command: [announce]}
    validation: strict
    env: {unprefixed: announced, names: [REGION, _1ST]}
    sendDefaults: true
  variables: [ARGOCD_APP_NAME, KUBE_VERSION=1.34]
  preserveFileMode: true
  provideGitCreds: true
`)
  assert.deepEqual(plugin, {
    name: 'tool-v1.0',
    version: 'v1.0',
    init: ['sh', '-c', 'prepare'],
    generate: ['sh', '-c', 'generate'],
    discovery: { by: 'glob', pattern: '**/x' },
    announcements: [announcementOf({ name: 'a', required: true, default: { kind: 'array', items: ['x'] } })],
    announce: ['announce'],
    ui: [],
    validation: 'strict',
    unprefixedNames: 'announced',
    variableNames: ['REGION', '_1ST'],
    sendDefaults: true,
    variables: new Map([
      ['ARGOCD_APP_NAME', ''],
      ['KUBE_VERSION', '1.34'],
    ]),
    preserveFileMode: true,
    provideGitCredentials: true,
    warnings: [
      'plugin.yaml:13: unknown field spec.discovery; did you mean discover?',
      'plugin.yaml:9: spec.lockRepo: does nothing: every run has its own copy of the files; remove it',
      'plugin.yaml:10: spec.allowConcurrency: does nothing: every run has its own copy of the files; remove it',
      'plugin.yaml:15: spec.discover: has 2 rules, of which only glob applies; keep one',
    ],
  })
})

for (const [shape, parameters] of [
  ['a list beside dynamicParameters', '  parameters: [{name: a}]\n  dynamicParameters: {command: [list.sh]}'],
  ['static and dynamic', '  parameters: {static: [{name: a}], dynamic: {command: [list.sh]}}'],
  ['an announcement and a command', '  parameters: {announcement: [{name: a}], command: [list.sh]}'],
  ['a command with arguments', '  parameters: {announcement: [{name: a}], command: [list.sh], args: []}'],
] as const) {
  test(`parameters are read in the shape of ${shape}`, async () => {
    const plugin = await read(`${smallest}${parameters}\n`)
    assert.deepEqual(plugin.announcements, [announcementOf({ name: 'a' })])
    assert.deepEqual(plugin.announce, ['list.sh'])
    assert.deepEqual(plugin.warnings, [])
  })
}

test('a separate description of user interfaces goes to the announced parameters', async () => {
  const plugin = await read(`${smallest}
  parameters:
    ui:
    - name: values-files
      title: VALUES FILES
      tooltip: Path of a Helm values file to apply to the chart.
    - {group: helm-parameters, title: Parameters, userCanAddMore: true}
    static:
    - name: values-files
    dynamic:
      command: ["example-params.sh"]
`)
  assert.deepEqual(plugin.announcements, [
    announcementOf({
      name: 'values-files',
      title: 'VALUES FILES',
      tooltip: 'Path of a Helm values file to apply to the chart.',
    }),
  ])
  assert.deepEqual(plugin.ui[1], {
    name: '',
    group: 'helm-parameters',
    title: 'Parameters',
    tooltip: undefined,
    userCanAddMore: true,
  })
})

test('what Argo CD would refuse to start with is taken with a warning', async () => {
  const plugin = await read(`${smallest}  version: 1.0
  discover: {filename: 1e3}
  parameters:
    static:
    - {name: a, string: 5}
    - {name: b, titel: B}
`)
  assert.equal(plugin.name, 'tool-1.0')
  assert.deepEqual(plugin.discovery, { by: 'fileName', pattern: '1e3' })
  assert.deepEqual(plugin.announcements[0]?.default, { kind: 'string', text: '5' })
  assert.deepEqual(plugin.warnings, [
    'plugin.yaml:10: spec.parameters.static[0].string: is a number where Argo CD accepts only a string; quote it: "5"',
    'plugin.yaml:11: unknown field spec.parameters.static[1].titel; did you mean title?',
    'plugin.yaml:6: spec.version: is a number where Argo CD accepts only a string; quote it: "1.0"',
    'plugin.yaml:7: spec.discover.filename: is read as "fileName"; write it so',
    'plugin.yaml:7: spec.discover.fileName: is a number where Argo CD accepts only a string; quote it: "1e3"',
  ])
})

test('fileName goes before find, and a glob before a command', async () => {
  const both = await read(`${smallest}  discover: {fileName: a, find: {glob: b}}\n`)
  assert.deepEqual(both.discovery, { by: 'fileName', pattern: 'a' })
  const command = await read(`${smallest}  discover: {find: {command: [a], args: [b]}}\n`)
  assert.deepEqual(command.discovery, { by: 'command', argv: ['a', 'b'] })
})

const start = 'invalid plugin configuration file. '
for (const [what, text, message] of [
  [
    'another kind',
    smallest.replace('ConfigManagementPlugin', 'Secret'),
    `plugin.yaml:2: kind: ${start}kind should be ConfigManagementPlugin, found Secret`,
  ],
  [
    'no name',
    smallest.replace('name: tool', 'labels: {}'),
    `plugin.yaml:3: metadata.name: ${start}metadata.name should be non-empty`,
  ],
  [
    'a name that is a path',
    smallest.replace('tool', '../tool'),
    'plugin.yaml:3: metadata.name: "../tool" is not a name',
  ],
  [
    'nothing to generate',
    smallest.replace('[cat, a.yaml]', '[]'),
    `plugin.yaml:5: spec.generate: ${start}spec.generate command should be non-empty`,
  ],
  [
    'no spec',
    'kind: ConfigManagementPlugin\nmetadata: {name: a}\n',
    `${start}spec.generate command should be`,
  ],
  [
    'a version that is a path',
    `${smallest}  version: a/b\n`,
    'plugin.yaml:6: spec.version: "a/b" is not a version',
  ],
  [
    'a parameter without a name',
    `${smallest}  parameters:\n  - {name: a}\n  - {title: b}\n`,
    'plugin.yaml:8: spec.parameters[1]: a parameter needs a name',
  ],
  [
    'two announcements of one name',
    `${smallest}  parameters:\n    static:\n    - {name: a}\n    - {name: b}\n    - {name: a, group: g}\n`,
    'plugin.yaml:10: parameter "a" is announced already at plugin.yaml:8; keep one, or give each a group of its own',
  ],
  [
    'two lists of parameters',
    `${smallest}  parameters: {static: [], announcement: []}\n`,
    'plugin.yaml:6: spec.parameters: has static and announcement, which say the same',
  ],
  [
    'two commands that announce',
    `${smallest}  dynamicParameters: {command: [a]}\n  parameters: {command: [b]}\n`,
    'spec.dynamicParameters and spec.parameters both name the command that announces; keep one',
  ],
  [
    'an unknown choice',
    `${smallest}  parameters: {env: {unprefixed: all}}\n`,
    'spec.parameters.env.unprefixed: "all" is none of named, guarded, announced, off',
  ],
  [
    'a name that no variable of a parameter has',
    `${smallest}  parameters: {env: {names: [REGION, region]}}\n`,
    'spec.parameters.env.names[1]: "region" is not a name for a parameter\'s variable; use upper-case letters',
  ],
  [
    'a name that steers programs',
    `${smallest}  parameters: {env: {names: [TAR_OPTIONS]}}\n`,
    'spec.parameters.env.names[0]: TAR_OPTIONS decides how programs work, so no parameter may set it; read PARAM_TAR_OPTIONS',
  ],
  [
    'a variable that it cannot be given',
    `${smallest}  variables: [ARGOCD_APP_NAME, HOME]\n`,
    'plugin.yaml:6: spec.variables[1]: "HOME" is not a variable that a plugin can receive',
  ],
  [
    'a description of nothing',
    `${smallest}  parameters: {ui: [{title: a}]}\n`,
    'spec.parameters.ui[0]: needs either the name of a parameter or a group',
  ],
  [
    'a command that is a text',
    smallest.replace('[cat, a.yaml]', 'cat a.yaml'),
    'spec.generate.command must be a list',
  ],
  ['a NUL', smallest.replace('a.yaml', '"a\\0"'), 'spec.generate.command[1]: holds a NUL character'],
  ['a list as its root', '- a\n', 'plugin.yaml:1: must be an object, not a list'],
  ['two documents', `${smallest}---\n${smallest}`, 'a second document'],
  ['no document', '# nothing\n', 'plugin.yaml: the file holds no plugin'],
  ['more than a mebibyte', `# ${'x'.repeat(1024 * 1024)}\n${smallest}`, 'larger than 1048576 bytes'],
] as const) {
  test(`a plugin with ${what} is refused with its place`, async () => {
    await assert.rejects(
      read(text),
      (error) => error instanceof InvalidInputError && error.message.includes(message),
    )
  })
}

test('a file that does not exist is refused with its name', async () => {
  await assert.rejects(
    readPlugin('/nowhere/plugin.yaml'),
    /cannot read the plugin \/nowhere\/plugin\.yaml: there is no such file$/,
  )
})
