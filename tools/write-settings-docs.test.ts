import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { compileCache } from '@wadi/testing/quick-start.ts'
import { settingsTables } from './settings-page.ts'

const repository = path.dirname(import.meta.dirname)

function writeSettingsDocs(...args: string[]): { code: number | null; output: string } {
  const script = path.join(import.meta.dirname, 'write-settings-docs.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    encoding: 'utf8',
  })
  return { code: status, output: `${stdout}${stderr}`.trim() }
}

test('docs/settings.md is what the settings of the services give', () => {
  assert.deepEqual(writeSettingsDocs('--check'), { code: 0, output: 'docs/settings.md is up to date' })
})

test('a page that is missing or differs is named with its line', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-settings-'))
  const file = path.join(scratch.path, 'settings.md')
  const place = path.relative(repository, file)
  const advice = "not what the settings of the services give; run 'node tools/write-settings-docs.ts'"
  assert.deepEqual(writeSettingsDocs('--check', file), {
    code: 1,
    output: `${place}:1: ${advice}\n1 problem`,
  })

  assert.deepEqual(writeSettingsDocs(file), { code: 0, output: '' })
  assert.equal(writeSettingsDocs('--check', file).code, 0)
  const lines = (await readFile(file, 'utf8')).split('\n')
  const row = lines.findIndex((line) => line.includes('`--poll-interval`'))
  assert.match(lines[row] ?? '', /^\| `--poll-interval` \|.*\| `120s` \|/)

  lines[row] = (lines[row] ?? '').replace('120s', '60s')
  await writeFile(file, lines.join('\n'))
  assert.deepEqual(writeSettingsDocs('--check', file), {
    code: 1,
    output: `${place}:${row + 1}: ${advice}\n1 problem`,
  })
})

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
  const rows = text.split('\n').filter((line) => line.startsWith('| `--commit-servers`'))
  assert.equal(rows.length, 1)
  assert.match(rows[0] ?? '', /\| addresses \| `http:\/\/127\.0\.0\.1:8086` \| api-gateway, hydrator \|/)
})

test('a row escapes what would break its table, and names the file of a secret', () => {
  const lines = settingsTables({
    web: {
      slots: { type: 'int', flag: 'slots', env: 'T_SLOTS', default: '4', description: 'Slots | workers.' },
      token: { type: 'string', env: 'T_TOKEN', secret: true, description: 'Token.' },
    },
  }).split('\n')
  const start = lines.indexOf('## web')
  assert.deepEqual(lines.slice(start + 2, start + 6), [
    '| Flag | Variable | Value | Default | Meaning |',
    '| --- | --- | --- | --- | --- |',
    '| `--slots` | `T_SLOTS` | number | `4` | Slots \\| workers. |',
    '|  | `T_TOKEN_FILE` | string |  | Token. |',
  ])
})
