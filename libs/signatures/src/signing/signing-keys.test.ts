import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import {
  type GpgHome,
  makeGpgHome,
  makeSshKey,
  noSigningPrograms,
  startGpgAgent,
  startSshAgent,
} from '@wadi/testing/signing-keys.ts'
import type { CommitSigner } from './commit-signer.ts'
import { openSigningKeys, type SigningKeys } from './signing-keys.ts'

const run = promisify(execFile)
const ofAll = { projects: [], repositories: [], isFor: () => true }
const commit = Buffer.from('tree 1\n\nMessage\n')

describe('keys that sign', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const scratch = starting.use(await mkdtempDisposable(join(tmpdir(), 'wadi-signing-'))).path
  const home = starting.use(await makeGpgHome())
  // Their private directories are there.
  const privatePlace = join(scratch, 'private')
  await mkdir(privatePlace)
  const { TMPDIR: usualPlace } = process.env
  process.env['TMPDIR'] = privatePlace
  starting.defer(() => {
    if (usualPlace === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = usualPlace
  })
  const started = starting.move()
  after(() => started.disposeAsync())
  const secret = 'correct horse'

  async function file(name: string, content: string): Promise<string> {
    await writeFile(join(scratch, name), content, { mode: 0o600 })
    return join(scratch, name)
  }

  function open(
    keyPath: string,
    more: { passphraseFile?: string; agentSocket?: string } = {},
    warnings: string[] = [],
  ): Promise<SigningKeys> {
    const { passphraseFile, agentSocket } = more
    const entry = {
      setting: 'WADI_SIGNING_KEY_PATH',
      keyPath,
      passphraseFile,
      agentSocket,
      ...ofAll,
    }
    return openSigningKeys([entry], (warning) => warnings.push(warning))
  }

  /** The message of a start that fails, which never has the passphrase. */
  async function refusal(...args: Parameters<typeof open>): Promise<string> {
    const error: unknown = await open(...args).then(
      () => 'it opened',
      (reason: unknown) => reason,
    )
    const message = error instanceof Error ? error.message : String(error)
    assert.ok(!message.includes(secret), message)
    assert.deepEqual(
      (await readdir(privatePlace)).filter((name) => /^wadi-(?:sign|verify)-/.test(name)),
      [],
    )
    return message
  }

  /** It tells its own signature from one of other bytes, and from what is none. */
  async function assertKnowsOwn(signer: CommitSigner): Promise<void> {
    const signature = await signer.signBytes(commit)
    const others = Buffer.from('other bytes')
    const verdicts = [
      await signer.hasSigned(commit, signature),
      await signer.hasSigned(others, signature),
      await signer.hasSigned(commit, others),
      await signer.hasSigned(commit, Buffer.from('-----BEGIN PGP SIGNATURE-----\n\nAAAA\n')),
    ]
    assert.deepEqual(verdicts, [true, false, false, false])
  }

  async function gpgKey(owner: string, options: Parameters<GpgHome['addKey']>[1] = {}) {
    const key = await home.addKey(owner, options)
    return { key, path: await file(`${owner}.asc`, await home.privateKey(key, options.passphrase)) }
  }

  test('OpenPGP keys of each usual algorithm sign, also with a subkey, and export a public key that verifies', async () => {
    for (const options of [{}, { algorithm: 'rsa2048' }, { algorithm: 'nistp256' }, { subkey: true }]) {
      const owner = `Wadi ${JSON.stringify(options).replaceAll('"', '')}`
      const { key, path } = await gpgKey(owner, options)
      await using keys = await open(path)
      const [shown] = await keys.list({ project: 'web', repoUrl: '' })
      assert.deepEqual([shown?.fingerprint, shown?.owner], [key.fingerprint, owner])
      const signer = keys.signerOf('web', 'https://git.example.com/a')
      const signature = await signer.sign(commit)
      await assertKnowsOwn(signer)
      const ring = join(scratch, `ring-${key.keyId}`)
      await run('mkdir', ['-m', '700', ring])
      const [publicKey, signed, text] = [join(ring, 'key'), join(ring, 'signature'), join(ring, 'text')]
      await writeFile(publicKey, shown?.publicKey ?? '')
      await writeFile(signed, signature)
      await writeFile(text, commit)
      const gpg = ['--homedir', ring, '--batch', '--no-autostart', '--trust-model', 'always']
      await run('gpg', [...gpg, '--import', publicKey])
      await run('gpg', [...gpg, '--verify', signed, text])
    }
  })

  test('SSH keys of each usual algorithm and form sign, with a passphrase too', async () => {
    const passphraseFile = await file('ssh-passphrase', `${secret}\n`)
    for (const type of ['ed25519', 'rsa', 'ecdsa']) {
      for (const passphrase of ['', secret]) {
        const name = `ssh-${type}-${passphrase === '' ? 'open' : 'locked'}`
        const key = await makeSshKey(scratch, name, { type, passphrase })
        await using keys = await open(join(scratch, name), passphrase === '' ? {} : { passphraseFile })
        const [shown] = await keys.list({ project: 'web', repoUrl: '' })
        assert.equal(shown?.fingerprint, key.fingerprint)
        assert.equal(shown.publicKey, `wadi namespaces="git" ${key.publicKey}`)
        const signer = keys.signerOf('', 'x')
        const signature = await file(`${name}.sig`, await signer.sign(commit))
        const allowed = await file(`${name}.allowed`, `${shown.publicKey}\n`)
        const verify = ['-Y', 'verify', '-f', allowed, '-I', 'wadi', '-n', 'git', '-s', signature]
        const verifying = run('ssh-keygen', verify)
        verifying.child.stdin?.end(commit)
        assert.match((await verifying).stdout, /^Good "git" signature for wadi/)
        await assertKnowsOwn(signer)
      }
    }
  })

  test('a passphrase that is wrong, missing or superfluous is named, and never shown', async () => {
    const { path } = await gpgKey('Locked', { passphrase: secret })
    await makeSshKey(scratch, 'locked', { passphrase: secret })
    const wrong = await file('wrong', `${secret}?\n`)
    for (const [key, name] of [
      [path, 'GPG key'],
      [join(scratch, 'locked'), 'SSH key'],
    ] as const) {
      assert.match(
        await refusal(key, { passphraseFile: wrong }),
        new RegExp(`${name}.*${RegExp.escape(wrong)}`),
      )
      assert.match(
        await refusal(key),
        new RegExp(`${name}.* has a passphrase; name a file with it in WADI_SIGNING_KEY_PASSPHRASE_FILE`),
      )
    }
    assert.match(
      await refusal(path, { passphraseFile: join(scratch, 'nowhere') }),
      /WADI_SIGNING_KEY_PATH: the passphrase of the signing key cannot be read: ENOENT.*mount it there/,
    )
    const absolute = 'must be given as the absolute path of a file'
    assert.equal(
      await refusal(path, { passphraseFile: secret }),
      `WADI_SIGNING_KEY_PATH: the passphrase of the signing key ${absolute}`,
    )
    const text = `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${secret}`
    assert.equal(await refusal(text), `WADI_SIGNING_KEY_PATH: the signing key ${absolute}`)
    assert.match(
      await refusal(path, { passphraseFile: await file('empty', '\n') }),
      /the first line of .* is empty/,
    )
    assert.match(await refusal(path, { agentSocket: '/run/agent' }), /is a private key, which needs no agent/)
    assert.match(
      await refusal(`${join(scratch, 'locked')}.pub`, { passphraseFile: wrong }),
      /is a public key, which has no passphrase/,
    )
  })

  test('expired and revoked keys, several keys and what is no key are refused with the fix', async () => {
    const past = new Date('2020-01-01T00:00:00Z')
    const expired = await gpgKey('Expired', { at: past, expires: '2d' })
    assert.match(
      await refusal(expired.path),
      /GPG key [0-9A-F]{16} of .*: it expired on 2020-01-03; extend it/,
    )
    const revoked = await gpgKey('Revoked')
    await home.revoke(revoked.key)
    assert.match(
      await refusal(await file('revoked.asc', await home.privateKey(revoked.key))),
      /it is revoked; replace it/,
    )
    const two = (await home.privateKey(revoked.key)) + (await home.privateKey(expired.key))
    assert.match(await refusal(await file('two.asc', two)), /holds 2 keys; export the one that signs alone/)
    assert.match(
      await refusal(await file('text', secret)),
      /holds no key that signs: expected an OpenPGP key/,
    )
    const broken = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n'
    assert.match(
      await refusal(await file('broken', broken)),
      /the SSH key .*broken cannot be used: .*; give a private key/,
    )
    const armour = '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nAAAA\n-----END PGP PRIVATE KEY BLOCK-----\n'
    assert.match(await refusal(await file('broken.asc', armour)), /gpg reads no key of .*broken\.asc/)
    const future = await home.addKey('future', { at: new Date('2050-01-01T00:00:00Z') })
    assert.match(
      await refusal(await file('future.asc', await home.privateKey(future))),
      /gpg reads no key of .*future\.asc: gpg: key \w+ was created \d+ days in the future/,
    )
    assert.match(
      await refusal(join(scratch, 'nowhere')),
      /the signing key cannot be read: ENOENT.*readable for the user/,
    )
    const alone = await file('public.asc', await home.publicKey(revoked.key))
    assert.match(
      await refusal(alone),
      /^no key signs, as each is public: WADI_SIGNING_KEY_PATH: .*public\.asc; name the socket of the agent/,
    )
  })

  test('a key that expires soon is used with a warning', async () => {
    for (const [expires, warning] of [
      [
        '10d',
        /^WADI_SIGNING_KEY_PATH: GPG key [0-9A-F]{40} signs hydrated commits until \d{4}-\d\d-\d\d; extend or replace it$/,
      ],
      ['30d', /^$/],
    ] as const) {
      const { path } = await gpgKey(`Expires in ${expires}`, { expires })
      await using keys = await open(path)
      assert.match(keys.warning() ?? '', warning)
    }
  })

  test('a private key that every user can read is used with a warning', async () => {
    const { path } = await gpgKey('Open')
    await chmod(path, 0o644)
    const warnings: string[] = []
    await using _ = await open(path, {}, warnings)
    assert.deepEqual(warnings, [
      `WADI_SIGNING_KEY_PATH: every user of the machine can read the private key ${path}; take that right away with "chmod o-rwx"`,
    ])
  })

  test('a key that is replaced in its file signs from then on', async () => {
    const [before, next] = [await gpgKey('Before'), await gpgKey('Next')]
    const path = join(scratch, 'rotated.asc')
    await copyFile(before.path, path)
    await using keys = await open(path)
    const signer = keys.signerOf('', 'x')
    await signer.sign(commit)
    assert.equal(signer.key.fingerprint, before.key.fingerprint)
    await copyFile(next.path, path)
    await signer.sign(commit)
    assert.equal(signer.key.fingerprint, next.key.fingerprint)
    await writeFile(path, 'nothing')
    await assert.rejects(signer.sign(commit), {
      name: 'UnavailableError',
      message: /holds no key that signs/,
    })
    await copyFile(before.path, path)
    await signer.sign(commit)
    assert.equal(signer.key.fingerprint, before.key.fingerprint)
  })

  for (const scheme of ['gpg', 'ssh'] as const) {
    test(`a key in ${scheme}-agent signs by its public key; without the agent it fails, and heals`, async () => {
      const socket = join(scratch, `${scheme}.agent`)
      const { key, path } = await gpgKey(`Agent of ${scheme}`)
      const publicGpg = await file(`${scheme}-public.asc`, await home.publicKey(key))
      const ssh = await makeSshKey(scratch, `${scheme}-agent-key`)
      const start = () =>
        scheme === 'gpg'
          ? startGpgAgent(socket, path)
          : startSshAgent(socket, join(scratch, `${scheme}-agent-key`))
      const publicKey = scheme === 'gpg' ? publicGpg : join(scratch, `${scheme}-agent-key.pub`)
      assert.match(
        await refusal(publicKey, { agentSocket: socket }),
        /cannot be signed .* see that the agent at .* runs and has the key$/,
      )
      await using first = await start()
      await using keys = await open(publicKey, { agentSocket: socket })
      const signer = keys.signerOf('', 'x')
      assert.ok([key.fingerprint, ssh.fingerprint].includes(signer.key.fingerprint))
      await signer.sign(commit)
      await first[Symbol.asyncDispose]()
      await assert.rejects(signer.sign(commit), {
        name: 'UnavailableError',
        message: /see that the agent at/,
      })
      await using _ = await start()
      await signer.sign(commit)
    })
  }
})
