import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeGpgHome, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { sharedMeshFixture } from '../testing/mesh-fixture.ts'

describe('wadi gpg', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  const mesh = await sharedMeshFixture()
  await using starting = new AsyncDisposableStack()
  const home = starting.use(await makeGpgHome())
  const started = starting.move()
  after(() => started.disposeAsync())

  async function gpg(...args: string[]) {
    return mesh.operate(['gpg', ...args])
  }

  test('keys are added, listed, shown, completed, replaced and removed', async () => {
    const alice = await home.addKey('Alice <alice@example.com>')
    const old = await home.addKey('Old <old@example.com>', {
      at: new Date('2020-01-01T00:00:00Z'),
      expires: '10d',
    })
    const both = join(mesh.directory, 'keys.asc')
    await writeFile(both, (await home.publicKey(alice)) + (await home.publicKey(old)))
    const added = await gpg('add', '--from', both)
    const lines = [
      `GPG key ${alice.keyId} of Alice <alice@example.com> created`,
      `GPG key ${old.keyId} of Old <old@example.com> created`,
    ]
    assert.deepEqual(
      [added.stdout.trim().split('\n').toSorted(), added.code],
      [lines.toSorted(), 0],
      added.stderr,
    )

    const list = await gpg('list')
    const rows = list.stdout.trim().split('\n')
    assert.match(rows[0] ?? '', /^KEYID +TYPE +IDENTITY +STATUS$/)
    assert.deepEqual(
      rows.slice(1).map((line) => line.replaceAll(/ {2,}/g, '|').trim()),
      [
        `${alice.keyId}|ed25519|Alice <alice@example.com>|valid`,
        `${old.keyId}|ed25519|Old <old@example.com>|expired 2020-01-11`,
      ].toSorted(),
    )
    const json = JSON.parse((await gpg('get', alice.fingerprint, '-o', 'json')).stdout)
    assert.deepEqual(
      [json.keyID, json.fingerprint, json.owner],
      [alice.keyId, alice.fingerprint, 'Alice <alice@example.com>'],
    )
    assert.match(
      (await gpg('get', alice.keyId)).stdout,
      /Key data follows until EOF:\n-----BEGIN PGP PUBLIC KEY BLOCK-----/,
    )
    const { stdout: names } = await mesh.operate(['__complete', 'gpg-keys'])
    assert.deepEqual(names.trim().split('\n').toSorted(), [alice.keyId, old.keyId].toSorted())

    await home.revoke(alice)
    await writeFile(both, await home.publicKey(alice))
    const again = await gpg('add', '--from', both)
    assert.match(again.stdout, /unchanged, it is stored already; --upsert replaces one that differs/)
    assert.match((await gpg('add', '--from', both, '--upsert')).stdout, /of Alice .* updated/)
    assert.match((await gpg('list')).stdout, new RegExp(`${alice.keyId} .* revoked`))

    assert.equal((await gpg('rm', alice.keyId)).code, 20)
    assert.equal((await gpg('rm', alice.keyId, old.fingerprint, '--yes')).code, 0)
    assert.equal((await gpg('list', '-o', 'json')).stdout, '[]\n')
    const gone = await gpg('rm', alice.keyId, '--yes')
    assert.match(gone.stderr, new RegExp(`GPG key ${alice.keyId} is not stored`))
  })

  test('what is not a public key is refused', async () => {
    const bob = await home.addKey('Bob <bob@example.com>')
    const file = join(mesh.directory, 'wrong.asc')
    for (const [content, message] of [
      [await home.privateKey(bob), /this is a private GPG key/],
      ['nonsense', /the text holds no public GPG key/],
      ['x'.repeat(300 * 1024), /GPG keys may have 262144 bytes each/],
    ] as const) {
      await writeFile(file, content)
      const { stderr, code } = await gpg('add', '--from', file)
      assert.match(stderr, message)
      assert.equal(code, 20)
    }
    assert.match(
      (await gpg('add', '--from', join(mesh.directory, 'absent.asc'))).stderr,
      /cannot read .*absent\.asc/,
    )
    assert.match(
      (await gpg('get', 'short')).stderr,
      /"short" is not a GPG key id; give the 16 hexadecimal digits/,
    )
  })

  test('the ConfigMaps with keys are checked when they are applied', async () => {
    const carol = await home.addKey('Carol <carol@example.com>')
    const dora = await home.addKey('Dora <dora@example.com>')
    const file = join(mesh.directory, 'keys.json')
    const apply = async (name: string, data: Record<string, string>) => {
      await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }))
      return mesh.operate(['apply', '-f', file])
    }
    const key = await home.publicKey(carol)
    const wrong = await apply('argocd-gpg-keys-cm', { [dora.keyId]: key, alice: key })
    assert.match(wrong.stderr, new RegExp(`${dora.keyId}: the text holds no public key ${dora.keyId}`))
    assert.match(wrong.stderr, /alice: the name of the entry is not a key id/)
    assert.equal((await apply('argocd-gpg-keys-cm', { [carol.keyId]: key })).code, 0)
    assert.match((await gpg('list')).stdout, /Carol/)
    const signers = await apply('wadi-ssh-signers-cm', {
      allowed_signers: 'carol@example.com ssh-ed25519 AAAA\n',
    })
    assert.match(signers.stderr, /allowed_signers:1: the key is not a ssh-ed25519 key/)
    const field = await apply('wadi-ssh-signers-cm', { allowedSigners: '' })
    assert.match(field.stderr, /unknown field data\.allowedSigners; did you mean allowed_signers\?/)
  })
})
