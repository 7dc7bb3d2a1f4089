import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openSigningKeys } from '@wadi/signatures/signing/signing-keys.ts'
import { makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { directory, HydratedRepositoryFixture, startRacing } from './hydrated-repository-fixture.ts'

describe('the proof of a commit', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const scratch = starting.use(await mkdtempDisposable(join(tmpdir(), 'wadi-proof-'))).path
  const { fingerprint } = await makeSshKey(scratch, 'key')
  const entry = {
    setting: 'WADI_SIGNING_KEY_PATH',
    keyPath: join(scratch, 'key'),
    passphraseFile: undefined,
    agentSocket: undefined,
    projects: [],
    repositories: [],
    isFor: () => true,
  }
  const keys = starting.use(await openSigningKeys([entry], () => undefined))
  const signing = { signer: keys.signerOf('', ''), attests: true }
  const started = starting.move()
  after(() => started.disposeAsync())

  test('names the key of a commit, and none for one that the branch starts at', async () => {
    await using fixture = await HydratedRepositoryFixture.start()
    const { mirror } = fixture
    const directories = [directory('a', '1')]
    const own = await fixture.write({ dry: 1, directories }, undefined, mirror, signing)
    assert.deepEqual([own.proof?.fingerprint, own.proof?.attested], [fingerprint, true])
    const deployed = await fixture.pushForeign('env/prod', { 'a/manifest.yaml': 'value: 1\n' })
    const staging = { dry: 1, branch: 'env/prod-next', syncBranch: 'env/prod', directories }
    const started = await fixture.write(staging, undefined, mirror, signing)
    assert.equal(started.hydratedSha, deployed)
    assert.deepEqual([started.proof?.fingerprint, started.proof?.attested], [undefined, true])
  })

  test('says nothing of a commit that lost the race to one of somebody else', async () => {
    const { fixture, beforeNextPush } = await startRacing()
    await using _ = fixture
    const { mirror } = fixture
    const { state: base } = await fixture.write({ dry: 1, directories: [directory('a', '1')] })
    const files = ['README.md', 'hydrator.metadata', 'manifest.yaml'].map((name) => [`a/${name}`, undefined])
    beforeNextPush(async () => fixture.pushForeign('env/dev', Object.fromEntries(files)))
    const removal = { base, dry: 2, removedPaths: ['a'] }
    const outcome = await fixture.write(removal, undefined, mirror, signing)
    assert.deepEqual(await fixture.subjects(outcome.hydratedSha), ['By hand', '1111111: change the dry side'])
    assert.equal(outcome.proof, undefined)
  })

  test('keeps the key of a commit that landed before its note', async () => {
    const { fixture, beforeNextPush } = await startRacing({ config: { 'receive.advertiseAtomic': 'false' } })
    await using _ = fixture
    const second = await fixture.secondMirror()
    const prod = { dry: 1, directories: [directory('b', '1')], branch: 'env/prod' }
    beforeNextPush(async () => fixture.write(prod, undefined, second))
    const directories = [directory('a', '1')]
    const { proof, hydratedSha } = await fixture.write({ dry: 1, directories }, undefined, fixture.mirror, signing)
    assert.deepEqual(await fixture.subjects(hydratedSha), ['1111111: change the dry side'])
    assert.deepEqual([proof?.fingerprint, proof?.attested], [fingerprint, true])
  })
})
