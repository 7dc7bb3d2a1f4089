import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { CommitFilesRequestSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { readFileCommit } from './file-commit.ts'

function read(changes: MessageInitShape<typeof CommitFilesRequestSchema>) {
  const request = {
    repoUrl: 'https://git.example.com/dry.git',
    branch: 'main',
    baseSha: 'a'.repeat(40),
    files: [{ path: 'a.yaml', content: 'a: 1\n' }],
    message: 'Set a',
    ...changes,
  }
  return readFileCommit(create(CommitFilesRequestSchema, request))
}

test('an empty content removes the file and the message gets its line feed', () => {
  const { files, message } = read({
    files: [
      { path: 'a.yaml', content: 'a: 1\n' },
      { path: 'b.yaml', content: '' },
    ],
  })
  assert.deepEqual(files, [
    { path: 'a.yaml', content: Buffer.from('a: 1\n') },
    { path: 'b.yaml', content: undefined },
  ])
  assert.equal(message, 'Set a\n')
})

const rejections: [string, MessageInitShape<typeof CommitFilesRequestSchema>, string, RegExp][] = [
  ['no repository', { repoUrl: '' }, 'InvalidInputError', /^repoURL is required$/],
  ['a blank message', { message: ' \n' }, 'InvalidInputError', /^message is required$/],
  [
    'a long message',
    { message: 'x'.repeat(65_537) },
    'ResourceExhaustedError',
    /message exceeds 65536 bytes/,
  ],
  ['a ref in place of a branch', { branch: 'refs/heads/main' }, 'InvalidInputError', /begins with "refs\/"/],
  ['HEAD', { branch: 'HEAD' }, 'InvalidInputError', /is reserved by git/],
  ['a short base', { baseSha: 'abc1234' }, 'InvalidInputError', /is not a commit SHA/],
  ['no file', { files: [] }, 'InvalidInputError', /^files is empty/],
  [
    'a path that leaves the repository',
    { files: [{ path: '../a' }] },
    'InvalidInputError',
    /component "\.\."/,
  ],
  ['a path into .git', { files: [{ path: '.git/config' }] }, 'InvalidInputError', /stands for \.git/],
  ['a path twice', { files: [{ path: 'a' }, { path: 'a' }] }, 'InvalidInputError', /^file "a" comes twice$/],
  [
    '101 files',
    { files: Array.from({ length: 101 }, (_, index) => ({ path: `f${index}` })) },
    'ResourceExhaustedError',
    /^101 files are too many/,
  ],
  [
    'more than 4 MiB in two files',
    { files: ['a', 'b'].map((path) => ({ path, content: 'é'.repeat(1024 * 1024 + 1) })) },
    'ResourceExhaustedError',
    /^the files have 4194308 bytes together/,
  ],
]

for (const [what, changes, name, message] of rejections) {
  test(`a request with ${what} is refused`, () => {
    assert.throws(() => read(changes), { name, message })
  })
}

test('100 files and exactly 4 MiB are accepted', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => ({ path: `f${index}`, content: 'x' }))
  assert.equal(read({ files: hundred }).files.length, 100)
  assert.equal(read({ files: [{ path: 'a', content: 'x'.repeat(4 * 1024 * 1024) }] }).files.length, 1)
})
