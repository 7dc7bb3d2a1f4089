import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommitMetadata } from './commit-metadata.ts'
import type { CommitMetadata } from './commit-metadata.ts'
import { formatMailAddress, parseMailAddress } from './mail-address.ts'
import { startMirrorFixture } from '../mirror/mirror-fixture.ts'

async function metadataOf(message: string): Promise<CommitMetadata> {
  await using fixture = await startMirrorFixture()
  const author = { name: 'Ünal Dry', email: 'dry@example.com' }
  const date = new Date('2025-06-01T12:34:56+02:00')
  const sha = await fixture.repository.commitFiles({ x: '1' }, message, { author, date })
  await fixture.update()
  return await readCommitMetadata(fixture.mirror.objects, sha)
}

test('a commit has its author, time, parents, subject and body', async () => {
  const commit = await metadataOf('Subject line\nthat goes on\n\nBody one\n\nBody two\n')
  assert.equal(commit.author, 'Ünal Dry <dry@example.com>')
  assert.equal(commit.date, '2025-06-01T10:34:56Z')
  assert.match(commit.committerDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.equal(commit.parents.length, 1)
  assert.equal(commit.subject, 'Subject line\nthat goes on')
  assert.equal(commit.body, 'Body one\n\nBody two\n')
  assert.deepEqual(commit.references, [])
})

test('a message of a subject alone has an empty body', async () => {
  const { subject, body } = await metadataOf('Only a subject\n')
  assert.deepEqual({ subject, body }, { subject: 'Only a subject', body: '' })
})

const trailer = 'Argocd-reference-commit-'

test('reference trailers become one reference and leave the body', async () => {
  const commit = await metadataOf(
    [
      'Bump image',
      '',
      'Why we did it.',
      '',
      `${trailer}repourl: https://git.example.com/app.git`,
      `${trailer}author: Author Name <author@example.com>`,
      `${trailer}date: 2025-01-02T03:04:05.678+02:00`,
      `${trailer}subject: Fix: the thing`,
      `${trailer}body: "first\\nsecond"`,
      `${trailer}sha: abc1234`,
      'Signed-off-by: Someone <s@example.com>',
    ].join('\n'),
  )
  assert.deepEqual(commit.references, [
    {
      commit: {
        repoUrl: 'https://git.example.com/app.git',
        author: '"Author Name" <author@example.com>',
        date: '2025-01-02T03:04:05+02:00',
        subject: 'Fix: the thing',
        body: 'first\nsecond',
        sha: 'abc1234',
      },
    },
  ])
  assert.equal(commit.body, 'Why we did it.\n\nSigned-off-by: Someone <s@example.com>\n')
})

test('an invalid trailer stays in the body and gives no field', async () => {
  const invalid = [
    `${trailer}author: not an address`,
    `${trailer}date: yesterday`,
    `${trailer}body: not json`,
    `${trailer}body: 5`,
    `${trailer}sha: XYZ`,
    `${trailer}color: red`,
    `${trailer}repourl: http://[broken`,
  ]
  const commit = await metadataOf(['Subject', '', ...invalid, `${trailer}subject: one\n`].join('\n'))
  assert.deepEqual(commit.references, [{ commit: { subject: 'one' } }])
  assert.equal(commit.body, `${invalid.join('\n')}\n`)
})

test('a trailer-looking line outside the trailer block leaves the body and gives no reference', async () => {
  const commit = await metadataOf(`Subject\n\n${trailer}sha: abc1234\n\nA closing paragraph.\n`)
  assert.deepEqual(commit.references, [])
  assert.equal(commit.body, '\nA closing paragraph.\n')
})

test('the last of repeated trailers applies, and a body of trailers alone is empty', async () => {
  const commit = await metadataOf(`Subject\n\n${trailer}sha: abc1234\n${trailer}sha: def5678\n`)
  assert.deepEqual(commit.references, [{ commit: { sha: 'def5678' } }])
  assert.equal(commit.body, '')
})

for (const [text, formatted] of [
  ['Author Name <a@b.c>', '"Author Name" <a@b.c>'],
  ['"Last, First" <a@b>', '"Last, First" <a@b>'],
  ['a@b', '<a@b>'],
  ['<a@b>', '<a@b>'],
  ['Jürgen <j@b>', '=?utf-8?q?J=C3=BCrgen?= <j@b>'],
  ['=?utf-8?q?J=C3=BCrgen?= <j@b>', '=?utf-8?q?J=C3=BCrgen?= <j@b>'],
  ['two@addresses.example, a@b', undefined],
  ['Name <a@b', undefined],
  ['<@>', undefined],
] as const) {
  test(`the author ${text} is written as ${formatted ?? 'nothing'}`, () => {
    const address = parseMailAddress(text)
    assert.equal(address && formatMailAddress(address), formatted)
  })
}
