import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { RenderFixture, testTools } from '../run/render-fixture.ts'
import {
  readGateSettings,
  type RepositorySettings,
  readRenderSettings,
  readRepositorySettings,
} from './repository-settings.ts'
import { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

async function read<Result>(
  text: string | undefined,
  reader: (trace: TracingTree) => Promise<Result>,
): Promise<Result> {
  const settings: Record<string, string> = text === undefined ? {} : { 'wadi.yaml': text }
  await using fixture = new RenderFixture(await testTools(), { 'platform/web.yaml': '', ...settings })
  return await reader(new TracingTree(openDirectoryTree(fixture.directory)))
}

const settingsOf = (text?: string): Promise<RepositorySettings> => read(text, readRepositorySettings)

const defaults = { platform: undefined, allowsActions: false }

test('without settings, and with empty ones, nothing is allowed beyond the defaults', async () => {
  assert.deepEqual(await settingsOf(), defaults)
  assert.deepEqual(await settingsOf('{}\n'), defaults)
  assert.deepEqual(await settingsOf('actions: deny\ndeterminism: once\n'), defaults)
})

test('settings say where operators have their objects and whether actions run', async () => {
  assert.deepEqual(await settingsOf('platform: [platform]\nactions: allow\ndeterminism: strict\n'), {
    platform: ['platform'],
    allowsActions: true,
  })
})

test('a repository is strict if its settings say so, whatever else they contain', async () => {
  assert.equal((await read('determinism: strict\nplatform: [none]\n', readRenderSettings)).isStrict, true)
  for (const text of [undefined, '{}\n', 'determinism: once\n']) {
    assert.equal((await read(text, readRenderSettings)).isStrict, false)
  }
  await assert.rejects(read('determinism: always\n', readRenderSettings), {
    message: 'wadi.yaml:1:1: determinism must be once or strict',
  })
})

test('gates and waivers are checked for every source', async () => {
  assert.deepEqual(await read('gates: {secrets: warn}\n', readGateSettings), {
    gates: { secrets: 'warn' },
    waivers: [],
    waiverAnnotations: [],
  })
  assert.deepEqual((await read('waiverAnnotations: [web]\n', readGateSettings)).waiverAnnotations, ['web'])
  for (const text of [undefined, '{}\n'])
    assert.deepEqual(await read(text, readGateSettings), { gates: {}, waivers: [], waiverAnnotations: [] })
  await assert.rejects(read('gates: {secrets: yes}\n', readRenderSettings), {
    message: 'wadi.yaml:1:9: gates.secrets must be deny, warn, audit or off',
  })
})

test('a misspelt key is an error for every source', async () => {
  await assert.rejects(read('determinism: once\ndif: {ignore: []}\n', readRenderSettings), {
    message: 'wadi.yaml:2:1: unknown field dif; did you mean diff?',
  })
  await assert.rejects(read('actions: allowed\n', readRenderSettings), {
    message: 'wadi.yaml:1:1: actions must be deny or allow',
  })
})

test('what is not a setting is refused with its place', async () => {
  await assert.rejects(settingsOf('action: allow\n'), {
    message: 'wadi.yaml:1:1: unknown field action; did you mean actions?',
  })
  await assert.rejects(settingsOf('\nactions: yes\n'), {
    message: 'wadi.yaml:2:1: actions must be deny or allow',
  })
  await assert.rejects(settingsOf('platform: [../up]\n'), /^InvalidInputError: wadi.yaml:1:1: platform/)
  await assert.rejects(settingsOf('platform: [none]\n'), {
    message: 'wadi.yaml:1:1: platform "none" is not a directory; create it or remove it',
  })
  await assert.rejects(settingsOf('- platform\n'), {
    message: 'wadi.yaml:1:1: the document must be an object, not a list',
  })
})
