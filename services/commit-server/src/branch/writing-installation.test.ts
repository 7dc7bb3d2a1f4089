import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directory, drySha, HydratedRepositoryFixture } from '../commit/hydrated-repository-fixture.ts'
import { writingInstallation } from './writing-installation.ts'

test('the note names the installation that wrote a head, also under commits of others', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const found = async () => writingInstallation(fixture.mirror, fixture.trees, await fixture.state())
  assert.equal(await found(), '')
  const first = await fixture.write({
    dry: 1,
    directories: [directory('a', '1')],
    header: { installation: 'east' },
  })
  assert.equal(await fixture.noteOf(first.hydratedSha), `{"drySha":"${drySha(1)}","installation":"east"}\n`)
  assert.equal(await found(), 'east')
  await fixture.pushForeign('env/dev', { LICENSE: 'MIT\n' })
  await fixture.pushForeign('env/dev', { LICENSE: 'Apache\n' })
  assert.equal(await found(), 'east')
})

test('a note of an older version names no installation', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const old = await fixture.write({ dry: 1, directories: [directory('a', '1')] })
  assert.equal(await writingInstallation(fixture.mirror, fixture.trees, await fixture.state()), '')
  const header = { installation: 'east' }
  const next = await fixture.write({ base: old.state, dry: 1, directories: [directory('a', '1')], header })
  assert.equal(next.hydratedSha, old.hydratedSha)
  assert.equal(await writingInstallation(fixture.mirror, fixture.trees, await fixture.state()), 'east')
})
