import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readPlugin } from './plugin.ts'

async function read(text: string) {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'wadi-plugin-'))
  const file = path.join(folder.path, 'plugin.yaml')
  await writeFile(file, text)
  try {
    return await readPlugin(file)
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(file, 'plugin.yaml')
    throw error
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
    init: undefined,
    generate: ['cat', 'a.yaml'],
    discovery: undefined,
    announcements: [],
    announce: undefined,
    preserveFileMode: false,
    provideGitCredentials: false,
    unknownFields: [],
  })
})

test('a whole plugin is read as Argo CD reads it', async () => {
  const plugin = await read(`
apiVersion: argoproj.io/v1alpha1
kind: ConfigManagementPlugin
metadata:
  name: tool
  labels: {a: b}
spec:
  version: v1.0
  lockRepo: true
  init: {command: [sh], args: [-c, prepare]}
  generate: {command: [sh, -c], args: [generate]}
  discover:
    find: {glob: "**/x", command: [find]}
  parameters:
    static: [{name: a, required: true, array: [x]}]
    dynamic: {command: [announce]}
  preserveFileMode: true
  provideGitCreds: true
`)
  assert.equal(plugin.name, 'tool-v1.0')
  assert.deepEqual(plugin.init, ['sh', '-c', 'prepare'])
  assert.deepEqual(plugin.generate, ['sh', '-c', 'generate'])
  assert.deepEqual(plugin.discovery, { by: 'glob', pattern: '**/x' })
  assert.deepEqual(plugin.announce, ['announce'])
  assert.deepEqual(
    plugin.announcements.map(({ name, required, array }) => ({ name, required, array })),
    [{ name: 'a', required: true, array: ['x'] }],
  )
  assert.equal(plugin.preserveFileMode && plugin.provideGitCredentials, true)
  assert.deepEqual(
    plugin.unknownFields.map((field) => path.basename(field)),
    ['plugin.yaml:9: spec.lockRepo'],
  )
})

test('fileName goes before find, and a glob before a command', async () => {
  const both = await read(`${smallest}  discover: {fileName: a, find: {glob: b}}\n`)
  assert.deepEqual(both.discovery, { by: 'fileName', pattern: 'a' })
  const command = await read(`${smallest}  discover: {find: {command: [a], args: [b]}}\n`)
  assert.deepEqual(command.discovery, { by: 'command', argv: ['a', 'b'] })
})

for (const [fault, text, message] of [
  ['another kind', smallest.replace('ConfigManagementPlugin', 'Secret'), /plugin\.yaml:2: kind: /],
  ['no name', smallest.replace('name: tool', 'name: ""'), /plugin\.yaml:3: metadata\.name: a name/],
  ['a name that is a path', smallest.replace('tool', '../tool'), /metadata\.name: a name of letters/],
  [
    'nothing to generate',
    smallest.replace('[cat, a.yaml]', '[]'),
    /:5: spec\.generate\.command: the command that generates/,
  ],
  ['a number as version', `${smallest}  version: 1.0\n`, /plugin\.yaml:6: spec\.version: .*expected string/],
  ['a list of parameters', `${smallest}  parameters: []\n`, /spec\.parameters: .*expected object/],
  ['two documents', `${smallest}---\n${smallest}`, /a second document/],
  ['no document', '# nothing\n', /holds no plugin/],
] as const) {
  test(`a plugin with ${fault} is refused with its place`, async () => {
    await assert.rejects(
      read(text),
      (error) => error instanceof InvalidInputError && message.test(error.message),
    )
  })
}
