import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorChoice } from './operator-choice.ts'
import { strictPolicy } from './render-fixture.ts'

function excluded(pluginTarExclude: string): readonly string[] | undefined {
  const settings = {
    ...strictPolicy,
    renderTimeout: 1,
    maxManifestSize: 1,
    helm: undefined,
    kustomize: undefined,
    toolsDirectory: undefined,
  }
  return operatorChoice({ ...settings, pluginTarExclude }).policy.pluginTarExclude
}

test('what plugins do not receive is separated by semicolons', () => {
  assert.deepEqual(excluded(''), [])
  assert.deepEqual(excluded('*.md;docs/*'), ['*.md', 'docs/*'])
  assert.throws(() => excluded('*.md;[a'), {
    name: 'InvalidInputError',
    message: '--plugin-tar-exclude (WADI_PLUGIN_TAR_EXCLUDE): pattern "[a" has a "[" without "]"',
  })
})
