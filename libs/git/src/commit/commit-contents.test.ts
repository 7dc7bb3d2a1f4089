import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommitContent, CommitContents } from './commit-contents.ts'

const mebibyte = 1024 * 1024
const text = (letter: string, bytes: number) => letter.repeat(bytes)

/** Contents whose storing ends when the test says so. */
function contentsWithGit() {
  const given: { sizes: number[]; end: PromiseWithResolvers<void> }[] = []
  const contents = new CommitContents(async (some) => {
    const end = Promise.withResolvers<void>()
    given.push({ sizes: some.map((content) => content.bytes().length), end })
    await end.promise
    for (const content of some) content.stored()
  })
  return { given, contents }
}

for (const [name, content] of [
  ['no content', ''],
  ['a short one', 'a: ä\n'],
  ['a long one', 'a: ä\n'.repeat(10_000)],
] as const) {
  test(`${name} is what it was, until git has it`, () => {
    const one = new CommitContent(content)
    assert.equal(one.toString(), content)
    assert.deepEqual(one.bytes(), Buffer.from(content))
    const { id } = one
    one.stored()
    assert.equal(one.id, id)
    assert.throws(() => one.bytes(), { message: `the content is kept as blob ${id}` })
  })
}

test('a small commit is not given to git before it is made', async () => {
  const { given, contents } = contentsWithGit()
  const content = contents.add(text('a', mebibyte - 1))
  await contents.settle()
  await contents.finish()
  assert.deepEqual(given, [])
  assert.equal(content.isStored, false)
})

test('a large commit is given to git by the MiB, each after the one before, and its rest is kept', async () => {
  const { given, contents } = contentsWithGit()
  const [first, second, third] = ['a', 'b', 'c'].map((letter) => contents.add(text(letter, mebibyte / 2)))
  await contents.settle()
  assert.deepEqual(
    given.map(({ sizes }) => sizes),
    [[mebibyte / 2, mebibyte / 2, mebibyte / 2]],
  )
  contents.add(text('d', mebibyte))
  const settled = contents.settle()
  const rest = contents.add('e')
  assert.equal(given.length, 1)
  given[0]?.end.resolve()
  await settled
  assert.deepEqual(given[1]?.sizes, [mebibyte])
  assert.deepEqual(
    [first, second, third].map((content) => content?.isStored),
    [true, true, true],
  )
  given[1].end.resolve()
  await contents.finish()
  assert.equal(rest.toString(), 'e')
})

test('the next step throws what kept contents from being stored, and no later ones are stored', async () => {
  const { given, contents } = contentsWithGit()
  contents.add(text('a', mebibyte))
  await contents.settle()
  given[0]?.end.reject(new Error('the disk is full'))
  contents.add(text('b', mebibyte))
  await assert.rejects(contents.settle(), { message: 'the disk is full' })
  await assert.rejects(contents.finish(), { message: 'the disk is full' })
  assert.equal(given.length, 1)
  await contents[Symbol.asyncDispose]()
})
