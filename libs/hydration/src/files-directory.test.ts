import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, recordedFiles } from './files-directory.ts'

const file = (path: string, content = ''): { path: string; content: string } => ({ path, content })

test('files in directories are taken, also those whose names only begin alike', () => {
  checkFiles([file('etc/app.conf'), file('etc/app.conf.d/a'), file('etc/app'), file('README.md')])
})

test('a path that leaves the directory or cannot be in git is refused by its name', () => {
  const refused: [string, RegExp][] = [
    ['', /it is empty/],
    ['/etc/passwd', /it is absolute/],
    ['../a', /has the component "\.\."/],
    ['a/../../b', /has the component "\.\."/],
    ['./a', /has the component "\."/],
    ['a//b', /empty component/],
    ['a/', /empty component/],
    ['a\nb', /control character/],
    ['a\\..\\b', /backslash/],
    ['.git/config', /stands for \.git/],
    ['a/.GIT/hooks/x', /stands for \.git/],
    ['a/hydrator.metadata', /kept for Wadi/],
    ['é'.repeat(513), /longer than 1024 bytes/],
  ]
  for (const [path, message] of refused) {
    assert.throws(() => checkFiles([file(path)]), { name: 'InvalidInputError', message }, path)
  }
})

test('two files at one place are refused, and one that is the directory of another', () => {
  assert.throws(() => checkFiles([file('a', '1'), file('a', '1')]), { message: /"a" .* comes twice/ })
  assert.throws(() => checkFiles([file('a/b/c'), file('a')]), {
    message: /"a" .* directory of "a\/b\/c" too/,
  })
})

test('a record lists each file once, and nothing that cannot be there', () => {
  assert.deepEqual(recordedFiles(['a', 'b/c', 'a', '../d', 'e/hydrator.metadata', 1, null]), ['a', 'b/c'])
  for (const nothing of [undefined, null, 'a', { 0: 'a' }]) assert.deepEqual(recordedFiles(nothing), [])
  assert.equal(recordedFiles(Array.from({ length: 1001 }, (_, index) => `f${index}`)).length, 1000)
})

test('number and bytes are bounded', () => {
  const many = Array.from({ length: 1001 }, (_, index) => file(`f${index}`))
  checkFiles(many.slice(1))
  assert.throws(() => checkFiles(many), {
    name: 'ResourceExhaustedError',
    message: /1001 files .* more than 1000/,
  })
  const half = 'ä'.repeat(2.5 * 1024 * 1024)
  checkFiles([file('a', half), file('b', half)])
  assert.throws(() => checkFiles([file('a', half), file('b', `${half}x`)]), {
    name: 'ResourceExhaustedError',
  })
})
