import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartVersions } from './helm-index.ts'

const digest = 'a'.repeat(64)

test('an index in YAML and in JSON gives versions with what is known of them', () => {
  const entry = {
    version: '1.0.0',
    digest: `sha256:${digest.toUpperCase()}`,
    created: '2026-01-02T03:04:05.123456789+01:00',
    description: 'A chart',
    urls: ['web-1.0.0.tgz'],
  }
  const expected = {
    version: '1.0.0',
    digest,
    created: '2026-01-02T02:04:05Z',
    description: 'A chart',
    urls: ['web-1.0.0.tgz'],
  }
  const json = JSON.stringify({ apiVersion: 'v1', entries: { web: [entry] } })
  assert.deepEqual(chartVersions(json, 'web', 'index.yaml'), [expected])
  const yaml = `entries:\n  web:\n  - version: 1.0.0\n    digest: ${digest}\n    created: "${entry.created}"\n    description: A chart\n    urls: [web-1.0.0.tgz]\n`
  assert.deepEqual(chartVersions(yaml, 'web', 'index.yaml'), [expected])
})

test('entries that cannot be used are left out, and a digest that is none is unknown', () => {
  const entries = [
    null,
    'x',
    { version: '1.0.0' },
    { urls: ['x'] },
    { version: '2.0.0', urls: ['x'], digest: 'x' },
  ]
  const found = chartVersions(JSON.stringify({ entries: { web: entries } }), 'web', 'index.yaml')
  assert.deepEqual(
    found.map(({ version, digest: of, created }) => [version, of, created]),
    [['2.0.0', '', '']],
  )
})

test('another text, and an index without the chart, are errors that name the index', () => {
  assert.throws(() => chartVersions('<html>', 'web', 'index.yaml'), { name: 'InvalidInputError' })
  assert.throws(() => chartVersions('{"entries": []}', 'web', 'index.yaml'), /index\.yaml: is not the index/)
  for (const chart of ['db', 'constructor', '__proto__']) {
    assert.throws(() => chartVersions('{"entries": {"web": []}}', chart, 'index.yaml'), {
      name: 'NotFoundError',
    })
  }
})
