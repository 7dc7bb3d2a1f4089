import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { discover } from './discover.ts'
import type { Plugin } from './plugin.ts'

const plugin: Plugin = {
  name: 'tool',
  init: undefined,
  generate: ['true'],
  discovery: undefined,
  announcements: [],
  announce: undefined,
  preserveFileMode: false,
  provideGitCredentials: false,
  unknownFields: [],
}

async function matching(by: 'fileName' | 'glob', patterns: readonly string[]): Promise<string[]> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'wadi-[odd]*-'))
  const directory = folder.path
  await mkdir(path.join(directory, 'sub/deep'), { recursive: true })
  await symlink('sub', path.join(directory, 'link'))
  for (const file of ['Chart.yaml', '.hidden', 'sub/values.yaml', 'sub/deep/a.yml', 'q?']) {
    await writeFile(path.join(directory, file), '')
  }
  const command = async () => assert.fail('no command is run')
  const answers = await Promise.all(
    patterns.map((pattern) => discover({ by, pattern }, { plugin, directory, command })),
  )
  return patterns.filter((_, index) => answers[index])
}

test("a file name is matched as Go's filepath.Glob does", async () => {
  const matches = [
    'Chart.yaml',
    './Chart.yaml',
    '*.yaml',
    '.h*',
    '*idden',
    'sub',
    's[a-u]b',
    '[^c]hart.yaml',
    'sub/*.yaml',
    'link/*.yaml',
    '*/*/a.yml',
  ]
  const others = [
    'values.yaml',
    '**/a.yml',
    '*.{yaml,yml}',
    'chart.yaml',
    'sub/none/x',
    'Chart.yaml/x',
    '[^C]hart.yaml',
  ]
  assert.deepEqual(await matching('fileName', [...matches, ...others]), matches)
})

test('a glob is matched as go-zglob does', async () => {
  const matches = [
    '**/a.yml',
    '**/Chart.yaml',
    '**/*/a.yml',
    '{Chart,Kustom}.yaml',
    '**/{a,b}.yml',
    '.h*',
    'sub/**',
    'q?',
    'link',
    'sub',
  ]
  const others = ['**/*/Chart.yaml', 'q?x', 'Chart?yaml', 'none', '**/none', 'link/**/a.yml']
  assert.deepEqual(await matching('glob', [...matches, ...others]), matches)
})

test("a pattern that leaves the application's folder is refused", async () => {
  for (const by of ['fileName', 'glob'] as const) {
    for (const pattern of ['../x', 'a/../../x', '/etc/passwd']) {
      await assert.rejects(matching(by, [pattern]), InvalidInputError)
    }
  }
})
