import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { settingsPage } from './settings-page.ts'

const repository = path.dirname(import.meta.dirname)

test('a setting of all services is listed once, and again where its default differs', async () => {
  const text = await readFile(path.join(repository, 'docs/settings.md'), 'utf8')
  assert.equal(text.split('`WADI_DRAIN_TIMEOUT`').length - 1, 1)
  assert.match(text, /## hydrator\n[^#]*`127\.0\.0\.1:8085`/)
})

test('the page begins with five settings and ends with those for diagnosis', async () => {
  const text = await readFile(path.join(repository, 'docs/settings.md'), 'utf8')
  const [, first = '', ...others] = text.split('\n## ')
  assert.match(first, /^Settings to begin with\n/)
  assert.equal(first.split('`WADI_').length - 1, 5)
  assert.match(others.at(-1) ?? '', /^For diagnosis\n[^]*`WADI_RENDERERS`[^]*`WADI_MAX_ARCHIVE_ENTRIES`/)
})

test('a setting that several services share is one row with their names', async () => {
  const text = await readFile(path.join(repository, 'docs/settings.md'), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| `WADI_COMMIT_SERVERS`'))
  assert.equal(rows.length, 1)
  assert.match(
    rows[0] ?? '',
    /<br>`--commit-servers` \| addresses<br>`http:\/\/127\.0\.0\.1:8086` \| api-gateway, hydrator \|/,
  )
})

test('a row escapes what would break its table, and names the file of a secret', () => {
  const lines = settingsPage({
    web: {
      slots: { type: 'int', flag: 'slots', env: 'T_SLOTS', default: '4', description: 'Slots | workers.' },
      token: { type: 'string', env: 'T_TOKEN', secret: true, description: 'Token, a line <name> `<token>`.' },
    },
  }).split('\n')
  const start = lines.indexOf('## web')
  assert.deepEqual(lines.slice(start + 2, start + 6), [
    '| Variable, flag | Value, default | Meaning |',
    '| --- | --- | --- |',
    '| `T_SLOTS`<br>`--slots` | number<br>`4` | Slots \\| workers. |',
    '| `T_TOKEN_FILE` | string | Token, a line \\<name> `<token>`. |',
  ])
})
