import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFolderTree } from './folder-tree.ts'
import { RenderFixture, testTools } from './render-fixture.ts'
import { type RepositorySettings, readRepositorySettings } from './repository-settings.ts'
import { TracingTree } from './tracing-tree.ts'

async function settingsOf(text: string | undefined): Promise<RepositorySettings> {
  const settings: Record<string, string> = text === undefined ? {} : { 'wadi.yaml': text }
  await using fixture = new RenderFixture(await testTools(), { 'platform/web.yaml': '', ...settings })
  return await readRepositorySettings(new TracingTree(openFolderTree(fixture.folder)))
}

const defaults = { platform: undefined, allowsActions: false, isStrict: false }

test('without settings, and with empty ones, nothing is allowed beyond the defaults', async () => {
  assert.deepEqual(await settingsOf(undefined), defaults)
  assert.deepEqual(await settingsOf('{}\n'), defaults)
  assert.deepEqual(await settingsOf('actions: deny\ndeterminism: once\n'), defaults)
})

test('settings say where operators have their objects, whether actions run, and how strict renders are', async () => {
  assert.deepEqual(await settingsOf('platform: [platform]\nactions: allow\ndeterminism: strict\n'), {
    platform: ['platform'],
    allowsActions: true,
    isStrict: true,
  })
})

test('what is no setting is refused with its place', async () => {
  await assert.rejects(settingsOf('action: allow\n'), {
    message: 'wadi.yaml:1:1: action is no setting; there is platform, actions, determinism',
  })
  await assert.rejects(settingsOf('\nactions: yes\n'), {
    message: 'wadi.yaml:2:1: actions must be deny or allow',
  })
  await assert.rejects(settingsOf('platform: [../up]\n'), /^InvalidInputError: wadi.yaml:1:1: platform/)
  await assert.rejects(settingsOf('platform: [none]\n'), {
    message: 'wadi.yaml:1:1: platform "none" is no directory; create it or remove it',
  })
  await assert.rejects(settingsOf('- platform\n'), { message: 'wadi.yaml:1:1: the document must be a map, not a list' })
})
