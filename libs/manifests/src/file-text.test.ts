import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { fileText } from './file-text.ts'

test('text in UTF-8 is read as it is, with its byte order mark and written replacement characters', () => {
  for (const text of ['', 'a: ä\n', '\ufeffa: 1\n', 'a: \ufffd\n', 'a: 😀\r\n']) {
    assert.equal(fileText(Buffer.from(text), 'a.yaml'), text)
  }
})

for (const [name, bytes, place, what] of [
  ['Latin-1', Buffer.from('a: 1\nb: caf\xe9\n', 'latin1'), 'a.yaml:2', 'byte 12 (0xe9) is not UTF-8'],
  ['a lonely continuation', Buffer.from([0x80]), 'a.yaml:1', 'byte 1 (0x80) is not UTF-8'],
  ['a cut character', Buffer.from([0x61, 0x0a, 0xe2, 0x82]), 'a.yaml:2', 'byte 3 (0xe2) is not UTF-8'],
  ['an overlong slash', Buffer.from([0xc0, 0xaf]), 'a.yaml:1', 'byte 1 (0xc0) is not UTF-8'],
  ['a surrogate', Buffer.from([0x0a, 0xed, 0xa0, 0x80]), 'a.yaml:2', 'byte 2 (0xed) is not UTF-8'],
  [
    'an error behind a written replacement character',
    Buffer.concat([Buffer.from('\ufffd\n'), Buffer.from([0xff])]),
    'a.yaml:2',
    'byte 5 (0xff) is not UTF-8',
  ],
  ['UTF-16', Buffer.from('\ufeffa: 1\n', 'utf16le'), 'a.yaml:1', 'the file is UTF-16'],
] as const) {
  test(`${name} is refused with its line`, () => {
    assert.throws(
      () => fileText(bytes, 'a.yaml'),
      (error) =>
        error instanceof InvalidInputError && error.message === `${place}: ${what}; save the file as UTF-8`,
    )
  })
}

test('a pointer of Git LFS is refused by its name', () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
  assert.throws(() => fileText(Buffer.from(pointer), 'big.yaml'), {
    name: 'InvalidInputError',
    message:
      'big.yaml is a Git LFS pointer, and nothing is fetched from LFS; take the file out of LFS in .gitattributes and commit the content itself',
  })
  assert.equal(fileText(Buffer.from(`# ${pointer}`), 'a.yaml'), `# ${pointer}`)
})
