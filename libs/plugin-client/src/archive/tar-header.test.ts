import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { type TarEntry, tarHeader } from './tar-header.ts'

function listed(...entries: readonly TarEntry[]): string[] {
  const archive = Buffer.concat([...entries.map(tarHeader), Buffer.alloc(1024)])
  const text = execFileSync('tar', ['tvf', '-', '--quoting-style=literal'], {
    input: archive,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
  })
  return text.trimEnd().split('\n')
}

test('tar reads files, programs, directories and links with fixed owner and time', () => {
  assert.deepEqual(
    listed(
      { kind: 'directory', path: '.' },
      { kind: 'file', path: 'a.yaml', size: 0 },
      { kind: 'executable', path: 'run.sh', size: 0 },
      { kind: 'symlink', path: 'link', target: '../a.yaml' },
    ).map((line) => line.replaceAll(/ +/g, ' ')),
    [
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 .',
      '-rw-r--r-- 0/0 0 1970-01-01 00:00 a.yaml',
      '-rwxr-xr-x 0/0 0 1970-01-01 00:00 run.sh',
      'lrw-r--r-- 0/0 0 1970-01-01 00:00 link -> ../a.yaml',
    ],
  )
})

test('names and targets that are long or not ASCII come through whole', () => {
  for (const length of [99, 100, 101, 156, 300, 985, 986, 987, 988, 989, 990, 991, 992, 3000]) {
    const path = 'd/'.repeat(10) + 'x'.repeat(length - 20)
    const [line] = listed({ kind: 'file', path, size: 0 })
    assert.equal(line?.endsWith(` ${path}`), true, `${length} characters`)
  }
  const [file, link] = listed(
    { kind: 'file', path: 'grün/日本語.yaml', size: 0 },
    { kind: 'symlink', path: 'verknüpfung', target: `./${'größe/'.repeat(40)}x` },
  )
  assert.match(file ?? '', / grün\/日本語\.yaml$/)
  assert.match(link ?? '', / verknüpfung -> \.\/(?:größe\/){40}x$/)
})

test('a target with a NUL is refused', () => {
  assert.throws(() => tarHeader({ kind: 'symlink', path: 'odd', target: 'a\0b' }), {
    name: 'InvalidInputError',
    message: 'the target of symlink "odd" holds a NUL',
  })
})
