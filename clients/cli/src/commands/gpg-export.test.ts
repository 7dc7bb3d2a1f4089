import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeGpgHome, makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { sharedMeshFixture, startMeshFixture } from '../testing/mesh-fixture.ts'

describe('keys of hydrated commits', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const directory = starting.use(await mkdtempDisposable(join(tmpdir(), 'wadi-export-'))).path
  const home = starting.use(await makeGpgHome())
  const web = await home.addKey('Web <web@example.com>')
  const old = await home.addKey('Old <old@example.com>', { expires: '30d' })
  const ssh = await makeSshKey(directory, 'all')
  await writeFile(join(directory, 'web.asc'), await home.privateKey(web))
  await writeFile(join(directory, 'old.asc'), await home.publicKey(old))
  const mesh = starting.use(
    await startMeshFixture({
      WADI_SIGNING_KEYS: `
        - { key: ${directory}/web.asc, projects: [web], repositories: ['https://git.example.com/*'] }
        - { key: ${directory}/old.asc, projects: [web] }`,
      WADI_SIGNING_KEY_PATH: join(directory, 'all'),
    }),
  )
  const started = starting.move()
  after(() => started.disposeAsync())

  test('are exported by scheme, project and repository', async () => {
    const { stdout } = await mesh.operate(['gpg', 'export', '--scheme', 'ssh'])
    assert.equal(stdout, `wadi namespaces="git" ${ssh.publicKey}\n`)
    const { stdout: pem } = await mesh.operate(['gpg', 'export', '--pem'])
    assert.equal(createPublicKey(pem).asymmetricKeyType, 'ed25519')
    const both = (await mesh.operate(['gpg', 'export', '--scheme', 'gpg'])).stdout
    assert.equal(both, (await home.publicKey(web)) + (await home.publicKey(old)))
    const repo = ['--repo', 'https://elsewhere.example.com/a']
    assert.equal(
      (await mesh.operate(['gpg', 'export', '--scheme', 'gpg', ...repo])).stdout,
      await home.publicKey(old),
    )
    assert.equal((await mesh.operate(['gpg', 'export', '--project', 'api'])).stdout, stdout)
    const added = await mesh.operate(['gpg', 'add', '--from', '-'], { input: both })
    assert.match(added.stdout, new RegExp(`GPG key ${web.keyId} of Web <web@example\\.com> created`))
    const mixed = await mesh.operate(['gpg', 'export'])
    assert.match(mixed.stderr, /there are GPG and SSH keys; choose with --scheme gpg or --scheme ssh/)
    assert.equal(mixed.code, 20)
    const none = await mesh.operate(['gpg', 'export', '--project', 'api', '--scheme', 'gpg'])
    assert.match(none.stderr, /no GPG key signs these commits; an operator gives commit-server one/)
  })

  test('are listed with what they are for', async () => {
    const { stdout } = await mesh.operate(['gpg', 'list', '--signing'])
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => line.replaceAll(/ {2,}/g, '|'))
    assert.deepEqual(rows.slice(0, 2), [
      'SCHEME|FINGERPRINT|IDENTITY|PROJECTS|REPOSITORIES|STATUS',
      `gpg|${web.fingerprint}|Web <web@example.com>|web|https://git.example.com/*|signs, valid`,
    ])
    assert.match(rows[2] ?? '', /\|web\|\*\|signed before, valid until \d{4}-\d{2}-\d{2}$/)
    assert.match(rows[3] ?? '', /^ssh\|SHA256:\S+\|\*\|\*\|signs, valid$/)
    const json = JSON.parse((await mesh.operate(['gpg', 'list', '--signing', '-o', 'json'])).stdout)
    assert.deepEqual(json[2].fingerprint, ssh.fingerprint)
  })

  test('are none where nothing is signed', async () => {
    const unsigned = await sharedMeshFixture()
    const { stderr, code } = await unsigned.operate(['gpg', 'export'])
    assert.match(
      stderr,
      /no key signs hydrated commits; an operator gives commit-server one with WADI_SIGNING_KEY_PATH/,
    )
    assert.equal(code, 20)
  })
})
