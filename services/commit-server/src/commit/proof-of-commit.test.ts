import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { GateRunSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { attestationPath } from '@wadi/signatures/attestations/attestation-places.ts'
import { openSigningKeys } from '@wadi/signatures/signing/signing-keys.ts'
import { makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import {
  directory,
  HydratedRepositoryFixture,
  recordContent,
  type RequestParts,
  startRacing,
} from './hydrated-repository-fixture.ts'

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

  /** A directory that the gate `secrets` checked, with warnings. */
  function checked(path: string, value: string, ...rules: string[]) {
    const findings = rules.map((rule) => ({ severity: 'warn', rule }))
    const gateRuns = [create(GateRunSchema, { severities: [{ gate: 'secrets', severity: 'warn' }] })]
    return {
      ...directory(path, value),
      metadata: recordContent(JSON.stringify({ value, findings })),
      gateRuns,
    }
  }

  /** Puts other attestations of a commit into the notes, as anybody with push rights can, and returns the former. */
  async function forge(fixture: HydratedRepositoryFixture, sha: string, change: (line: string) => string) {
    const path = attestationPath(sha)
    const text = await fixture.git('show', `${notesRef}:${path}`)
    await fixture.git('update-ref', 'refs/heads/notes', notesRef)
    await fixture.pushForeign('notes', { [path]: text.replaceAll(/.+/g, change) })
    await fixture.git('update-ref', notesRef, 'refs/heads/notes')
    return text
  }

  /** An envelope with another payload and the same signature. */
  function withPayload(line: string, from: string, to: string): string {
    const envelope = JSON.parse(line) as { payload: string }
    const payload = Buffer.from(envelope.payload, 'base64').toString().replace(from, to)
    return JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString('base64') })
  }

  test('names the key of a commit, and none for one that the branch starts at', async () => {
    await using fixture = await HydratedRepositoryFixture.start()
    const { mirror } = fixture
    const directories = [directory('a', '1')]
    const own = await fixture.write({ dry: 1, directories }, undefined, mirror, signing)
    assert.deepEqual([own.proof?.fingerprint, own.proof?.attested], [fingerprint, true])
    const deployed = await fixture.pushForeign('env/prod', { 'a/manifest.yaml': 'value: 1\n' })
    const staging = { dry: 1, branch: 'env/prod-next', syncBranch: 'env/prod', directories }
    const begun = await fixture.write(staging, undefined, mirror, signing)
    assert.equal(begun.hydratedSha, deployed)
    assert.deepEqual([begun.proof?.fingerprint, begun.proof?.attested], [undefined, true])
  })

  test('counts what gates found in all directories of the commit, by signed statements alone', async () => {
    await using fixture = await HydratedRepositoryFixture.start()
    const { mirror } = fixture
    const write = (parts: RequestParts) => fixture.write(parts, undefined, mirror, signing)
    const warned = checked('a', '1', 'secrets/github', 'secrets/password')
    const first = await write({ dry: 1, directories: [warned, directory('b', '1'), directory('c', '1')] })
    assert.deepEqual([first.proof?.gates, first.proof?.gateWarnings], ['WARNED', 2])
    const next = await write({ base: first.state, dry: 2, directories: [checked('b', '1')] })
    assert.equal(next.hydratedSha, first.hydratedSha)
    assert.deepEqual([next.proof?.gates, next.proof?.gateWarnings], ['WARNED', 2])
    await forge(fixture, first.hydratedSha, (line) => withPayload(line, '"a: secrets/github",', ''))
    const directories = [checked('c', '1', 'secrets/github')]
    const last = await write({ base: next.state, dry: 3, directories })
    assert.equal(last.hydratedSha, first.hydratedSha)
    assert.deepEqual([last.proof?.gates, last.proof?.gateWarnings], ['WARNED', 1])
  })

  test('attests again what a forged attestation says already', async () => {
    await using fixture = await HydratedRepositoryFixture.start()
    const { mirror } = fixture
    const directories = [checked('a', '1')]
    const { hydratedSha, state } = await fixture.write({ dry: 1, directories }, undefined, mirror, signing)
    const request = { base: state, dry: 1, directories }
    assert.equal((await fixture.write(request, undefined, mirror, signing)).proof, undefined)
    const signed = await forge(fixture, hydratedSha, (line) =>
      line.replace(/"sig":"[^"]*"/, '"sig":"forged"'),
    )
    const { proof } = await fixture.write(request, undefined, mirror, signing)
    assert.equal(proof?.attested, true)
    // Ed25519 makes the same signature again.
    const held = await fixture.git('show', `${notesRef}:${attestationPath(hydratedSha)}`)
    assert.equal(held.split('\n')[1], signed.split('\n')[1])
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
    const { proof, hydratedSha } = await fixture.write(
      { dry: 1, directories },
      undefined,
      fixture.mirror,
      signing,
    )
    assert.deepEqual(await fixture.subjects(hydratedSha), ['1111111: change the dry side'])
    assert.deepEqual([proof?.fingerprint, proof?.attested], [fingerprint, true])
  })
})
