import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadTemplateEngine } from '@wadi/engines/templates/template.ts'
import { normalizedName } from './normalized-name.ts'
import { pathParameters } from './path-parameters.ts'

test('the default engine gets flat texts', () => {
  assert.deepEqual(pathParameters({ directory: 'apps/My_App' }, '', false), {
    path: 'apps/My_App',
    'path.basename': 'My_App',
    'path.basenameNormalized': 'my-app',
    'path[0]': 'apps',
    'path[1]': 'My_App',
  })
  assert.deepEqual(pathParameters({ directory: '.', filename: 'Config.json' }, 'cfg', false), {
    'cfg.path': '.',
    'cfg.path.basename': '.',
    'cfg.path.basenameNormalized': '',
    'cfg.path.filename': 'Config.json',
    'cfg.path.filenameNormalized': 'config.json',
    'cfg.path[0]': '.',
  })
})

test('Go templates get a map with segments', () => {
  const path = {
    path: 'a/b',
    basename: 'b',
    basenameNormalized: 'b',
    filename: 'c_d.yaml',
    filenameNormalized: 'c-d.yaml',
    segments: ['a', 'b'],
  }
  const found = { directory: 'a/b', filename: 'c_d.yaml' }
  assert.deepEqual(pathParameters(found, '', true), { path })
  assert.deepEqual(pathParameters(found, 'x', true), { x: { path } })
})

test('a normalized name is what the Go function makes, whatever the character', async () => {
  const engine = await loadTemplateEngine()
  for (let from = 0; from < 0x2_0000; from += 200) {
    const characters = Array.from({ length: 200 }, (_, offset) => String.fromCodePoint(from + offset))
    const data = `a${characters.join('').toWellFormed()}a`
    assert.equal(normalizedName(data), engine.render({ name: 'n', text: '{{ normalize . }}', data }))
  }
})

test('a normalized name is lower case, has no strange characters and nothing odd at its ends', () => {
  assert.equal(normalizedName('.My_Cluster/🌵é.Prod-'), 'my-cluster---.prod')
  assert.equal(normalizedName(`${'a'.repeat(252)}_b`), 'a'.repeat(252))
})
