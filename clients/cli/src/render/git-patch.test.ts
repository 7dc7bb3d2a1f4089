import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { gitPatch } from './git-patch.ts'
import { temporaryDirectory } from '../testing/run-wadi-fixture.ts'

function manyLines(sign: string): string {
  return Array.from({ length: 15_000 }, (_, index) => `${sign}${index}\n`).join('')
}

const cases: [string, { path: string; before: string; after: string }][] = [
  ['changes a line', { path: 'a/b.yaml', before: 'a: 1\nb: 2\n', after: 'a: 1\nb: 3\n' }],
  ['makes a file in a new directory', { path: 'new/b.yaml', before: '', after: 'a: 1\n' }],
  ['removes a file', { path: 'a/b.yaml', before: 'a: 1\n', after: '' }],
  ['adds the line feed at the end', { path: 'b', before: 'a: 1', after: 'a: 1\n' }],
  ['leaves the end without one', { path: 'b', before: 'a: 1\nb: 2', after: 'a: 2\nb: 2' }],
  ['keeps Windows line ends', { path: 'b', before: 'a: 1\r\nb: 2\r\n', after: 'a: 1\r\nb: 3\r\n' }],
  ['has blanks and letters in its path', { path: 'ä b/"c d".yaml', before: 'a\n', after: 'b\n' }],
  ['replaces most of a long file', { path: 'b', before: manyLines('a'), after: `${manyLines('b')}end` }],
  ['has two hunks', { path: 'b', before: 'x\n'.repeat(30), after: `1\n${'x\n'.repeat(28)}2\n` }],
]

for (const [what, change] of cases) {
  test(`git applies a patch that ${what}`, async () => {
    await using directory = await temporaryDirectory()
    const repository = await createRepository(join(directory.path, 'checkout'))
    const files = change.before === '' ? { other: '' } : { [change.path]: change.before }
    await repository.commitFiles(files, 'First\n')
    await writeFile(join(directory.path, 'change.patch'), gitPatch(change))
    await repository.git.raw(['apply', '--whitespace=nowarn', join(directory.path, 'change.patch')])
    const file = join(repository.directory, change.path)
    assert.equal(existsSync(file) ? await readFile(file, 'utf8') : '', change.after)
  })
}

test('equal texts make no patch', () => {
  assert.equal(gitPatch({ path: 'a', before: 'x\n', after: 'x\n' }), '')
})
