import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directory, HydratedRepositoryFixture } from './hydrated-repository-fixture.ts'

const names = ['manifest.yaml', 'README.md', 'hydrator.metadata']

for (const name of names) {
  test(`a link that somebody put in the place of ${name} becomes the file again, and its target stays`, async () => {
    await using fixture = await HydratedRepositoryFixture.start()
    const first = await fixture.write({ dry: 1, directories: [directory('a', '1')] })
    const before = await fixture.files(first.hydratedSha)
    await fixture.pushForeign(
      'env/dev',
      { [`a/${name}`]: '../elsewhere', elsewhere: 'theirs\n' },
      { [`a/${name}`]: '120000' },
    )
    const base = await fixture.state()
    const { hydratedSha } = await fixture.write({ base, dry: 2, directories: [directory('a', '2')] })
    const after = await fixture.files(hydratedSha)
    assert.equal(after[`a/${name}`]?.includes(name === 'README.md' ? 'README' : '2'), true)
    assert.equal(after['elsewhere'], 'theirs\n')
    assert.deepEqual(Object.keys(after).toSorted(), [...Object.keys(before), 'elsewhere'].toSorted())
    const listed = await fixture.git('ls-tree', hydratedSha, `a/${name}`)
    assert.match(listed, /^100644 blob/)
  })

  test(`a directory that somebody put in the place of ${name} is named, and nothing of it is lost`, async () => {
    await using fixture = await HydratedRepositoryFixture.start()
    await fixture.write({ dry: 1, directories: [directory('a', '1')] })
    const head = await fixture.pushForeign('env/dev', { [`a/${name}`]: undefined, [`a/${name}/theirs`]: 'x' })
    const base = await fixture.state()
    await assert.rejects(
      fixture.write({ base, dry: 2, directories: [directory('a', '2')] }),
      new RegExp(`a/${name.replace('.', '\\.')}`),
    )
    assert.equal((await fixture.state()).head, head)
  })
}

test('a directory in the place of the record of the branch is named, and one beside a removed directory stays', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  await fixture.write({ dry: 1, directories: [directory('a', '1'), directory('b', '1')] })
  await fixture.pushForeign('env/dev', { 'b/README.md': undefined, 'b/README.md/theirs': 'x' })
  const removed = await fixture.write({ base: await fixture.state(), dry: 2, removedPaths: ['b'] })
  const left = Object.keys(await fixture.files(removed.hydratedSha)).filter((path) => path.startsWith('b/'))
  assert.deepEqual(left, ['b/README.md/theirs'])
  await fixture.pushForeign('env/dev', { 'hydrator.metadata': undefined, 'hydrator.metadata/theirs': 'x' })
  const base = await fixture.state()
  const directories = [directory('a', '3')]
  await assert.rejects(fixture.write({ base, dry: 3, directories }), /directory at hydrator\.metadata/)
})
