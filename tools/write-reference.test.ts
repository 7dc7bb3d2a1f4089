import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { compileCache } from '@wadi/testing/quick-start.ts'

const repository = path.dirname(import.meta.dirname)

function writeReference(...args: string[]): { code: number | null; output: string } {
  const script = path.join(import.meta.dirname, 'write-reference.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    encoding: 'utf8',
  })
  return { code: status, output: `${stdout}${stderr}`.trim() }
}

test('the pages of reference are what the code gives', () => {
  assert.deepEqual(writeReference('--check'), { code: 0, output: '3 pages of reference are up to date' })
})

test('a page that is missing or differs is named with its line', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-reference-'))
  const file = path.join(scratch.path, 'settings.md')
  const place = path.relative(repository, file)
  const advice = "not what the code gives; run 'node tools/write-reference.ts'"
  await mkdir(path.join(scratch.path, 'reference'))
  assert.deepEqual(writeReference(scratch.path), { code: 0, output: '' })
  const lines = (await readFile(file, 'utf8')).split('\n')
  const row = lines.findIndex((line) => line.includes('`--poll-interval`'))
  assert.match(lines[row] ?? '', /^\| `WADI_POLL_INTERVAL`<br>`--poll-interval` \| duration<br>`120s` \|/)

  lines[row] = (lines[row] ?? '').replace('120s', '60s')
  await writeFile(file, lines.join('\n'))
  await writeFile(path.join(scratch.path, 'reference/metrics.md'), '')
  assert.deepEqual(writeReference('--check', scratch.path), {
    code: 1,
    output: [
      `${place}:${row + 1}: ${advice}`,
      `${place.replace('settings.md', 'reference/metrics.md')}:1: ${advice}`,
      '2 problems',
    ].join('\n'),
  })
})
